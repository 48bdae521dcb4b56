// Sign-ins during a session or while sessions end: the gateway revokes each unused refresh token, and a sign-out is final.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import type { SessionState } from '#shared/answers/session.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { json, startFakeAuthority } from '../../../support/fake-authority.ts'
import { random } from '../../../support/fake-tokens.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { EXPIRED, locationOf, sessionOf } from '../../../support/visits.ts'

const ME = '/api/v2/management/myUser'
const KEPT_MAX = 24

const fake = await startFakeAuthority(t)
const sandbox = await openSandbox(t)
t.afterEach(() => fake.reset())

const time = { now: Date.now() }
const backend = createMemoryBackend(() => time.now)
t.teardown(() => backend.close())
let afterStoring: (() => Promise<unknown>) | null = null
let recallFails = false
const portal = await startPortal(t, {
  env: fake.env,
  startedSandbox: sandbox,
  clock: () => time.now,
  secrets: [randomBytes(32).toString('base64')],
  backend: {
    ...backend,
    async recall(name) {
      if (recallFails) throw new Error('the store fails')
      return backend.recall(name)
    },
    async create(...parameters) {
      await backend.create(...parameters)
      const work = afterStoring
      afterStoring = null
      await work?.()
    }
  }
})

async function beginIn(browser: Browser, subject: string, sid: string) {
  const answer = await browser.call('/auth/login')
  const query = fake.authorize(answer.headers.get('location') ?? '', subject, sid)
  return {
    async finish(finisher = browser) {
      return locationOf(await finisher.call(`/callback?${query}`)) ?? null
    }
  }
}

async function tabsOf(browser: Browser, count: number, subject: string, sid = random()) {
  const tabs: Awaited<ReturnType<typeof beginIn>>[] = []
  for (let index = 0; index < count; index += 1) tabs.push(await beginIn(browser, subject, sid))
  return tabs
}

const status = async (browser: Browser) => (await browser.call(ME)).status
const revokedTokens = () =>
  fake.asked
    .filter(({ endpoint, form }) => endpoint === 'revoke' && form.get('token_type_hint') === 'refresh_token')
    .map(({ form }) => form.get('token'))
const issuedTokens = () =>
  fake
    .secrets()
    .filter(({ name }) => name === 'a refresh token')
    .map(({ value }) => value)
const signOut = (browser: Browser, path = '') => browser.call(`/auth/logout${path}`, { method: 'POST' })
async function logOut(claims: Record<string, unknown>): Promise<void> {
  const iat = Math.floor(time.now / 1000)
  const logout_token = fake.logoutToken({ ...claims, iat, exp: iat + 120 })
  const body = new URLSearchParams({ logout_token })
  const answer = await fetch(`${portal.url}/auth/backchannel-logout`, { method: 'POST', body })
  if (answer.status !== 200) throw new Error(await answer.text())
}
const expectRevoked = async (t: Test, tokens: readonly unknown[], name = '') => {
  await eventually(() => revokedTokens().length >= tokens.length).catch(() => {})
  t.strictSame(revokedTokens().sort(), [...tokens].sort(), name)
}

for (const path of ['', '/everywhere']) {
  t.test(`/auth/logout${path} revokes the refresh tokens of two tabs that signed in at once`, async (t) => {
    const before = issuedTokens().length
    const browser = new Browser(portal.url)
    const tabs = await tabsOf(browser, 2, 'u-tabs')
    for (const tab of tabs) t.equal(await tab.finish(), '/')
    t.strictSame(revokedTokens(), [], 'revokes nothing before the sign-out')
    t.equal(await status(browser), 200)
    t.equal((await signOut(browser, path)).status, 200)
    await expectRevoked(t, issuedTokens().slice(before))
    t.equal(issuedTokens().length - before, 2)
  })
}

t.test('a session keeps the tokens of another tab after a refresh and a change of roles', async (t) => {
  const before = issuedTokens().length
  const browser = new Browser(portal.url)
  for (const tab of await tabsOf(browser, 2, 'u-refreshed')) await tab.finish()
  const [first, second] = issuedTokens().slice(before)
  fake.people.set('u-refreshed', { id: 'u-refreshed', fullName: 'Renamed', roleAssignments: [] })
  t.equal((await browser.call('/api/portal/v1/bootstrap')).status, 200)
  time.now += 290_000
  t.equal((await browser.call('/auth/session/renew', { method: 'POST' })).status, 200)
  // Waits until the new tokens are stored, because an earlier sign-out would revoke the old token.
  await eventually(() => portal.logged.some((line) => line.includes('tokens refreshed')))
  t.equal(fake.count.refresh, 1)
  const [, , newToken] = issuedTokens().slice(before)
  t.equal(await status(browser), 200)
  await signOut(browser)
  await expectRevoked(t, [second, newToken])
  t.not(first, newToken)
})

t.test('a session keeps at most 24 refresh tokens; the gateway revokes the oldest', async (t) => {
  const before = issuedTokens().length
  const browser = new Browser(portal.url)
  const sid = random()
  const tabs = await tabsOf(browser, KEPT_MAX, 'u-many', sid)
  // A browser keeps at most KEPT_MAX attempts, so another client begins two more.
  const otherClient = new Browser(portal.url)
  tabs.push(...(await tabsOf(otherClient, 2, 'u-many', sid)))
  browser.jar.take(otherClient.jar)
  for (const tab of tabs.splice(0, KEPT_MAX + 1)) t.equal(await tab.finish(browser), '/')
  t.strictSame(revokedTokens(), [], 'revokes nothing at the limit')
  await tabs[0]?.finish(browser)
  const [current, oldest, ...rest] = issuedTokens().slice(before)
  await expectRevoked(t, [oldest], 'just past the limit')
  await signOut(browser)
  await expectRevoked(t, [current, oldest, ...rest], 'after the sign-out')
})

t.test(
  'a new session keeps the earlier tokens of the same person, and revokes the tokens of another person',
  async (t) => {
    const before = issuedTokens().length
    const browser = new Browser(portal.url)
    const sid = random()
    const [first, second, third] = await tabsOf(browser, 3, 'u-replaced', sid)
    const otherPersonsTab = await beginIn(browser, 'u-other', random())
    await first?.finish()
    const session = await sessionOf(browser)
    time.now += 59_999
    t.equal(await second?.finish(), '/')
    t.equal(await sessionOf(browser), session, 'the same session within a minute')
    time.now += 1
    t.equal(await third?.finish(), '/')
    t.not(await sessionOf(browser), session, 'a new session later')
    t.strictSame(revokedTokens(), [])
    const tokens = issuedTokens().slice(before)
    t.equal(await otherPersonsTab.finish(), '/')
    await expectRevoked(t, tokens)
    t.equal(await status(browser), 200)
  }
)

t.test('a new session at the authority keeps the earlier tokens of the same person', async (t) => {
  const before = issuedTokens().length
  const browser = new Browser(portal.url)
  const [first] = await tabsOf(browser, 1, 'u-again')
  const [second] = await tabsOf(browser, 1, 'u-again')
  await first?.finish()
  const session = await sessionOf(browser)
  t.equal(await second?.finish(), '/')
  t.not(await sessionOf(browser), session)
  t.strictSame(revokedTokens(), [])
  await signOut(browser)
  await expectRevoked(t, issuedTokens().slice(before))
})

t.test('ending other sessions keeps the tokens of the current session at the authority', async (t) => {
  const [desk, sid] = [new Browser(portal.url), random()]
  await (await beginIn(desk, 'u-others', sid)).finish()
  for (const otherSid of [sid, random()]) {
    const otherBrowser = new Browser(portal.url)
    await (await beginIn(otherBrowser, 'u-others', otherSid)).finish()
    t.equal(await status(otherBrowser), 200)
    t.equal((await desk.call('/auth/sessions', { method: 'DELETE' })).status, 204)
    t.equal((await otherBrowser.json<SessionState>('/auth/session')).ended, 'person')
  }
  await expectRevoked(t, issuedTokens().slice(-1))
})

t.test('revokes the tokens of a sign-in that cannot finish', async (t) => {
  for (const code of [403, 500]) {
    fake.reset()
    const before = issuedTokens().length
    fake.changes = { instead: { api: (_, response) => json(response, code, {}) } }
    const [tab] = await tabsOf(new Browser(portal.url), 1, 'u-refused')
    t.not(await tab?.finish(), '/')
    await expectRevoked(t, issuedTokens().slice(before), `${code}`)
  }
})

const ENDS: [name: string, end: (browser: Browser, subject: string, sid: string) => Promise<unknown>][] = [
  ['the authority ends all sessions of the person', (_browser, sub) => logOut({ sub })],
  ['the authority ends the session', (_browser, _sub, sid) => logOut({ sid })],
  ['the person signs out everywhere', (browser) => signOut(browser, '/everywhere')]
]
for (const [index, [name, end]] of ENDS.entries()) {
  const subject = `u-raced-${index}`

  t.test(`a sign-in expires if ${name} while the gateway reads the user`, async (t) => {
    const otherBrowser = new Browser(portal.url)
    await (await beginIn(otherBrowser, subject, random())).finish()
    const before = issuedTokens().length
    const browser = new Browser(portal.url)
    const sid = random()
    const tab = await beginIn(browser, subject, sid)
    time.now += 1000
    let endCall: Promise<unknown> | null = null
    const { promise: isReading, resolve: startReading } = Promise.withResolvers<void>()
    fake.changes = {
      instead: {
        async api(_request, response) {
          endCall ??= end(otherBrowser, subject, sid)
          startReading()
          await endCall
          fake.changes = {}
          json(response, 200, { id: subject, fullName: 'Somebody', roleAssignments: [] })
        }
      }
    }
    const location = tab.finish()
    await isReading
    t.equal(await location, EXPIRED)
    t.equal(await status(browser), 401)
    const tokens = issuedTokens().slice(before)
    t.equal(tokens.length, 1)
    await eventually(() => tokens.every((token) => revokedTokens().includes(token)))
  })

  t.test(`a sign-in expires if ${name} just after the session was stored`, async (t) => {
    const otherBrowser = new Browser(portal.url)
    await (await beginIn(otherBrowser, subject, random())).finish()
    const browser = new Browser(portal.url)
    const sid = random()
    const tab = await beginIn(browser, subject, sid)
    time.now += 1000
    afterStoring = () => end(otherBrowser, subject, sid)
    t.equal(await tab.finish(), EXPIRED)
    t.equal(await status(browser), 401)
  })
}

t.test('a sign-in fails if the store cannot report whether the person has signed out', async (t) => {
  const browser = new Browser(portal.url)
  const subject = random()
  const tab = await beginIn(browser, subject, random())
  recallFails = true
  t.equal(await tab.finish(), '/signin-failed?reason=unavailable')
  recallFails = false
  t.match(await (await browser.call('/auth/session')).json(), { authenticated: false })
  t.equal(await sessionOf(browser), '')
})

t.test('an expired older sign-in does not end the session of a newer sign-in', async (t) => {
  const browser = new Browser(portal.url)
  const sid = random()
  const older = await beginIn(browser, 'u-newer', sid)
  time.now += 1
  await logOut({ sub: 'u-newer' })
  time.now += 1
  const newer = await beginIn(browser, 'u-newer', sid)
  t.equal(await newer.finish(), '/')
  t.equal(await older.finish(), EXPIRED)
  t.equal(await status(browser), 200)
})
