// The gateway validates calls before any lookup, and refuses undeclared input.
import Fastify from 'fastify'
import t from 'tap'
import { enforcePlugin } from '#server/access/enforce.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import type { Access, Caller } from '#server/types.ts'
import type { Role } from '#shared/permissions.ts'
import { sendAlone } from '../../support/raw-http.ts'
import { sentCookies } from '../../support/sent-cookies.ts'
import { startTries } from './tries.ts'

const MANAGEMENT = '/api/v2/management'
const { attempt, ours, portal, sandbox, upstream } = await startTries(t)
const [cookie = ''] = await sentCookies((await portal.as('partner.admin')).jar)
const port = Number(new URL(portal.url).port)
t.beforeEach(() => {
  sandbox.calls.length = 0
})

const send = (line: string, headers: string[], body = '') =>
  sendAlone(
    port,
    [
      `${line} HTTP/1.1`,
      'host: localhost',
      'connection: close',
      `cookie: ${cookie}`,
      `origin: ${portal.url}`,
      'x-portal-csrf: 1',
      `x-customer-id: ${ours.id}`,
      ...headers,
      '',
      body
    ].join('\r\n')
  )

t.test('refuses an invalid id in a path before any lookup', async (t) => {
  const segments = ['a%2Cb', 'a%22', '%3Cb%3E', 'x'.repeat(129), '%00', 'a%20b', '%E2%80%A8', '...', '%2e%2e']
  // ‥ ℅ ％, which NFKC turns into `..`, `c/o` and `%`.
  segments.push('%E2%80%A5', '%E2%84%85', '%EF%BC%85')
  const paths = [
    (id: string) => `/api/portal/v1/organizations/${id}/customers`,
    (id: string) => `/api/portal/v1/customers/${id}/tree`,
    (id: string) => `${MANAGEMENT}/organizations/${id}`,
    (id: string) => `${MANAGEMENT}/users/${id}`,
    (id: string) => `/api/v1/egress/exports/${id}`,
    (id: string) => `/api/v1/charts-and-reports/${ours.id}/report/${id}`,
    (id: string) => `/api/v2/devicemanagement/registration/${id}`
  ]
  for (const path of paths)
    for (const id of segments) {
      const answer = await send(`GET ${path(id)}`, [])
      t.ok([400, 404].includes(answer.status), `${answer.status} for ${path(id).slice(0, 80)}`)
    }
  t.strictSame(sandbox.calls, [])
  t.strictSame(upstream.forwarded, [])
})

t.test('refuses a body for a call that accepts no body', async (t) => {
  const project = `${MANAGEMENT}/projects/${ours.parameters.projectId}`
  const lengthHeaders = ['content-type: application/json', 'content-length: 2']
  const chunkedHeaders = ['content-type: application/json', 'transfer-encoding: chunked']
  const cases: [line: string, headers: string[], body: string][] = [
    [`DELETE ${project}`, lengthHeaders, '{}'],
    [`DELETE ${project}`, chunkedHeaders, '2\r\n{}\r\n0\r\n\r\n'],
    [`DELETE ${project}`, ['content-length: 2'], '{}'],
    [`GET ${MANAGEMENT}/roles`, lengthHeaders, '{}'],
    [`GET ${MANAGEMENT}/roles`, chunkedHeaders, '2\r\n{}\r\n0\r\n\r\n'],
    [`GET /api/portal/v1/customers/${ours.id}/projects`, lengthHeaders, '{}'],
    [`PATCH ${MANAGEMENT}/organizations/100/techSupport?enable=true`, lengthHeaders, '{}']
  ]
  for (const [line, headers, body] of cases)
    t.equal((await send(line, headers, body)).status, 400, `${line} ${headers}`)
  t.strictSame(upstream.forwarded, [])
  t.equal((await send(`DELETE ${project}`, ['content-length: 0'])).status, 200)
  t.equal((await send(`DELETE ${project}`, chunkedHeaders, '0\r\n\r\n')).status, 200, 'an empty chunked body')
  t.strictSame(
    upstream.forwarded.map(({ body }) => body),
    ['', '']
  )
})

t.test('allows at most 100 changes in one call, counted over all lists', async (t) => {
  const roles = `PATCH ${MANAGEMENT}/users/u-customer-user/roleAssignments`
  const ids = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}-${index}`)
  const grants = Array.from({ length: 50 }, () => ({
    role: '/roles/5',
    scope: `/organizations/100/customers/${ours.id}`
  }))
  const overLimit = await attempt(roles, { body: { create: grants, delete: ids(51, 'ra') } })
  t.match(overLimit, { status: 400, forwarded: false, text: /A call may contain 100 changes at most\./ })
  const atLimit = await attempt(roles, { body: { create: grants, delete: ids(50, 'ra') } })
  t.match(atLimit, { status: 404, forwarded: false }, 'the access rule refuses the changes')
})

t.test('creating and downloading an export also need data:export', async (t) => {
  const routeIds = PROXY_TABLE.filter((row) => row.also === 'data:export').map(({ id }) => id)
  t.strictSame(routeIds, ['exports.create', 'exports.download'])
})

t.test('a route with a second action requires both actions', async (t) => {
  const access: Access = { action: 'exports:view', also: 'users:view', scope: 'root' }
  const statusFor = async (role: Role) => {
    const app = Fastify()
    const user = { id: 'u', organizationId: null, roleAssignments: [{ id: 'ra', role, scope: '/' }] }
    app.decorateRequest('caller', null)
    app.addHook('onRequest', async (request) => {
      request.caller = { kind: 'session', user } as unknown as Caller
    })
    await app.register(enforcePlugin, { lookups: {} as never, localClock: Date.now })
    app.get('/a', { config: { id: 'a', access } }, async () => 'allowed')
    app.setErrorHandler((error: { status?: number }, _request, reply) =>
      reply.code(error.status ?? 500).send()
    )
    return (await app.inject('/a')).statusCode
  }
  t.equal(await statusFor('customer_user'), 403, 'has only the first action')
  t.equal(await statusFor('nds_operator'), 403, 'has neither action')
  t.equal(await statusFor('customer_admin'), 200, 'has both actions')
})
