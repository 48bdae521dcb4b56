// Visits of the gateway by a browser without script, and where they lead.
import type { Test } from 'tap'
import type { Browser, Portal } from '#test/support/portal.ts'
import { sentCookies } from './sent-cookies.ts'

export const EXPIRED = '/signin-failed?reason=expired'
export const REFUSED = '/signin-failed?reason=refused'

/** Where an answer leads; of a sign-in that failed, to which reason. */
export const placeOf = ({ headers }: Pick<Response, 'headers'>) =>
  headers.get('location')?.replace(/&(?:by|request)=.*$/, '')

/** The gateway's cookies of a browser, as a header. */
export async function cookiesOf({ jar }: Browser): Promise<string> {
  return (await sentCookies(jar)).join('; ')
}

/** Its session cookie, as `portal=value`. */
export async function sessionOf({ jar }: Browser): Promise<string> {
  return (await sentCookies(jar)).find((cookie) => cookie.startsWith('portal=')) ?? ''
}

/** One GET with those cookies; redirects are not followed, and nothing is kept. */
export function visitsOf({ url }: Portal) {
  return (path: string, cookie = '') =>
    fetch(new URL(path, url), { headers: { cookie, 'x-portal-csrf': '1' }, redirect: 'manual' })
}

/** The answer leads to that page and signs nobody in. */
export async function leadsTo(t: Test, answer: Response, page: string, name: string): Promise<void> {
  t.equal(placeOf(answer), page, name)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.equal(await answer.text(), '', `${name}: nothing to read`)
  const started = answer.headers.getSetCookie().some((line) => /^portal=[^;]/.test(line))
  t.notOk(started, `${name}: no session`)
}
