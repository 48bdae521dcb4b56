// Three replicas while the session secret changes: one knows the old secret, one both, one the new secret only.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { Browser, type Portal, startPortal } from '#test/support/portal.ts'
import { callWith, json, signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { startRedis } from '../../../support/redis-server.ts'

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

const before = await portalUnder(old)
const between = await portalUnder(newest, old)
const after = await portalUnder(newest)

/** Access tokens that the API refuses. */
const expired = new Set<string>()
const seen = new Set<string>()
fake.lies.instead = {
  api(request, response) {
    const bearer = request.headers.authorization ?? ''
    if (expired.has(bearer)) return json(response, 401, {})
    seen.add(bearer)
    const { sub } = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString())
    json(response, 200, { id: sub, fullName: 'Somebody', userType: 'PARTNER', roleAssignments: [] })
  }
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

t.test('a cookie of an unknown secret is nobody’s', async (t) => {
  const cookie = await signInWith(fake, (await portalUnder(oldest)).url, 'u-oldest')
  for (const portal of [before, between, after]) {
    t.equal(await status(cookie, portal), 401)
    const state = await (await callWith(cookie, portal.url, '/auth/session')).json()
    t.strictSame(state, { authenticated: false, expires_in: 0, expired: true })
    t.equal(await status(cookie, portal, '/auth/session/renew', 'POST'), 401)
    t.equal(await status(cookie, portal, '/auth/logout', 'POST'), 200)
    t.equal(await status(cookie, portal, '/auth/login'), 302)
  }
})

t.test('sessions work under a new secret while the old one is known', async (t) => {
  const cookies = await Promise.all([0, 1, 2, 3].map((index) => signInWith(fake, before.url, `u-${index}`)))
  for (const cookie of cookies) {
    t.equal(await status(cookie, between), 200)
    t.equal(await status(cookie, between, '/auth/session/renew', 'POST'), 200)
    t.equal(await status(cookie, before), 200, 'and at a replica without the new secret')
  }
  t.equal(await status(cookies[0] ?? '', between, '/auth/logout', 'POST'), 200)
  t.equal(await status(cookies[0] ?? '', before), 401, 'a sign-out holds everywhere')
  expireAll()
  t.equal(await status(cookies[1] ?? '', between), 200, 'tokens are refreshed')
  t.equal(await status(cookies[1] ?? '', between), 200)
})

t.test('nobody is signed out while calls move to the replica with the new secret', async (t) => {
  const cookies = await Promise.all(
    [0, 1, 2, 3].map((index) => signInWith(fake, before.url, `u-load-${index}`))
  )
  const statuses = new Set<number>()
  const calls = Array.from({ length: 80 }, (_, index) => index).values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const index of calls) {
        if (index === 40) expireAll()
        statuses.add(await status(cookies[index % 4] ?? '', index < 30 ? before : between))
      }
    })
  )
  t.strictSame([...statuses], [200])
})

t.test('a sign-in that began under the old secret finishes under the new one', async (t) => {
  const browser = new Browser(before.url)
  const begun = await browser.call('/auth/login?returnTo=/customers/9')
  const query = fake.authorize(begun.headers.get('location') ?? '', 'u-attempt')
  // The redirect URI is that of the first replica; this authority does not compare it.
  const finished = await new Browser(between.url, browser.jar).call(`/callback?${query}`)
  t.equal(finished.headers.get('location'), '/customers/9')
  const again = await new Browser(after.url, browser.jar).call(`/callback?${query}`)
  t.equal(again.headers.get('location'), '/signin-failed?reason=expired')
})

t.test('the authority can end sessions of the old secret', async (t) => {
  const [bySubject, bySid, other] = await Promise.all([
    signInWith(fake, before.url, 'u-ended'),
    signInWith(fake, before.url, 'u-sid', 'sid-ended'),
    signInWith(fake, between.url, 'u-ended')
  ])
  t.equal((await logOut(between, { sub: 'u-ended' })).status, 200)
  t.equal((await logOut(between, { sid: 'sid-ended' })).status, 200)
  for (const cookie of [bySubject, bySid, other]) t.equal(await status(cookie, between), 401)
})

t.test('without the old secret its sessions are over, and others work', async (t) => {
  const cookie = await signInWith(fake, before.url, 'u-dropped')
  const kept = await signInWith(fake, between.url, 'u-kept')
  t.equal(await status(cookie, after), 401)
  t.equal(await status(kept, after), 200, 'a session of the new secret')
  const state = await (await callWith(cookie, after.url, '/auth/session')).json()
  t.match(state, { authenticated: false })
  const browser = new Browser(after.url)
  const query = fake.authorize((await browser.call('/auth/login')).headers.get('location') ?? '', 'u-dropped')
  t.equal((await browser.call(`/callback?${query}`)).headers.get('location'), '/', 'sign-in works')
  t.notMatch([before, between, after].flatMap(({ logged }) => logged).join('\n'), /"level":"(?:error|fatal)"/)
})
