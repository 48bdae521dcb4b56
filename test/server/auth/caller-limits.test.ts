// Limits per caller: every call of a known caller counts, and calls past the limit cause no upstream calls.
import t, { type Test } from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { serviceToken } from '../../support/service-token.ts'
import { cookiesOf } from '../../support/visits.ts'

const CALLS = 20
const LIMIT = 5
const ROLES = '/api/v2/management/roles'
const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`

const sandbox = await openSandbox(t)

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

const bearer = async (scope: string) => ({ authorization: `Bearer ${await serviceToken(sandbox, scope)}` })
const oneToken = await bearer('ncp:read')
const service = () => bearer('ncp:read')
const sameToken = async () => oneToken
const person = async (portal: Portal) => ({
  cookie: await cookiesOf(await portal.as('customer.admin')),
  'x-portal-csrf': '1'
})
const foreign = `/api/v1/recover/customers/${NOTABLE.otherPartnersCustomer}/backups`

t.test('tells a service its quota with forwarded answers and refusals', async (t) => {
  const portal = await startPortal(t, { env: { OIDC_AUDIENCE: sandbox.audience }, startedSandbox: sandbox })
  const calls: [path: string, status: number, left: RegExp][] = [
    [ROLES, 200, /^"default";r=5999;t=\d+$/],
    [foreign, 403, /^"default";r=5998;t=\d+$/],
    ['/api/portal/v1/me', 200, /^"default";r=5997;t=\d+$/]
  ]
  for (const [path, status, left] of calls) {
    const answer = await fetch(portal.url + path, { headers: oneToken })
    await answer.text()
    t.equal(answer.status, status, path)
    t.equal(answer.headers.get('ratelimit-policy'), '"default";q=6000;w=60', path)
    t.match(answer.headers.get('ratelimit'), left, path)
  }
})

const LIMITED_CALLS: [name: string, status: number, by: (portal: Portal) => Promise<object>, call: string][] =
  [
    ['calls of a service, each with a new token', 200, service, `GET ${ROLES}`],
    ['calls refused because of the scope of the token', 403, sameToken, `DELETE ${BACKUPS}/b-1`],
    ['calls refused because of the roles of the service', 403, sameToken, `GET ${foreign}`],
    ['calls of a person', 200, person, `GET ${ROLES}`],
    ['calls refused because of the roles of the person', 403, person, `GET ${foreign}`],
    [
      'calls refused as cross-site',
      403,
      async (portal) => ({ ...(await person(portal)), 'x-portal-csrf': '0' }),
      `GET ${ROLES}`
    ]
  ]
for (const [name, status, by, call] of LIMITED_CALLS)
  t.test(`limits ${name}, and makes no upstream call past the limit`, async (t) => {
    const env = { BEARER_CALLS_PER_MINUTE: `${LIMIT}`, SESSION_CALLS_PER_MINUTE: `${LIMIT}` }
    const portal = await startPortal(t, {
      env: { ...env, OIDC_AUDIENCE: sandbox.audience, CALLS_IN_FLIGHT: '1000' },
      startedSandbox: sandbox
    })
    const headersOfCalls = await Promise.all(Array.from({ length: CALLS }, () => by(portal)))
    const [method = '', path = ''] = call.split(' ')
    sandbox.calls.length = 0
    const statuses = await statusesOf((number) =>
      fetch(portal.url + path, { method, headers: headersOfCalls[number] as Record<string, string> })
    )
    t.strictSame(statuses, { [status]: LIMIT, 429: CALLS - LIMIT })
    t.ok(sandbox.calls.length <= 2 * LIMIT, `${sandbox.calls.length} upstream calls`)
    t.equal((await (await portal.as('partner.admin')).call(ROLES)).status, 200, 'limits per person')
  })

/** Expects a redirect to the “busy” page, which people get instead of a JSON problem. */
async function expectBusyPage(t: Test, answer: Response): Promise<void> {
  t.equal(answer.status, 303)
  const page = new URL(answer.headers.get('location') ?? '', 'http://portal')
  t.match(page, { pathname: '/signin-failed', search: /^\?reason=busy&wait=\d+&request=[\da-f-]{36}$/ })
  t.equal(page.searchParams.get('wait'), answer.headers.get('retry-after'))
}

t.test('too many sign-ins from an address lead to a page that says when to try again', async (t) => {
  const env = { ANONYMOUS_CALLS_PER_MINUTE: '2' }
  const { url } = await startPortal(t, { env, startedSandbox: sandbox })
  const visit = (path: string) => fetch(url + path, { redirect: 'manual' })
  for (const path of ['/auth/login', '/callback']) {
    for (const _ of [1, 2]) t.notMatch((await visit(path)).headers.get('location'), /busy/, path)
    await expectBusyPage(t, await visit(path))
  }
  for (const _ of [1, 2]) t.equal((await visit('/auth/session')).status, 200)
  t.equal((await visit('/auth/session')).status, 429)
})

t.test('calls to /auth and to the API share a limit', async (t) => {
  const backend = createMemoryBackend(Date.now)
  t.teardown(() => backend.close())
  const portal = await startPortal(t, {
    env: { SESSION_CALLS_PER_MINUTE: String(LIMIT), CALLS_IN_FLIGHT: '1000' },
    startedSandbox: sandbox,
    backend
  })
  let writes = 0
  const { touch } = backend
  backend.touch = async (...parameters) => {
    writes += 1
    return touch(...parameters)
  }
  const renewals = async (username: string, changes = {}) => {
    const cookie = await cookiesOf(await portal.as(username))
    const headers = { cookie, origin: portal.url, 'x-portal-csrf': '1', ...changes }
    return statusesOf(() => fetch(`${portal.url}/auth/session/renew`, { method: 'POST', headers }))
  }
  t.strictSame(await renewals('customer.admin'), { 200: LIMIT, 429: CALLS - LIMIT })
  t.equal(writes, LIMIT)
  t.strictSame(await renewals('customer.user', { 'x-portal-csrf': '0' }), { 403: LIMIT, 429: CALLS - LIMIT })
  const person = await portal.as('customer.admin')
  t.equal((await person.call(ROLES)).status, 429)
  t.equal((await person.call('/auth/session')).status, 429)
  for (const path of ['/auth/login', '/callback'])
    await expectBusyPage(t, await person.call(path, { redirect: 'manual' }))
  t.equal((await person.call('/auth/logout', { method: 'POST' })).status, 429)
  t.equal((await (await portal.as('partner.admin')).call('/auth/session')).status, 200, 'limits per person')
  t.equal((await fetch(`${portal.url}/auth/session`)).status, 200, 'a call without a session is not limited')
})
