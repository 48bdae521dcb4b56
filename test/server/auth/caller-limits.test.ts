// Limits of one caller: every call counts once its caller is known, and calls past a limit cause no upstream call.
import t, { type Test } from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeAuthority } from '../../support/fake-authority.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'
import { cookiesOf } from '../../support/visits.ts'

const CALLS = 20
const LIMIT = 5
const ROLES = '/api/v2/management/roles'
const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`

const fake = await startFakeAuthority(t)
const sandboxed = await startPortal(t)
const { sandbox } = sandboxed

async function statusesOf(call: (number: number) => Promise<Response>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  const answers = await Promise.all(Array.from({ length: CALLS }, (_, number) => call(number)))
  for (const answer of answers) {
    await answer.arrayBuffer()
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (answer.status === 429) t.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  return statuses
}

const byService = (portal: Portal, token: string, path: string, method = 'GET') =>
  fetch(portal.url + path, { method, headers: { authorization: `Bearer ${token}` } })

t.test('refuses calls of a service past its limit without an upstream call', async (t) => {
  const upstream = await startTinyUpstream(t)
  const cases: [
    what: string,
    status: number,
    token: (number: number) => string,
    path: string,
    method?: string
  ][] = [
    [
      'each with a token of its own',
      200,
      (number) => fake.accessToken({ client_id: 'svc', jti: `${number}` }),
      ROLES
    ],
    ['refused for the scope of the token', 403, () => readOnly, `${BACKUPS}/b-1`, 'DELETE'],
    [
      'refused for the roles of the user',
      403,
      () => good,
      '/api/v2/management/organizations/c-elsewhere/projects'
    ]
  ]
  const good = fake.accessToken({ client_id: 'svc' })
  const readOnly = fake.accessToken({ client_id: 'svc', scope: 'ncp:read' })
  for (const [what, status, token, path, method] of cases) {
    const portal = await startPortal(t, {
      env: {
        ...fake.env,
        UPSTREAM_URL: upstream.url,
        BEARER_CALLS_PER_MINUTE: String(LIMIT),
        CALLS_IN_FLIGHT: '1000'
      },
      startedSandbox: sandbox
    })
    upstream.received.length = 0
    upstream.answer = (request, response) => {
      const organization = { id: 'c-elsewhere', orgName: 'Elsewhere', partnerId: '7' }
      const user = {
        id: 'u-9',
        userType: 'PARTNER',
        firstName: 'S',
        lastName: 'V',
        email: 's@v',
        orgId: 'c-1',
        roleAssignments: []
      }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(request.url?.endsWith('/myUser') ? user : organization))
    }
    const statuses = await statusesOf((number) => byService(portal, token(number), path, method))
    t.equal(statuses[429], CALLS - LIMIT, what)
    t.equal(statuses[status], LIMIT, `${what}: ${JSON.stringify(statuses)}`)
    const lookups = upstream.received.filter(({ url }) => url.endsWith('/myUser')).length
    t.ok(lookups <= LIMIT, `${lookups} look-ups`)
    t.ok(upstream.received.length <= 2 * LIMIT, `${upstream.received.length} upstream calls`)
  }
})

t.test('refuses calls of a person past the limit without an upstream call', async (t) => {
  for (const [what, status, path, headers] of [
    ['calls that are fine', 200, ROLES, {}],
    ['refused for the roles', 403, '/api/v1/recover/customers/c-2001/backups', {}],
    ['refused for coming from elsewhere', 403, ROLES, { 'x-portal-csrf': '0' }]
  ] as const) {
    const portal = await startPortal(t, {
      env: { SESSION_CALLS_PER_MINUTE: String(LIMIT), CALLS_IN_FLIGHT: '1000' },
      startedSandbox: sandbox
    })
    const cookie = await cookiesOf(await portal.as('customer.admin'))
    sandbox.calls.length = 0
    const all = { cookie, 'x-portal-csrf': '1', ...headers }
    const statuses = await statusesOf(() => fetch(portal.url + path, { headers: all }))
    t.equal(statuses[429], CALLS - LIMIT, what)
    t.equal(statuses[status], LIMIT, `${what}: ${JSON.stringify(statuses)}`)
    t.ok(sandbox.calls.length <= 2 * LIMIT, `${sandbox.calls.length} upstream calls`)
    const other = await (await portal.as('partner.admin')).call(ROLES)
    t.equal(other.status, 200, 'another person')
  }
})

/** Browsers get a page, because nobody could read a problem in them. */
async function leadsToPage(t: Test, answer: Response): Promise<void> {
  t.equal(answer.status, 303)
  const page = new URL(answer.headers.get('location') ?? '', 'http://portal')
  t.match(page, { pathname: '/signin-failed', search: /^\?reason=busy&wait=\d+&request=[\da-f-]{36}$/ })
  t.equal(page.searchParams.get('wait'), answer.headers.get('retry-after'))
}

t.test('when an address begins too many sign-ins, a page says when to try again', async (t) => {
  const env = { ANONYMOUS_CALLS_PER_MINUTE: '2' }
  const { url } = await startPortal(t, { env, startedSandbox: sandbox })
  const visit = (path: string) => fetch(url + path, { redirect: 'manual' })
  for (const path of ['/auth/login', '/callback']) {
    for (const _ of [1, 2]) t.notMatch((await visit(path)).headers.get('location'), /busy/, path)
    await leadsToPage(t, await visit(path))
  }
  for (const _ of [1, 2]) t.equal((await visit('/auth/session')).status, 200)
  t.equal((await visit('/auth/session')).status, 429, 'scripts get a problem')
})

t.test('calls of /auth count as those of the API do', async (t) => {
  const backend = createMemoryBackend(Date.now)
  t.teardown(() => backend.close())
  const portal = await startPortal(t, {
    env: { SESSION_CALLS_PER_MINUTE: String(LIMIT), CALLS_IN_FLIGHT: '1000' },
    startedSandbox: sandbox,
    backend
  })
  let writes = 0
  const { touch } = backend
  backend.touch = async (...given) => {
    writes += 1
    return touch(...given)
  }
  const renewals = async (username: string, headers = {}) => {
    const cookie = await cookiesOf(await portal.as(username))
    const sent = { cookie, origin: portal.url, 'x-portal-csrf': '1', ...headers }
    return statusesOf(() => fetch(`${portal.url}/auth/session/renew`, { method: 'POST', headers: sent }))
  }
  t.strictSame(await renewals('customer.admin'), { 200: LIMIT, 429: CALLS - LIMIT })
  t.equal(writes, LIMIT)
  t.strictSame(await renewals('customer.user', { 'x-portal-csrf': '0' }), { 403: LIMIT, 429: CALLS - LIMIT })
  const person = await portal.as('customer.admin')
  t.equal((await person.call(ROLES)).status, 429, 'the API takes no more of the same person')
  for (const path of ['/auth/session', '/auth/logout/frames'])
    t.equal((await person.call(path)).status, 429, path)
  for (const path of ['/auth/login', '/callback'])
    await leadsToPage(t, await person.call(path, { redirect: 'manual' }))
  t.equal((await person.call('/auth/logout', { method: 'POST' })).status, 429, 'nor is a sign-out made')
  t.equal((await (await portal.as('partner.admin')).call('/auth/session')).status, 200, 'another person')
  t.equal((await fetch(`${portal.url}/auth/session`)).status, 200, 'nobody')
})

t.test('refuses the 33rd concurrent call before any look-up', async (t) => {
  const upstream = await startTinyUpstream(t)
  const open: (() => void)[] = []
  upstream.answer = (_request, response) => void open.push(() => response.end('{}'))
  const portal = await startPortal(t, {
    // One caller gets a quarter of the connections. The held calls outlive a busy machine.
    env: {
      UPSTREAM_RECOVER_URL: upstream.url,
      UPSTREAM_CONNECTIONS: '128',
      UPSTREAM_TIMEOUT_MS: '120000'
    },
    startedSandbox: sandbox
  })
  const browser = await portal.as('partner.admin')
  t.equal(portal.config.CALLS_IN_FLIGHT, 32)

  const running = Array.from({ length: 32 }, () => browser.call(BACKUPS))
  await eventually(() => open.length === 32)
  sandbox.calls.length = 0
  for (const path of [BACKUPS, ROLES, '/api/portal/v1/bootstrap', '/api/v2/management/users/u-1']) {
    const refused = await browser.call(path)
    t.equal(refused.status, 429, path)
    t.equal(refused.headers.get('retry-after'), '1')
    t.match(await refused.json(), { type: 'urn:portal:problem:too_many_calls' })
  }
  t.equal(sandbox.calls.length, 0)
  t.equal((await (await portal.as('customer.admin')).call(ROLES)).status, 200, 'another person')
  for (const answer of open) answer()
  await Promise.all(running)
})
