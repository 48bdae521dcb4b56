// Calls the gateway as a browser without JavaScript does.
import type { Test } from 'tap'
import type { Browser, Portal } from '#test/support/portal.ts'
import { sentCookies } from './sent-cookies.ts'

export const EXPIRED = '/signin-failed?reason=expired'
export const REFUSED = '/signin-failed?reason=refused'

export const locationOf = ({ headers }: Pick<Response, 'headers'>) =>
  headers.get('location')?.replace(/&(?:by|request)=.*$/, '')

export async function cookiesOf({ jar }: Browser): Promise<string> {
  return (await sentCookies(jar)).join('; ')
}

export async function sessionOf({ jar }: Browser): Promise<string> {
  return (await sentCookies(jar)).find((cookie) => cookie.startsWith('portal=')) ?? ''
}

export function visitsOf({ url }: Portal) {
  return (path: string, cookie = '') =>
    fetch(new URL(path, url), { headers: { cookie, 'x-portal-csrf': '1' }, redirect: 'manual' })
}

export async function leadsTo(t: Test, answer: Response, page: string, name: string): Promise<void> {
  t.equal(locationOf(answer), page, name)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.equal(await answer.text(), '', `${name}: the body is empty`)
  const startsSession = answer.headers.getSetCookie().some((line) => /^portal=[^;]/.test(line))
  t.notOk(startsSession, `${name}: starts no session`)
}
