// Logout tokens: an invalid token ends no session, a valid token ends exactly the named sessions, on every replica.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { startPortal } from '#test/support/portal.ts'
import { callWith, json, signInWith, startFakeAuthority } from '../../support/fake-authority.ts'
import { CLIENT, type Json, random, seconds } from '../../support/fake-tokens.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'

const ME = '/api/v2/management/myUser'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const fake = await startFakeAuthority(t)
const redis = await startRedis(t)
const secrets = [randomBytes(32).toString('base64')]
const time = { ahead: 0 }
const clock = () => Date.now() + time.ahead
// Users stay cached during the tests, so no call reads a user again.
const env = { ...fake.env, ROLES_MAX_AGE_SECONDS: '900' }
const metrics = createMetrics()
const { recorder } = metrics
const first = await startPortal(t, { env, backend: redis.untimedBackend(), secrets, clock, recorder })
const options = { env, secrets, clock, startedSandbox: first.sandbox }
const second = await startPortal(t, { ...options, backend: redis.untimedBackend() })
const replicas = [first.url, second.url]
const foreignKey = fake.newKey()

function post(url: string, body: string | URLSearchParams, headers: Record<string, string> = {}) {
  return fetch(`${url}/auth/backchannel-logout`, {
    method: 'POST',
    body: typeof body === 'string' ? body : body.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })
}
/** Returns a valid token of exactly this length. Base64 cannot have every length, so the header is padded too. */
function tokenOf(characters: number, claims: Json): string {
  const gap = characters - fake.logoutToken({ ...claims, padding: '' }, { header: { x: '' } }).length
  for (const x of ['', 'x', 'xx', 'xxx'])
    for (const cut of [0, 1, 2, 3, 4]) {
      const padding = 'x'.repeat(Math.floor(gap * 0.75) - cut)
      const token = fake.logoutToken({ ...claims, padding }, { header: { x } })
      if (token.length === characters) return token
    }
  throw new Error(`no token has ${characters} characters`)
}
const send = (token: string, url = first.url) => post(url, new URLSearchParams({ logout_token: token }))

async function statuses(cookie: string, urls = replicas): Promise<number[]> {
  return Promise.all(
    urls.map(async (url) => {
      const answer = await callWith(cookie, url, ME)
      await answer.text()
      return answer.status
    })
  )
}

const ACTIVE = [200, 200]
const ENDED = [401, 401]

t.test('refuses an invalid logout token and ends no session', async (t) => {
  const sid = random()
  const subject = 'u-steady'
  const cookie = await signInWith(fake, first.url, subject, sid)
  const claims = { sid, sub: subject }
  const basic = { iss: fake.issuer, aud: CLIENT.id, iat: seconds(), exp: seconds() + 300, jti: random() }
  const idToken = { ...basic, ...claims, nonce: random(), events: { [EVENT]: {} } }
  const token = (changes: Json = {}, forgery = {}) => fake.logoutToken({ ...claims, ...changes }, forgery)
  const jwk = foreignKey.publicKey.export({ format: 'jwk' })
  const invalidTokens: Record<string, string> = {
    'an empty string': '',
    'not a JWT': 'hello',
    'a JWT with changed claims': token().replace(/\.[^.]+\./, `.${token().split('.')[1]}.`),
    'more than 16 KiB': tokenOf(16 * 1024 + 1, claims),
    'a garbled signature': token({}, { signature: 'garbled' }),
    'alg none': token({}, { signature: 'none', header: { alg: 'none' } }),
    'HS256 with the public key': token({}, { signature: 'public-key', header: { alg: 'HS256' } }),
    'a foreign key': token({}, { key: foreignKey }),
    'a foreign key under our key id': token({}, { key: { ...foreignKey, kid: fake.keys[0]?.kid } }),
    'a key in its header': token({}, { key: foreignKey, header: { jwk } }),
    'an unknown critical extension': token({}, { header: { crit: ['x'], x: 1 } }),
    'another issuer': token({ iss: 'https://elsewhere.example.com' }),
    'another client': token({ aud: 'another-client' }),
    'other clients': token({ aud: ['another-client', 'portal-2'] }),
    'no audience': token({ aud: undefined }),
    'no iat': token({ iat: undefined }),
    'a token issued over ten minutes ago': token({ iat: seconds() - 601, exp: seconds() + 600 }),
    'a token issued an hour ahead': token({ iat: seconds() + 3600, exp: seconds() + 7200 }),
    'an expired token': token({ exp: seconds() - 601 }),
    'an old token without an expiry': token({ exp: undefined, iat: seconds() - 601 }),
    'a token that is not valid yet': token({ nbf: seconds() + 660 }),
    'no id': token({ jti: undefined }),
    'an empty id': token({ jti: '' }),
    'no event': token({ events: undefined }),
    'another event': token({ events: { 'http://schemas.openid.net/event/other': {} } }),
    'an event in a list': token({ events: [EVENT] }),
    'null for events': token({ events: null }),
    'an event that is a string': token({ events: { [EVENT]: 'yes' } }),
    'an event that is a list': token({ events: { [EVENT]: [] } }),
    'a nonce': token({ nonce: random() }),
    'neither sid nor sub': token({ sid: undefined, sub: undefined }),
    'an empty sid': token({ sid: '' }),
    'a sid that is a number': token({ sid: 7, sub: undefined }),
    'a sid that is a list': token({ sid: [sid] }),
    'an empty sub alone': token({ sid: undefined, sub: '' }),
    'a sub that is an object': token({ sub: { id: subject } }),
    'the type of an access token': token({}, { header: { typ: 'at+jwt' } }),
    'an ID token with the event': fake.token(idToken),
    'an access token': fake.accessToken({ sub: subject, sid })
  }
  // Lets an unknown key cause a fetch at once.
  time.ahead = 5_000
  for (const [name, logoutToken] of Object.entries(invalidTokens)) {
    const answer = await send(logoutToken)
    const text = await answer.text()
    t.equal(answer.status, 400, name)
    t.match(answer.headers.get('content-type'), 'application/problem+json')
    t.match(answer.headers.get('cache-control'), 'no-store')
    t.notMatch(text, /jose|JW[ST]|signature verification|stack|\.ts/)
  }
  t.strictSame(await statuses(cookie), ACTIVE)
  const figures = await metrics.render()
  const refused = (reason: string) =>
    Number(
      new RegExp(`^gateway_logout_tokens_refused_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(
        figures
      )?.[1]
    )
  t.strictSame(['form', 'time', 'used'].map(refused), [1, 6, 0], 'counts refused tokens by reason')
  t.equal(refused('signature') + refused('claims') + 7, Object.keys(invalidTokens).length)
  t.ok(refused('signature') > 5 && refused('claims') > 5)

  const [url, oneToken] = [`${first.url}/auth/backchannel-logout`, token()]
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const twoTokens = `logout_token=${oneToken}&logout_token=${oneToken}`
  const requests: [name: string, status: number, request: Promise<Response>][] = [
    ['two tokens', 400, post(first.url, `logout_token=${token()}&logout_token=${token()}`)],
    ['one token twice', 400, post(first.url, twoTokens)],
    ['another field', 400, post(first.url, `token=${token()}`)],
    ['a token in the query', 400, fetch(`${url}?logout_token=${token()}`, { method: 'POST', headers: form })],
    ['no body', 400, fetch(url, { method: 'POST' })],
    ['a JSON body', 415, post(first.url, JSON.stringify({ logout_token: token() }), json)],
    ['a text body', 415, post(first.url, `logout_token=${token()}`, { 'content-type': 'text/plain' })],
    ['a GET', 404, fetch(`${url}?logout_token=${token()}`)],
    ['a PUT', 404, fetch(url, { method: 'PUT', body: `logout_token=${token()}` })],
    ['a huge form', 413, post(first.url, `logout_token=${'x'.repeat(2_000_000)}`)]
  ]
  for (const [name, status, request] of requests) t.equal((await request).status, status, name)
  t.strictSame(await statuses(cookie), ACTIVE)
})

t.test('ends the session that a token names, on every replica', async (t) => {
  const [sid, otherSid] = [random(), random()]
  const cookie = await signInWith(fake, first.url, 'u-2', sid)
  const otherCookie = await signInWith(fake, second.url, 'u-2', otherSid)
  const strangerCookie = await signInWith(fake, first.url, 'u-3', random())
  const answer = await send(fake.logoutToken({ sid }))
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.equal(await answer.text(), '')
  t.strictSame(await statuses(cookie), ENDED)
  t.strictSame(await statuses(otherCookie), ACTIVE, 'keeps another session of the same person')
  t.strictSame(await statuses(strangerCookie), ACTIVE)
  t.equal((await send(fake.logoutToken({ sid: otherSid, sub: 'u-2' }), second.url)).status, 200)
  t.strictSame(await statuses(otherCookie), ENDED, 'ends a session that the token names with its person')
  t.equal((await send(fake.logoutToken({ sid: random() }))).status, 200, 'accepts an unknown session')
  t.strictSame(await statuses(strangerCookie), ACTIVE)
})

t.test('ends all sessions of the person that a token names, but no sessions of other people', async (t) => {
  const cookies = await Promise.all(
    [0, 1, 2, 3].map((index) => signInWith(fake, replicas[index % 2] ?? '', 'u-5', random()))
  )
  const names = ['u-50', 'u-', 'U-5', 'u-5 ']
  const otherCookies = await Promise.all(names.map((sub) => signInWith(fake, first.url, sub)))
  t.equal((await send(fake.logoutToken({ sub: 'u-5' }), second.url)).status, 200)
  for (const cookie of cookies) t.strictSame(await statuses(cookie), ENDED)
  for (const cookie of otherCookies) t.strictSame(await statuses(cookie), ACTIVE)
})

t.test('accepts every form of a valid token', async (t) => {
  const forms: Record<string, (sid: string) => string> = {
    'the type JWT': (sid) => fake.logoutToken({ sid }, { header: { typ: 'JWT' } }),
    'no type': (sid) => fake.logoutToken({ sid }, { header: { typ: undefined } }),
    'the type in full': (sid) => fake.logoutToken({ sid }, { header: { typ: 'application/logout+jwt' } }),
    'the type in capitals': (sid) => fake.logoutToken({ sid }, { header: { typ: 'LOGOUT+JWT' } }),
    'a list of audiences': (sid) => fake.logoutToken({ sid, aud: ['other', CLIENT.id] }),
    'a clock nine minutes behind': (sid) => fake.logoutToken({ sid, iat: seconds() - 540 }),
    'a clock nine minutes ahead': (sid) =>
      fake.logoutToken({ sid, iat: seconds() + 540, exp: seconds() + 660 }),
    'an expiry nine minutes ago': (sid) => fake.logoutToken({ sid, exp: seconds() - 540 }),
    '16 KiB': (sid) => tokenOf(16 * 1024, { sid }),
    'no expiry': (sid) => fake.logoutToken({ sid, exp: undefined }),
    'more events': (sid) => fake.logoutToken({ sid, events: { [EVENT]: { more: 1 }, other: {} } })
  }
  for (const [name, createToken] of Object.entries(forms)) {
    const sid = random()
    const cookie = await signInWith(fake, first.url, 'u-6', sid)
    t.equal((await send(createToken(sid))).status, 200, name)
    t.strictSame(await statuses(cookie), ENDED)
  }
})

t.test('accepts each token only once across all replicas', async (t) => {
  const token = fake.logoutToken({ sub: 'u-7' })
  t.equal((await send(token)).status, 200)
  const cookie = await signInWith(fake, first.url, 'u-7')
  t.equal((await send(token)).status, 400)
  t.equal((await send(token, second.url)).status, 400)
  t.strictSame(await statuses(cookie), ACTIVE)
  time.ahead = 599_000
  t.equal((await send(token)).status, 400, 'just before the token expires')
  t.strictSame(await statuses(cookie), ACTIVE)
  time.ahead = 0
})

t.test('answers 503 while the keys or the store fail, and accepts the token afterwards', async (t) => {
  const memory = createMemoryBackend(Date.now)
  t.teardown(() => memory.close())
  const trouble = { store: false }
  const backend: SessionBackend = {
    ...memory,
    async keysOf(index, count) {
      if (trouble.store) throw new Error('the store fails')
      return memory.keysOf(index, count)
    }
  }
  let aheadMs = 0
  const clock = () => Date.now() + aheadMs
  const portal = await startPortal(t, { env: fake.env, backend, clock, startedSandbox: first.sandbox })
  const key = fake.newKey()
  const kinds = {
    'unavailable keys': (begins: boolean) => {
      // The sign-in has already fetched the other keys.
      if (begins) fake.keys.push(key)
      if (begins) aheadMs += 60_000
      fake.changes = begins ? { instead: { keys: (_request, response) => json(response, 500, {}) } } : {}
    },
    'a failing store': (begins: boolean) => {
      trouble.store = begins
    }
  }
  for (const [name, setTrouble] of Object.entries(kinds)) {
    const sid = random()
    const cookie = await signInWith(fake, portal.url, 'u-trouble', sid)
    setTrouble(true)
    const token = fake.logoutToken({ sid, iat: Math.floor(clock() / 1000) }, { key })
    const answer = await send(token, portal.url)
    t.equal(answer.status, 503, name)
    t.ok(answer.headers.get('retry-after'))
    setTrouble(false)
    await eventually(async () => (await send(token, portal.url)).status === 200, 5000)
    t.strictSame(await statuses(cookie, [portal.url]), [401])
  }
  fake.keys.pop()
})
