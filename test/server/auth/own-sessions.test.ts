// The list of a person's sessions, and how another browser ends a session, on every replica.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { browserOf, networkOf } from '#server/auth/sessions/browser.ts'
import type { OwnSession, OwnSessions, SessionState } from '#shared/answers/session.ts'
import { Browser, startPortal, upToCallback } from '#test/support/portal.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { sessionOf } from '../../support/visits.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const BOOTSTRAP = '/api/portal/v1/bootstrap'

const time = { ahead: 0 }
const clock = () => Date.now() + time.ahead
const secrets = [randomBytes(32).toString('base64')]
const portal = await startPortal(t, { clock, secrets })
const { sandbox, backend } = portal
const replica = await startPortal(t, { clock, secrets, backend, startedSandbox: sandbox })

async function visitAs(username: string, userAgent: string, url = portal.url): Promise<Browser> {
  const browser = new Browser(url)
  const callback = await upToCallback(browser, sandbox, username, '/')
  await browser.jar.fetch(callback, { headers: { 'user-agent': userAgent } })
  return browser
}
const sessionsOf = async (browser: Browser) => (await browser.json<OwnSessions>('/auth/sessions')).sessions
const end = (browser: Browser, id = '', headers = {}) =>
  browser.call(`/auth/sessions${id && `/${id}`}`, { method: 'DELETE', headers })
const otherSession = async (browser: Browser): Promise<OwnSession> => {
  const session = (await sessionsOf(browser)).find(({ current }) => !current)
  if (!session) throw new Error('there is no other session')
  return session
}
const atReplica = (browser: Browser) => new Browser(replica.url, browser.jar)
const endReasonOf = async (browser: Browser) => (await browser.json<SessionState>('/auth/session')).ended

t.test('refuses callers without a session, and calls from other sites', async (t) => {
  const [visitor, person] = [new Browser(portal.url), await visitAs('partner.user', FIREFOX)]
  const { id } = (await sessionsOf(person))[0] as OwnSession
  t.equal((await visitor.call('/auth/sessions')).status, 401)
  for (const sessionId of ['', id]) {
    t.equal((await end(visitor, sessionId)).status, 401)
    t.equal((await end(person, sessionId, { origin: 'https://evil.example' })).status, 403)
  }
  t.equal((await sessionsOf(person)).length, 1)
})

t.test('refuses to end a session of somebody else', async (t) => {
  const person = await visitAs('partner.user', FIREFOX)
  const somebody = await visitAs('customer.admin', FIREFOX)
  const { id } = (await sessionsOf(somebody))[0] as OwnSession
  for (const sessionId of [id, 'x', '%20', 'a'.repeat(43)]) {
    const answer = await end(person, sessionId)
    t.equal(answer.status, 404, sessionId)
    t.match(answer.headers.get('content-type'), 'application/problem+json')
  }
  t.equal((await somebody.call(BOOTSTRAP)).status, 200)
})

t.test('lists the browser, sign-in time and last use of each session', async (t) => {
  const signInTime = clock()
  const phone = await visitAs('customer.user', SAFARI)
  time.ahead += 120_000
  const desk = await visitAs('customer.user', FIREFOX)
  const [first, second, ...rest] = await sessionsOf(desk)
  t.match(first, { browser: 'Firefox', system: 'Windows', network: /\*$/, current: true })
  t.match(second, { browser: 'Safari', system: 'iOS', current: false })
  t.strictSame(rest, [])
  t.ok(Math.abs(Date.parse(second?.since ?? '') - signInTime) < 60_000)
  t.equal(second?.lastUsed, second?.since)
  await phone.call(BOOTSTRAP)
  await eventually(async () => (await otherSession(desk)).lastUsed > (second?.since ?? ''))
  const cookies = `${await sessionOf(desk)} ${await sessionOf(phone)}`
  for (const { id } of await sessionsOf(desk)) t.notOk(cookies.includes(id), 'cookies do not contain the ids')
})

t.test('ends another session on every replica, and reports the reason to its browser', async (t) => {
  const [desk, phone] = [await visitAs('partner.admin', FIREFOX), await visitAs('partner.admin', SAFARI)]
  for (const browser of [phone, atReplica(phone)]) t.equal((await browser.call(BOOTSTRAP)).status, 200)
  const { id } = await otherSession(desk)
  const revokedBefore = sandbox.grants.revoked
  t.equal((await end(desk, id)).status, 204)
  for (const browser of [phone, atReplica(phone)]) {
    t.equal((await browser.call(BOOTSTRAP)).status, 401)
    t.equal(await endReasonOf(browser), 'person')
  }
  t.equal((await end(desk, id)).status, 404)
  t.match(await sessionsOf(desk), [{ current: true }])
  t.equal((await sessionsOf(desk)).length, 1)
  await eventually(() => sandbox.grants.revoked > revokedBefore)
  t.equal((await desk.call(BOOTSTRAP)).status, 200)
  const auditEntry = portal.logged.map((line) => JSON.parse(line)).findLast(({ audit }) => audit)
  t.match(auditEntry, { event: 'sign-out', target: { sessions: 1 }, outcome: 'ended from another browser' })
})

t.test('ends all other sessions at once', async (t) => {
  const [desk, phone, tablet] = await Promise.all(
    [FIREFOX, SAFARI, SAFARI].map((userAgent) => visitAs('customer.admin', userAgent))
  )
  if (!desk || !phone || !tablet) throw new Error('three browsers must sign in')
  t.equal((await end(desk)).status, 204)
  for (const browser of [phone, tablet]) t.equal((await atReplica(browser).call(BOOTSTRAP)).status, 401)
  t.equal((await sessionsOf(desk)).length, 1)
})

t.test('revokes a session that another replica used, with the next call of its browser', async (t) => {
  const redis = await startRedis(t)
  const startReplica = () =>
    startPortal(t, { clock, secrets, startedSandbox: sandbox, backend: redis.untimedBackend() })
  const [first, second] = [await startReplica(), await startReplica()]
  const phone = await visitAs('partner.admin', SAFARI, first.url)
  t.equal((await phone.call(BOOTSTRAP)).status, 200)
  const desk = await visitAs('partner.admin', FIREFOX, second.url)
  const revokedBefore = sandbox.grants.revoked
  t.equal((await end(desk, (await otherSession(desk)).id)).status, 204)
  const records = await redis.client.keys('portal:*:ended')
  t.equal(records.length, 1)
  const ttlMs = await redis.client.pttl(records[0] ?? '')
  t.ok(ttlMs > 0 && ttlMs <= second.config.SESSION_IDLE_SECONDS * 1000, 'for the idle time at most')
  t.equal(sandbox.grants.revoked, revokedBefore)
  t.equal(await endReasonOf(new Browser(second.url, phone.jar)), 'person')
  await eventually(() => sandbox.grants.revoked > revokedBefore)
  t.strictSame(await redis.client.keys('portal:*:ended'), [])
  t.equal((await desk.call(BOOTSTRAP)).status, 200)
})

t.test('ending the current session signs out', async (t) => {
  const desk = await visitAs('partner.user', FIREFOX)
  const { id } = (await sessionsOf(desk))[0] as OwnSession
  const answer = await end(desk, id)
  t.equal(answer.status, 204)
  t.match(answer.headers.getSetCookie().at(-1), /^portal=; Max-Age=0;/)
  t.equal((await desk.call(BOOTSTRAP)).status, 401)
})

t.test('a sign-in past the limit ends only the oldest session of this person', async (t) => {
  const redis = await startRedis(t)
  const limitedPortal = await startPortal(t, {
    ...{ clock, secrets, backend: redis.untimedBackend(), startedSandbox: sandbox },
    env: { SESSIONS_PER_PERSON: '2' }
  })
  const colleague = await visitAs('customer.admin', FIREFOX, limitedPortal.url)
  const browsers: Browser[] = []
  for (const userAgent of [FIREFOX, SAFARI, FIREFOX]) {
    browsers.push(await visitAs('customer.user', userAgent, limitedPortal.url))
    time.ahead += 1_000
  }
  const [first, second, third] = browsers as [Browser, Browser, Browser]
  t.equal((await first.call(BOOTSTRAP)).status, 401)
  t.equal(await endReasonOf(first), 'newer')
  for (const browser of [second, third, colleague]) t.equal((await browser.call(BOOTSTRAP)).status, 200)
})

t.test('distinguishes two browsers of one kind by the network of their address', async (t) => {
  const proxied = await startPortal(t, {
    clock,
    secrets,
    startedSandbox: sandbox,
    env: { TRUST_PROXY: 'loopback' }
  })
  const visitFrom = async (address: string) => {
    const browser = new Browser(proxied.url)
    const callback = await upToCallback(browser, sandbox, 'customer.user', '/')
    await browser.jar.fetch(callback, { headers: { 'x-forwarded-for': `198.51.100.1, ${address}` } })
    return browser
  }
  await visitFrom('203.0.113.77')
  await visitFrom('2001:db8:1:2::77')
  const last = await visitFrom('unknown')
  const networks = (await sessionsOf(last)).map(({ network }) => network)
  t.strictSame(networks.toSorted(), ['2001:db8:1:*', '203.0.113.*', null].toSorted())
  const direct = await visitAs('niagara.remote', FIREFOX)
  t.match((await sessionsOf(direct))[0], { network: /^(?:127\.0\.0|0:0:0)[.:]\*$/ }, 'does not trust others')
})

t.test('shortens addresses to 24 bits of IPv4 and 48 bits of IPv6', async (t) => {
  const cases: [address: string | undefined, network: string | null][] = [
    ['203.0.113.7', '203.0.113.*'],
    ['::ffff:203.0.113.7', '203.0.113.*'],
    ['2001:0DB8:85a3:8d3::7', '2001:db8:85a3:*'],
    ['2001:db8::7', '2001:db8:0:*'],
    ['fe80::7%eth0', 'fe80:0:0:*'],
    ['1:2:3:4:5:6:7:8', '1:2:3:*'],
    ['::1', '0:0:0:*'],
    ['203.0.113', null],
    ['203.0.113.7:80', null],
    ['unknown', null],
    ['', null],
    [undefined, null]
  ]
  for (const [address, network] of cases) t.equal(networkOf(address), network, String(address))
})

t.test('recognizes browsers by their User-Agent; unknown browsers have no name', async (t) => {
  const edgeUserAgent =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0'
  t.strictSame(browserOf(edgeUserAgent), { browser: 'Microsoft Edge', system: 'macOS' })
  for (const userAgent of [undefined, '', '?', '('.repeat(10_000), '<script>'])
    t.strictSame(browserOf(userAgent), { browser: null, system: null }, String(userAgent).slice(0, 20))
})
