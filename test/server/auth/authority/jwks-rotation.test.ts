// Secrets are changed without anybody noticing, and dropped without anything breaking. What Redis is told, at any time,
// is worth nothing to whoever listens.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { Browser, type Portal, startPortal } from '#test/support/portal.ts'
import { callWith, json, signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { listenTo } from '../../../support/redis-listener.ts'
import { startRedis } from '../../../support/redis-server.ts'
import { sentCookies } from '../../../support/sent-cookies.ts'

const ME = '/api/v2/management/myUser'

const fake = await startFakeAuthority(t)
const redis = await startRedis(t, fake.confided)
const [oldest, old, newest] = [1, 2, 3].map(() => randomBytes(32).toString('base64')) as [
  string,
  string,
  string
]
let sandbox: Portal['sandbox'] | undefined
async function portalUnder(...secrets: string[]): Promise<Portal> {
  const portal = await startPortal(t, {
    env: fake.env,
    backend: redis.patientBackend(),
    secrets,
    ...(sandbox ? { startedSandbox: sandbox } : {})
  })
  sandbox ??= portal.sandbox
  return portal
}

/** Everything that Redis is told from now on. */
const listener = await listenTo(redis.look)
t.teardown(() => listener.stop())

const before = await portalUnder(old)
const between = await portalUnder(newest, old)
const after = await portalUnder(newest)

/** The tokens that the API takes no more. */
const expired = new Set<string>()
const seen = new Set<string>()
fake.lies.instead = {
  api(request, response) {
    const bearer = request.headers.authorization ?? ''
    if (expired.has(bearer)) return json(response, 401, {})
    seen.add(bearer)
    const { sub } = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString())
    json(response, 200, { ...person, id: sub })
  }
}
const person = {
  fullName: 'Unmistakable Name',
  email: 'unmistakable@example.com',
  organizationId: 'unmistakable-organization',
  userType: 'PARTNER',
  roleAssignments: [
    { id: 'ra', scope: '/organizations/unmistakable-organization', roleName: 'partner_admin' }
  ]
}
const expireAll = () => {
  for (const bearer of seen) expired.add(bearer)
}

const status = async (cookie: string, { url }: Portal, path = ME, method = 'GET') => {
  const answer = await callWith(cookie, url, path, { method })
  await answer.arrayBuffer()
  return answer.status
}
const logOut = ({ url }: Portal, claims: object, token = fake.logoutToken({ ...claims })) =>
  fetch(`${url}/auth/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token })
  })

t.test('a cookie of an unknown secret is nobody’s, and breaks nothing', async (t) => {
  const cookie = await signInWith(fake, (await portalUnder(oldest)).url, 'u-oldest')
  for (const portal of [before, between, after]) {
    t.equal(await status(cookie, portal), 401)
    const state = await (await callWith(cookie, portal.url, '/auth/session')).json()
    t.strictSame(state, { authenticated: false, expires_in: 0, expired: true })
    t.equal(await status(cookie, portal, '/auth/session/renew', 'POST'), 401)
    t.equal(await status(cookie, portal, '/auth/logout', 'POST'), 200)
    t.equal(await status(cookie, portal, '/auth/login'), 302)
  }
  const [name, value = ''] = cookie.split('=')
  const [id = ''] = decodeURIComponent(value).split('.')
  for (const forged of [
    id,
    `${id}.`,
    `${id}.${'A'.repeat(43)}`,
    `.${value}`,
    '',
    '%',
    '%00',
    'x'.repeat(4000),
    's:x.y'
  ])
    t.equal(await status(`${name}=${forged}`, between), 401, forged.slice(0, 20))
})

t.test('sessions go on under a new secret while the old one is still known', async (t) => {
  const cookies = await Promise.all([0, 1, 2, 3].map((index) => signInWith(fake, before.url, `u-${index}`)))
  for (const cookie of cookies) {
    t.equal(await status(cookie, between), 200)
    t.equal(await status(cookie, between, '/auth/session/renew', 'POST'), 200)
    t.equal(await status(cookie, before), 200, 'and at a replica that does not know the new one yet')
  }
  t.equal(await status(cookies[0] ?? '', between, '/auth/logout', 'POST'), 200)
  t.equal(await status(cookies[0] ?? '', before), 401, 'a sign-out holds everywhere')
  expireAll()
  t.equal(await status(cookies[1] ?? '', between), 200, 'tokens are refreshed')
  t.equal(await status(cookies[1] ?? '', between), 200)
})

t.test('nobody is signed out while the secrets change under load', async (t) => {
  const cookies = await Promise.all(
    [0, 1, 2, 3].map((index) => signInWith(fake, before.url, `u-load-${index}`))
  )
  const statuses = new Set<number>()
  const calls = Array.from({ length: 400 }, (_, index) => index).values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const index of calls) {
        if (index === 200) expireAll()
        statuses.add(await status(cookies[index % 4] ?? '', index < 150 ? before : between))
      }
    })
  )
  t.strictSame([...statuses], [200])
})

t.test('a sign-in that began under the old secret ends under the new one', async (t) => {
  const browser = new Browser(before.url)
  const begun = await browser.call('/auth/login?returnTo=/customers/9')
  const query = fake.authorize(begun.headers.get('location') ?? '', 'u-attempt')
  // The redirect URI belongs to the first one; the authority here does not compare it.
  const finished = await new Browser(between.url, browser.jar).call(`/callback?${query}`)
  t.equal(finished.headers.get('location'), '/customers/9')
  const again = await new Browser(after.url, browser.jar).call(`/callback?${query}`)
  t.equal(again.headers.get('location'), '/signin-failed?reason=expired')
})

t.test('sessions of the old secret are found when the authority ends them', async (t) => {
  const [bySubject, bySid, other] = await Promise.all([
    signInWith(fake, before.url, 'u-ended'),
    signInWith(fake, before.url, 'u-sid', 'sid-ended'),
    signInWith(fake, between.url, 'u-ended')
  ])
  t.equal((await logOut(between, { sub: 'u-ended' })).status, 200)
  t.equal((await logOut(between, { sid: 'sid-ended' })).status, 200)
  for (const cookie of [bySubject, bySid, other]) t.equal(await status(cookie, between), 401)
})

t.test('once the old secret is gone, its sessions are over, and that is all', async (t) => {
  const cookie = await signInWith(fake, before.url, 'u-dropped')
  const kept = await signInWith(fake, between.url, 'u-kept')
  t.equal(await status(cookie, after), 401)
  t.equal(await status(kept, after), 200, 'those of the new one go on')
  const state = await (await callWith(cookie, after.url, '/auth/session')).json()
  t.match(state, { authenticated: false })
  const browser = new Browser(after.url)
  const query = fake.authorize((await browser.call('/auth/login')).headers.get('location') ?? '', 'u-dropped')
  t.equal((await browser.call(`/callback?${query}`)).headers.get('location'), '/', 'and one signs in again')
  t.notMatch([before, between, after].flatMap(({ logged }) => logged).join('\n'), /"level":"(?:error|fatal)"/)
})

t.test('nothing that Redis was ever told is worth listening to', async (t) => {
  const browser = new Browser(between.url)
  const begun = await browser.call('/auth/login?returnTo=/unmistakable-page')
  const sentTo = new URL(begun.headers.get('location') ?? '').searchParams
  const attempt = (await sentCookies(browser.jar)).find((one) => one.includes('signin')) ?? ''
  const query = fake.authorize(
    begun.headers.get('location') ?? '',
    'unmistakable-subject',
    'unmistakable-sid'
  )
  const finished = await browser.call(`/callback?${query}`)
  t.equal(finished.headers.get('location'), '/unmistakable-page')
  const cookie = (await sentCookies(browser.jar)).find((one) => one.startsWith('portal=')) ?? ''
  expireAll()
  t.equal(await status(cookie, between), 200, 'after a refresh')
  t.equal(await status(cookie, between, '/api/portal/v1/bootstrap'), 200)
  t.equal((await logOut(between, { sub: 'somebody-unmistakable', jti: 'unmistakable-jti' })).status, 200)
  await listener.upToDate()

  const forms = fake.asked.flatMap(({ form }) => [...form])
  const valuesOf = (name: string) => forms.filter(([key]) => key === name).map(([, value]) => value)
  const secrets: Record<string, string[]> = {
    codes: valuesOf('code'),
    verifiers: valuesOf('code_verifier'),
    'refresh tokens': valuesOf('refresh_token'),
    'access tokens': [...seen].map((bearer) => bearer.slice('Bearer '.length)),
    'their claims': [...seen].map((bearer) => bearer.split('.')[1] ?? ''),
    state: [sentTo.get('state') ?? ''],
    nonce: [sentTo.get('nonce') ?? ''],
    'key of the attempt': [attempt.split('=')[1]?.split('.')[1] ?? ''],
    'session id': [decodeURIComponent(cookie.slice('portal='.length)).split('.')[0] ?? ''],
    cookie: [cookie.slice('portal='.length), decodeURIComponent(cookie.slice('portal='.length))],
    person: [person.fullName, person.email, person.organizationId, 'partner_admin'],
    names: [
      'unmistakable-subject',
      'unmistakable-sid',
      'somebody-unmistakable',
      'unmistakable-jti',
      'unmistakable-page'
    ],
    'secrets of the gateway': [old, newest]
  }
  const all = [...listener.told].join('\n')
  t.ok(all.length > 10_000, `${listener.told.size} words, ${all.length} characters`)
  const logs = [before, between, after].flatMap(({ logged }) => logged).join('\n')
  for (const [name, values] of Object.entries(secrets)) {
    t.ok(values.length > 0 && values.every((value) => value.length > 5), `${name} are known here`)
    for (const value of values) {
      const bytes = Buffer.from(value)
      const forms = [
        value,
        encodeURIComponent(value),
        bytes.toString('base64').replace(/=+$/, ''),
        bytes.toString('base64url'),
        bytes.toString('hex')
      ]
      if (forms.some((form) => all.includes(form))) t.fail(`Redis was told of ${name}: ${value}`)
      if (forms.some((form) => logs.includes(form)) && !['names', 'person'].includes(name))
        t.fail(`the log was told of ${name}: ${value}`)
    }
  }
  t.notMatch(all, /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{2,}\./, 'no token of any kind')
  t.notMatch(logs, /eyJ[\w-]{20,}\.[\w-]{20,}/, 'nor is there one in the log')
})
