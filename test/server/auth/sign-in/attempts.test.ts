import t from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { Browser, startPortal, upToCallback } from '#test/support/portal.ts'
import { sentCookies } from '../../../support/sent-cookies.ts'
import { cookiesOf, EXPIRED, leadsTo, REFUSED, visitsOf } from '../../../support/visits.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'

const portal = await startPortal(t)
const { sandbox } = portal
const visit = visitsOf(portal)

t.test('refuses a callback that belongs to no sign-in attempt of this browser', async (t) => {
  const browser = new Browser(portal.url)
  const callback = await upToCallback(browser, sandbox, 'partner.user')
  const cookies = await cookiesOf(browser)
  const { searchParams: query, search } = new URL(callback)
  const state = query.get('state') ?? ''
  const changedState = state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A')
  const cases: [name: string, query: string][] = [
    ['no query', ''],
    ['no state', search.replace(/&state=[^&]*/, '')],
    ['an empty state', search.replace(state, '')],
    ['an unknown state', search.replace(state, 'x'.repeat(43))],
    ['a state with a changed end', search.replace(state, changedState)],
    ['a truncated state', search.replace(state, state.slice(0, 12))],
    ['two states', `${search}&state=${state}`],
    ['a foreign state before the valid one', search.replace('?', '?state=x&')],
    ['two codes', `${search}&code=x`],
    ['two issuers', `${search}&iss=https://evil.example`],
    ['a very long state', `?state=${'x'.repeat(5000)}`]
  ]
  const expires = async (path: string, cookies: string, name: string) =>
    leadsTo(t, await visit(path, cookies), EXPIRED, name)
  for (const [name, query] of cases) await expires(`/callback${query}`, cookies, name)

  const otherBrowser = new Browser(portal.url)
  await upToCallback(otherBrowser, sandbox, 'partner.user')
  await expires(callback, '', 'a browser without cookies')
  await expires(callback, await cookiesOf(otherBrowser), 'a browser with another attempt')

  const [name = ''] = cookies.split('=')
  for (const value of ['', 'x', '.', 'x.', 'x.y', 'x.y.z', '%', '%E0%A4%A', '"x"', '{}'])
    await expires(`/callback?state=${state.slice(0, 10)}`, `${name}=${value}`, `the cookie ${value}`)

  const callbackAnswer = await visit(callback, cookies)
  t.equal(callbackAnswer.headers.get('location'), '/', 'accepts the valid callback')
})

t.test('accepts a callback only once, and keeps the session after a replay', async (t) => {
  const browser = new Browser(portal.url)
  const callback = await upToCallback(browser, sandbox, 'partner.user')
  const oldCookies = await cookiesOf(browser)
  await browser.jar.fetch(callback)
  const grantCount = sandbox.grants.authorization_code
  await leadsTo(t, await visit(callback, oldCookies), EXPIRED, 'a replay with the old cookies')
  await leadsTo(t, await browser.jar.fetch(callback), portal.url, 'a replay in the same browser')
  t.equal(sandbox.grants.authorization_code, grantCount)
  t.equal((await browser.call(BOOTSTRAP)).status, 200)
})

t.test('lets twenty tabs sign in at once, with small cookies', async (t) => {
  const browser = new Browser(portal.url)
  const begin = (_: unknown, index: number) => browser.call(`/auth/login?returnTo=/tab-${index}`)
  const loginAnswers = await Promise.all(Array.from({ length: 20 }, begin))
  const cookies = await cookiesOf(browser)
  t.equal(cookies.split('; ').length, 20)
  t.ok(cookies.length < 4096, `${cookies.length} bytes of cookies`)
  const first = await upToCallback(browser, sandbox, 'customer.admin', '/first')
  t.equal((await browser.jar.fetch(first)).headers.get('location'), '/first')
  for (const [index, answer] of loginAnswers.entries()) {
    const authorityAnswer = await browser.jar.follow(answer, portal.url)
    const callbackAnswer = await browser.jar.follow(authorityAnswer, portal.url)
    t.equal(callbackAnswer.headers.get('location'), `/tab-${index}`)
  }
  t.equal((await browser.call(BOOTSTRAP)).status, 200)
  t.equal((await sentCookies(browser.jar)).length, 1, 'only the session cookie remains')
})

t.test('keeps the newest 24 attempts', async (t) => {
  const clock = { now: Date.now() }
  const gateway = await startPortal(t, { startedSandbox: sandbox, clock: () => clock.now })
  const { jar } = new Browser(gateway.url)
  const states: string[] = []
  for (let index = 0; index < 30; index += 1) {
    clock.now += 1000
    const answer = await jar.fetch(`${gateway.url}/auth/login`)
    states.push(new URL(answer.headers.get('location') ?? '').searchParams.get('state')?.slice(0, 10) ?? '')
  }
  const ids = (await sentCookies(jar)).map((cookie) => cookie.slice('portal-signin-'.length).split('=')[0])
  t.strictSame(ids, states.slice(-24))
  t.ok((await sentCookies(jar)).join('; ').length < 4096)
})

t.test('finishes an attempt that began under the older secret', async (t) => {
  const [older, newer] = ['an-older-secret'.padEnd(32, '-'), 'a-newer-secret'.padEnd(32, '-')]
  const backend = createMemoryBackend(Date.now)
  t.teardown(() => backend.close())
  const start = (...secrets: string[]) => startPortal(t, { startedSandbox: sandbox, backend, secrets })
  const browser = new Browser((await start(older)).url)
  const { search } = new URL(await upToCallback(browser, sandbox, 'customer.user', '/x'))
  const cookies = await cookiesOf(browser)
  // With both secrets, the attempt is found, but the code belongs to the redirect URI of the first replica.
  await leadsTo(t, await visitsOf(await start(newer))(`/callback${search}`, cookies), EXPIRED, 'newer secret')
  await leadsTo(t, await visitsOf(await start(newer, older))(`/callback${search}`, cookies), REFUSED, 'both')
})
