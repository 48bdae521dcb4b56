// The directory decides which integrator a customer belongs to, not the caller's assignments.
import t, { type Test } from 'tap'
import type { CustomerCard } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { targetOf } from './grid-oracle.ts'
import { startGridUpstream } from './grid-upstream.ts'

const MANAGEMENT = '/api/v2/management'
const DIRECTORY_MAX_AGE_MS = 30_000
const [, customerId] = NOTABLE.custom
const OLD_SCOPE = `/organizations/${NOTABLE.partner}/customers/${customerId}`
const NEW_SCOPE = `/organizations/${NOTABLE.partnerWithoutTechView}/customers/${customerId}`

const sandbox = await openSandbox(t)
const upstream = await startGridUpstream(t, sandbox)
const { parameters } = targetOf(customerId, sandbox.state)
t.beforeEach(() => {
  upstream.forwarded.length = 0
})

const CALLS: [call: string, body?: unknown][] = [
  [`GET /api/portal/v1/customers/${customerId}/devices`],
  [`GET ${MANAGEMENT}/organizations/${customerId}/projects`],
  [`PATCH ${MANAGEMENT}/projects/${parameters.projectId}`, { projectName: 'x' }],
  [`POST ${MANAGEMENT}/projects`, { projectName: 'x', customer: `/organizations/${customerId}` }],
  [
    `POST /api/v1/control/devices/${parameters.deviceId}/commands/write`,
    { points: [], requestProcessingPriority: 255 }
  ],
  [`GET /api/v1/recover/customers/${customerId}/backups`]
]

function assign(t: Test, userId: string, ...assignments: [role: number, roleName: string, scope: string][]) {
  const user = sandbox.state.users.get(userId)
  if (!user) throw new Error(`there is no ${userId}`)
  const before = user.roleAssignments
  const newAssignments = assignments.map(([roleNumber, roleName, scope], index) => ({
    id: `ra-${userId}-${index}`,
    roleNumber,
    roleName,
    scope
  }))
  user.roleAssignments = [...newAssignments, ...before]
  t.teardown(() => {
    user.roleAssignments = before
  })
}

async function scene(t: Test) {
  const time = { now: Date.now() }
  const env = { UPSTREAM_URL: upstream.url }
  const portal = await startPortal(t, { startedSandbox: sandbox, env, clock: () => time.now })
  const statuses = async (browser: Browser) => {
    const codes: number[] = []
    for (const [call, body] of CALLS) {
      const [method = '', path = ''] = call.split(' ')
      const headers = { 'x-customer-id': customerId, 'content-type': 'application/json' }
      const payload = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await browser.call(path, { method, headers, ...payload })
      await answer.arrayBuffer()
      codes.push(answer.status)
    }
    return codes
  }
  return { time, portal, statuses }
}

const all = (status: number) => CALLS.map(() => status)

t.test('roles at the old scope of a moved customer no longer count', async (t) => {
  for (const [role, name] of [
    [5, 'customer_user'],
    [9, 'noaccess']
  ] as const)
    await t.test(
      `refuses an admin of the old integrator who also has the customer role ${name}`,
      async (t) => {
        assign(t, 'u-partner-admin', [role, name, OLD_SCOPE])
        const { time, portal, statuses } = await scene(t)
        const admin = await portal.as('partner.admin')
        t.strictSame(await statuses(admin), all(200))

        moveCustomer(t)
        time.now += DIRECTORY_MAX_AGE_MS + 1
        upstream.forwarded.length = 0
        t.strictSame(await statuses(admin), all(403))
        t.strictSame(upstream.forwarded, [])
        const list = `/api/portal/v1/organizations/${NOTABLE.partner}/customers?size=100`
        const { items } = await admin.json<Page<CustomerCard>>(list)
        t.notOk(items.some(({ id }) => id === customerId))
      }
    )

  await t.test('refuses the customer’s own admin', async (t) => {
    assign(t, 'u-customer-multi', [4, 'customer_admin', OLD_SCOPE])
    const { time, portal, statuses } = await scene(t)
    const admin = await portal.as('customer.multi')
    t.strictSame(await statuses(admin), [200, 200, 403, 403, 200, 200])
    moveCustomer(t)
    time.now += DIRECTORY_MAX_AGE_MS + 1
    t.strictSame(await statuses(admin), all(403))
  })
})

t.test('a role at the new scope of a moved customer counts', async (t) => {
  assign(t, 'u-customer-multi', [5, 'customer_user', OLD_SCOPE], [4, 'customer_admin', NEW_SCOPE])
  moveCustomer(t)
  const { portal, statuses } = await scene(t)
  t.strictSame(await statuses(await portal.as('customer.multi')), [200, 200, 403, 403, 200, 200])
})

t.test('refuses all calls while the directory is unreachable', async (t) => {
  assign(t, 'u-partner-admin', [2, 'partner_admin', OLD_SCOPE])
  const { time, portal, statuses } = await scene(t)
  const admin = await portal.as('partner.admin')
  t.strictSame(await statuses(admin), all(200))
  t.teardown(() => sandbox.faults.clear())
  sandbox.faults.set('management', '503')
  upstream.forwarded.length = 0
  time.now += DIRECTORY_MAX_AGE_MS + 1
  t.strictSame(await statuses(admin), all(503))
  t.strictSame(upstream.forwarded, [])
})

function moveCustomer(t: Test) {
  const customer = sandbox.state.organizations.get(customerId)
  if (!customer) throw new Error(`there is no customer ${customerId}`)
  customer.partnerId = NOTABLE.partnerWithoutTechView
  t.teardown(() => {
    customer.partnerId = NOTABLE.partner
  })
}
