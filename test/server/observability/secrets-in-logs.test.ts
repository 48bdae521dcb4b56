// Signing in and out, calls that pass and fail, refreshes and services, logged at level trace: no line has a secret.
import t from 'tap'
import { Browser, startPortal } from '#test/support/portal.ts'
import { callWith, json, signInWith, startFakeAuthority } from '../../support/fake-authority.ts'

const ME = '/api/v2/management/myUser'
const ROLES = '/api/v2/management/roles'
const PROJECT = '/api/v2/management/projects'
/** Put into bodies, queries, headers and fields. */
const MARK = 'kept-to-oneself-7f3a'

const fake = await startFakeAuthority(t)
const time = { now: Date.now() }
const secrets = ['the-first-secret-of-the-gateway-0123456789', 'the-second-secret-of-the-gateway-0123456789']
const portal = await startPortal(t, { env: fake.env, clock: () => time.now, secrets })
const seen = new Set<string>(secrets)

/** Notes every value of a form or query that is longer than a word. */
function note(values: URLSearchParams | Headers): void {
  for (const value of values.values()) if (value.length >= 16) seen.add(value)
}

async function visit(cookie: string, path: string, init: RequestInit = {}): Promise<number> {
  const answer = await callWith(cookie, portal.url, path, init)
  for (const line of answer.headers.getSetCookie()) note(new URLSearchParams(line.split(';')[0]))
  await answer.text()
  return answer.status
}

t.test('sign-ins that succeed and fail', async () => {
  const browser = new Browser(portal.url)
  const begun = await browser.call('/auth/login?returnTo=/customers')
  note(new URL(begun.headers.get('location') ?? '').searchParams)
  for (const line of begun.headers.getSetCookie()) note(new URLSearchParams(line.split(';')[0]))
  const query = fake.authorize(begun.headers.get('location') ?? '')
  note(query)
  await browser.call(`/callback?${query}`)
  await browser.call(`/callback?${query}`)
  const state = 'state-that-nobody-has-given-out-0123'
  await browser.call(`/callback?${new URLSearchParams({ code: `${MARK}-code`, state })}`)
  for (const wrong of [
    { error: 'access_denied', error_description: MARK },
    { code: `${MARK}-code`, iss: 'https://somebody.else' },
    { code: `${MARK}-code` }
  ]) {
    const next = await new Browser(portal.url).jar.fetch(`${portal.url}/auth/login`)
    const asked = new URL(next.headers.get('location') ?? '').searchParams
    const [cookie = ''] = (next.headers.getSetCookie()[0] ?? '').split(';')
    await visit(cookie, `/callback?${new URLSearchParams({ ...wrong, state: asked.get('state') ?? '' })}`)
  }
  for (const [endpoint, status] of [
    ['token', 500],
    ['token', 400],
    ['keys', 500]
  ] as const) {
    fake.lies.instead = {
      [endpoint]: (_request: never, response: never) =>
        json(response, status, { error: 'server_error', MARK, error_uri: MARK })
    }
    await signInWith(fake, portal.url).catch(() => {})
  }
  fake.lies = { idToken: { nonce: MARK } }
  await signInWith(fake, portal.url).catch(() => {})
  fake.lies = {}
})

t.test('calls that pass, are refused and fail', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  note(new URLSearchParams(cookie))
  t.equal(
    await visit(cookie, `${ROLES}?sort=${MARK}`, { headers: { tracestate: MARK, 'x-secret': MARK } }),
    200
  )
  const body = JSON.stringify({ projectName: MARK, customer: MARK, partner: MARK, other: MARK })
  const write = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  for (const [path, init] of [
    [PROJECT, write],
    [PROJECT, { ...write, body: `{"projectName":"${MARK}"` }],
    [`${PROJECT}/1`, { ...write, method: 'PATCH' }],
    [`/api/portal/v1/customers/c-1/projects?token=${MARK}`, {}],
    [`/api/portal/v1/customers/c-1/devices?size=${MARK}`, {}],
    ['/api/nowhere', {}],
    [`/${MARK}%zz?${MARK}`, {}]
  ] as const)
    await visit(cookie, path, init)
  const answers = [
    (_request: never, response: never) => json(response, 500, { errors: [{ code: 'X', message: MARK }] }),
    (_request: never, response: never) => json(response, 403, { message: MARK }),
    (_request: never, response: { end: (text: string) => void }) => response.end(`<${MARK}`),
    (_request: never, response: { socket: { destroy: () => void } }) => response.socket.destroy()
  ]
  for (const api of answers as never[]) {
    fake.lies.instead = { api }
    await visit(cookie, ME)
    await visit(cookie, '/api/portal/v1/bootstrap')
  }
  fake.lies = {}
  const gone = new AbortController()
  setTimeout(() => gone.abort(), 20)
  await visit(cookie, ME, { signal: gone.signal }).catch(() => {})
})

t.test('refreshes that succeed and fail, and sessions that end', async (t) => {
  const cookie = await signInWith(fake, portal.url, 'u-2')
  time.now += 280_000
  t.equal(await visit(cookie, ME), 200)
  for (const status of [500, 400]) {
    time.now += 300_000
    fake.lies.instead = {
      token: (_request, response) => json(response, status, { error: 'invalid_grant', refresh_token: MARK })
    }
    await visit(cookie, ME)
  }
  fake.lies = {}
  time.now = Date.now()
  const other = await signInWith(fake, portal.url, 'u-3')
  t.equal(await visit(other, '/auth/logout', { method: 'POST' }), 200)
  const third = await signInWith(fake, portal.url, 'u-4')
  await visit(third, '/auth/logout/everywhere', { method: 'POST' })
  for (const token of [
    fake.logoutToken({ sub: 'u-1' }),
    fake.logoutToken({ sub: 'u-1', nonce: MARK }),
    MARK
  ]) {
    seen.add(token)
    const form = new URLSearchParams({ logout_token: token })
    await fetch(`${portal.url}/auth/backchannel-logout`, { method: 'POST', body: form })
  }
})

t.test('services with good and bad tokens', async () => {
  const good = fake.accessToken()
  const tokens = [good, fake.accessToken({ aud: MARK }), fake.accessToken({}, { signature: 'garbled' }), MARK]
  for (const token of tokens) {
    seen.add(token)
    for (const path of [ME, PROJECT])
      await fetch(portal.url + path, { headers: { authorization: `Bearer ${token}` } }).then((one) =>
        one.text()
      )
  }
})

t.test('no secret of them was logged', async (t) => {
  for (const { form, authorization } of fake.asked) {
    note(form)
    seen.add(Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64').toString())
    seen.add((authorization ?? '').replace('Basic ', ''))
  }
  for (const { bearer } of fake.calls) seen.add(bearer)
  for (const plain of ['portal', 'authorization_code', 'refresh_token', `${portal.url}/callback`, ''])
    seen.delete(plain)
  for (const allowed of ['openid profile email offline_access ncp:read ncp:write', fake.issuer])
    seen.delete(allowed)
  t.ok(seen.size > 40, `${seen.size} secrets were seen`)
  t.ok(portal.logged.length > 40, `${portal.logged.length} lines were logged`)
  const text = portal.logged.join('')
  const told = [...seen].filter((secret) => text.includes(secret))
  t.strictSame(told, [])
  const marked = portal.logged.filter((line) => line.includes(MARK))
  t.strictSame(marked, [], 'nor what was sent or answered')
  t.notMatch(text, /eyJ[\w-]{6,}\.eyJ/, 'no JWT at all')
})
