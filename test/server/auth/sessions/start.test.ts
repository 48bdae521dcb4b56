// Sign-ins during a session or while sessions end: each dropped refresh token is revoked, and a sign-out is final.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { json, startFakeAuthority } from '../../../support/fake-authority.ts'
import { random } from '../../../support/fake-tokens.ts'
import { EXPIRED, locationOf, sessionOf } from '../../../support/visits.ts'

const ME = '/api/v2/management/myUser'
const KEPT_MAX = 24

const fake = await startFakeAuthority(t)
const sandbox = await startSandbox()
t.teardown(sandbox.stop)
t.afterEach(() => fake.reset())

const time = { now: Date.now() }
const backend = createMemoryBackend(() => time.now)
t.teardown(() => backend.close())
let onceStored: (() => Promise<unknown>) | null = null
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
      const work = onceStored
      onceStored = null
      await work?.()
    }
  }
})

async function beginIn(browser: Browser, subject: string, sid: string) {
  const begun = await browser.call('/auth/login')
  const query = fake.authorize(begun.headers.get('location') ?? '', subject, sid)
  return {
    async finish(elsewhere = browser) {
      return locationOf(await elsewhere.call(`/callback?${query}`)) ?? null
    }
  }
}

async function tabsOf(browser: Browser, count: number, subject: string, sid = random()) {
  const tabs: Awaited<ReturnType<typeof beginIn>>[] = []
  for (let index = 0; index < count; index += 1) tabs.push(await beginIn(browser, subject, sid))
  return tabs
}

const status = async (browser: Browser) => (await browser.call(ME)).status
const revoked = () =>
  fake.asked
    .filter(({ endpoint, form }) => endpoint === 'revoke' && form.get('token_type_hint') === 'refresh_token')
    .map(({ form }) => form.get('token'))
const issued = () =>
  fake
    .confided()
    .filter(({ name }) => name === 'a refresh token')
    .map(({ value }) => value)
const signOut = (browser: Browser, how = '') => browser.call(`/auth/logout${how}`, { method: 'POST' })
async function logOut(claims: Record<string, unknown>): Promise<void> {
  const iat = Math.floor(time.now / 1000)
  const logout_token = fake.logoutToken({ ...claims, iat, exp: iat + 120 })
  const body = new URLSearchParams({ logout_token })
  const answer = await fetch(`${portal.url}/auth/backchannel-logout`, { method: 'POST', body })
  if (answer.status !== 200) throw new Error(await answer.text())
}
const areRevoked = async (t: Test, tokens: readonly unknown[], name = '') => {
  await eventually(() => revoked().length >= tokens.length).catch(() => {})
  t.strictSame(revoked().sort(), [...tokens].sort(), name)
}

for (const how of ['', '/everywhere']) {
  t.test(`/auth/logout${how} revokes the refresh tokens of both tabs that signed in at once`, async (t) => {
    const before = issued().length
    const browser = new Browser(portal.url)
    const tabs = await tabsOf(browser, 2, 'u-tabs')
    for (const tab of tabs) t.equal(await tab.finish(), '/')
    t.strictSame(revoked(), [], 'revokes nothing before the sign-out')
    t.equal(await status(browser), 200)
    t.equal((await signOut(browser, how)).status, 200)
    await areRevoked(t, issued().slice(before))
    t.equal(issued().length - before, 2)
  })
}

t.test('a session keeps the tokens of another tab after a refresh and a change of roles', async (t) => {
  const before = issued().length
  const browser = new Browser(portal.url)
  for (const tab of await tabsOf(browser, 2, 'u-refreshed')) await tab.finish()
  const [first, second] = issued().slice(before)
  fake.people.set('u-refreshed', { id: 'u-refreshed', fullName: 'Renamed', roleAssignments: [] })
  t.equal((await browser.call('/api/portal/v1/bootstrap')).status, 200)
  time.now += 290_000
  t.equal((await browser.call('/auth/session/renew', { method: 'POST' })).status, 200)
  // Wait until the new tokens are stored: an earlier sign-out would revoke the old one.
  await eventually(() => portal.logged.some((line) => line.includes('tokens refreshed')))
  t.equal(fake.count.refresh, 1)
  const [, , rotated] = issued().slice(before)
  t.equal(await status(browser), 200)
  await signOut(browser)
  await areRevoked(t, [second, rotated])
  t.not(first, rotated)
})

t.test('a session keeps 24 refresh tokens and revokes the oldest beyond that', async (t) => {
  const before = issued().length
  const browser = new Browser(portal.url)
  const sid = random()
  const tabs = await tabsOf(browser, KEPT_MAX, 'u-many', sid)
  // A browser keeps at most this number of attempts; another client can keep more.
  const otherClient = new Browser(portal.url)
  tabs.push(...(await tabsOf(otherClient, 2, 'u-many', sid)))
  browser.jar.take(otherClient.jar)
  for (const tab of tabs.splice(0, KEPT_MAX + 1)) t.equal(await tab.finish(browser), '/')
  t.strictSame(revoked(), [], 'revokes nothing at the limit')
  await tabs[0]?.finish(browser)
  const [own, oldest, ...others] = issued().slice(before)
  await areRevoked(t, [oldest], 'just past the limit')
  await signOut(browser)
  await areRevoked(t, [own, oldest, ...others], 'after the sign-out')
})

t.test(
  'a new session keeps the earlier tokens of the same person, and revokes those of another person',
  async (t) => {
    const before = issued().length
    const browser = new Browser(portal.url)
    const sid = random()
    const [first, early, second] = await tabsOf(browser, 3, 'u-replaced', sid)
    const stranger = await beginIn(browser, 'u-other', random())
    await first?.finish()
    const session = await sessionOf(browser)
    time.now += 59_999
    t.equal(await early?.finish(), '/')
    t.equal(await sessionOf(browser), session, 'the same session within a minute')
    time.now += 1
    t.equal(await second?.finish(), '/')
    t.not(await sessionOf(browser), session, 'a new session later')
    t.strictSame(revoked(), [])
    const ofBoth = issued().slice(before)
    t.equal(await stranger.finish(), '/')
    await areRevoked(t, ofBoth)
    t.equal(await status(browser), 200)
  }
)

t.test('a new session at the authority keeps the earlier tokens of the same person', async (t) => {
  const before = issued().length
  const browser = new Browser(portal.url)
  const [first] = await tabsOf(browser, 1, 'u-again')
  const [second] = await tabsOf(browser, 1, 'u-again')
  await first?.finish()
  const session = await sessionOf(browser)
  t.equal(await second?.finish(), '/')
  t.not(await sessionOf(browser), session)
  t.strictSame(revoked(), [])
  await signOut(browser)
  await areRevoked(t, issued().slice(before))
})

t.test('ending other sessions keeps the tokens of the current session at the authority', async (t) => {
  const [desk, sid] = [new Browser(portal.url), random()]
  await (await beginIn(desk, 'u-others', sid)).finish()
  for (const at of [sid, random()]) {
    const other = new Browser(portal.url)
    await (await beginIn(other, 'u-others', at)).finish()
    t.equal(await status(other), 200)
    t.equal((await desk.call('/auth/sessions', { method: 'DELETE' })).status, 204)
  }
  await areRevoked(t, issued().slice(-1))
})

t.test('revokes the tokens of a sign-in that cannot finish', async (t) => {
  for (const code of [403, 500]) {
    fake.reset()
    const before = issued().length
    fake.changes = { instead: { api: (_, response) => json(response, code, {}) } }
    const [tab] = await tabsOf(new Browser(portal.url), 1, 'u-refused')
    t.not(await tab?.finish(), '/')
    await areRevoked(t, issued().slice(before), `${code}`)
  }
})

const ENDS: [name: string, end: (browser: Browser, subject: string, sid: string) => Promise<unknown>][] = [
  ['the authority ends all sessions of the person', (_browser, sub) => logOut({ sub })],
  ['the authority ends its session', (_browser, _sub, sid) => logOut({ sid })],
  ['the person signs out everywhere', (browser) => signOut(browser, '/everywhere')]
]
for (const [index, [name, end]] of ENDS.entries()) {
  const subject = `u-raced-${index}`

  t.test(`a sign-in expires if ${name} while it reads the user`, async (t) => {
    const elsewhere = new Browser(portal.url)
    await (await beginIn(elsewhere, subject, random())).finish()
    const before = issued().length
    const browser = new Browser(portal.url)
    const sid = random()
    const tab = await beginIn(browser, subject, sid)
    time.now += 1000
    let ended: Promise<unknown> | null = null
    const { promise: isReading, resolve: reads } = Promise.withResolvers<void>()
    fake.changes = {
      instead: {
        async api(_request, response) {
          ended ??= end(elsewhere, subject, sid)
          reads()
          await ended
          fake.changes = {}
          json(response, 200, { id: subject, fullName: 'Somebody', roleAssignments: [] })
        }
      }
    }
    const finishing = tab.finish()
    await isReading
    t.equal(await finishing, EXPIRED)
    t.equal(await status(browser), 401)
    const refresh = issued().slice(before)
    t.equal(refresh.length, 1)
    await eventually(() => refresh.every((token) => revoked().includes(token)))
  })

  t.test(`a sign-in expires if ${name} just after it was stored`, async (t) => {
    const elsewhere = new Browser(portal.url)
    await (await beginIn(elsewhere, subject, random())).finish()
    const browser = new Browser(portal.url)
    const sid = random()
    const tab = await beginIn(browser, subject, sid)
    time.now += 1000
    onceStored = () => end(elsewhere, subject, sid)
    t.equal(await tab.finish(), EXPIRED)
    t.equal(await status(browser), 401)
  })
}

t.test('a sign-in fails if the store cannot report whether its person has signed out', async (t) => {
  const browser = new Browser(portal.url)
  const subject = random()
  const tab = await beginIn(browser, subject, random())
  recallFails = true
  t.equal(await tab.finish(), '/signin-failed?reason=unavailable')
  recallFails = false
  t.match(await (await browser.call('/auth/session')).json(), { authenticated: false })
  t.equal(await sessionOf(browser), '')
})

t.test('an expired older sign-in does not end the session of a newer one', async (t) => {
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
