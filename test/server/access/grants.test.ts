// Role changes at the gateway: the upstream receives only allowed calls, after few lookups. test/shared/grants.test.ts
// tests the rule itself.
import t, { type Test } from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'

const MANAGEMENT = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const at = (customerId: string) => `${ORGANIZATION}/customers/${customerId}`
const NORTHWIND = at(NOTABLE.northwind)
const [, CUSTOM_SECOND] = NOTABLE.custom

const portal = await startPortal(t)
const { sandbox } = portal
const { state } = sandbox
const partner = await portal.as('partner.admin')
const customer = await portal.as('customer.admin')

interface Answered {
  status: number
  body: { code?: string; detail?: string } & Record<string, unknown>
}

async function send(
  browser: Browser,
  method: string,
  path: string,
  body: object,
  more = {}
): Promise<Answered> {
  const headers = { 'content-type': 'application/json', ...more }
  const answer = await browser.call(path, { method, body: JSON.stringify(body), headers })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
}

/** Makes a call. Returns all requests that it caused, and the bodies of the forwarded requests. */
async function record(call: () => Promise<Answered>) {
  const start = sandbox.calls.length
  const answer = await call()
  const calls = sandbox.calls.slice(start)
  const forwarded = calls.filter(({ headers }) => headers['x-forwarded-for'] !== undefined)
  const requests = calls.map(({ method, url }) => `${method} ${url}`)
  return { ...answer, sent: forwarded.map(({ body }) => body), requests }
}

async function refuses(t: Test, name: string, statuses: number | number[], call: () => Promise<Answered>) {
  const { status, body, sent } = await record(call)
  t.ok([statuses].flat().includes(status), `${name}: ${status} ${body.detail}`)
  t.strictSame(sent, [], name)
  return body
}

function userOf(id: string) {
  const user = state.users.get(id)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}

/** The id of u-customer-user's assignment. */
const OWN_ID = 'ra-u-customer-user-1'
const grant = (number: number | string, scope: string) => ({ role: `/roles/${number}`, scope })
const roles = (userId: string) =>
  userOf(userId).roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`)
const change = (browser: Browser, userId: string, body: object) =>
  send(browser, 'PATCH', `${MANAGEMENT}/users/${userId}/roleAssignments`, body)

t.test(
  'answers 403 for a role at a foreign scope, above the caller’s own role, or not assignable at its scope',
  async (t) => {
    const before = roles('u-customer-user')
    const cases: [name: string, browser: Browser, body: object][] = [
      ['a role at another customer', customer, { create: [grant(5, at('c-1005'))] }],
      ['the highest role', partner, { create: [grant(1, '/')] }],
      ['a role at the integrator, for a customer’s user', partner, { create: [grant(2, ORGANIZATION)] }],
      ['an allowed and a refused role', customer, { create: [grant(5, NORTHWIND), grant(5, at('c-1005'))] }],
      ['a malformed scope', customer, { create: [grant(5, 'x')] }],
      ['a moved assignment', customer, { update: [{ id: OWN_ID, ...grant(5, at('c-1005')) }] }],
      ['a higher role', customer, { update: [{ id: OWN_ID, ...grant(2, NORTHWIND) }] }]
    ]
    for (const [name, browser, body] of cases)
      await refuses(t, name, 403, () => change(browser, 'u-customer-user', body))
    t.strictSame(roles('u-customer-user'), before)
  }
)

t.test('answers 404 for an assignment that the user does not have', async (t) => {
  const assignmentIds = ['ra-u-partner-admin-1', 'ra-u-customer-admin-1', 'ra-nothing', '0']
  for (const id of assignmentIds) {
    await refuses(t, `delete ${id}`, 404, () => change(customer, 'u-customer-user', { delete: [id] }))
    await refuses(t, `update ${id}`, 404, () =>
      change(customer, 'u-customer-user', { update: [{ id, ...grant(5, NORTHWIND) }] })
    )
  }
  const body = { delete: [OWN_ID, 'ra-u-customer-admin-1'] }
  await refuses(t, 'an own and a foreign assignment', 404, () => change(customer, 'u-customer-user', body))
})

t.test('refuses a scope that does not exist or belongs to another organization', async (t) => {
  const scopes = [at('c-2001'), at('c-nobody'), at(NOTABLE.partner), '/organizations/nobody', at('C-1001')]
  for (const scope of scopes)
    for (const body of [{ create: [grant(5, scope)] }, { update: [{ id: OWN_ID, ...grant(5, scope) }] }])
      await refuses(t, JSON.stringify(body), [400, 403, 404], () => change(partner, 'u-customer-user', body))
})

t.test('refuses a duplicate assignment, and a new role that another new role includes', async (t) => {
  const [first, second] = [5, 7].map((number) => ({ id: OWN_ID, ...grant(number, NORTHWIND) }))
  for (const body of [{ update: [first, second] }, { update: [first], delete: [OWN_ID] }])
    await refuses(t, JSON.stringify(body), 400, () => change(partner, 'u-customer-user', body))
  const grants = { create: [grant(3, ORGANIZATION), grant(5, at(CUSTOM_SECOND))] }
  await refuses(t, 'a wider and a narrower role', 400, () => change(partner, 'u-custom-user', grants))
})

t.test('refuses to remove or move an assignment of another customer', async (t) => {
  const user = userOf('u-customer-user')
  const before = user.roleAssignments
  user.roleAssignments = [
    ...before,
    { id: 'ra-far', scope: at('c-1005'), roleNumber: 5, roleName: 'customer_user' }
  ]
  await refuses(t, 'a removal', 403, () => change(customer, 'u-customer-user', { delete: ['ra-far'] }))
  const move = { update: [{ id: 'ra-far', ...grant(5, NORTHWIND) }] }
  await refuses(t, 'a move', 403, () => change(customer, 'u-customer-user', move))
  const { status } = await change(partner, 'u-customer-user', { delete: ['ra-far'] })
  t.equal(status, 200, 'the integrator’s admin may remove the assignment')
  t.strictSame(user.roleAssignments, before)
})

t.test('a wider assignment replaces narrower assignments', async (t) => {
  const user = userOf('u-custom-user')
  const before = user.roleAssignments
  const { status, sent } = await record(() =>
    change(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)] })
  )
  t.equal(status, 200)
  const replacedIds = before.filter(({ scope }) => scope !== ORGANIZATION).map(({ id }) => id)
  t.equal(replacedIds.length, 2)
  t.match(sent, [{ create: [grant(3, ORGANIZATION)], delete: replacedIds }])
  t.strictSame(roles('u-custom-user'), [`custom at ${ORGANIZATION}`, `partner_user at ${ORGANIZATION}`])
  user.roleAssignments = before

  const custom = await record(() => change(partner, 'u-custom-user', { create: [grant(8, ORGANIZATION)] }))
  t.match(custom.sent, [{ delete: [] }], 'the custom marker replaces no assignment')
  user.roleAssignments = before

  const result = await record(() =>
    change(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)], delete: replacedIds.slice(0, 1) })
  )
  t.strictSame(
    (result.sent[0] as { delete: string[] }).delete.sort(),
    replacedIds.sort(),
    'removes each assignment only once'
  )
  user.roleAssignments = before
})

function setAdmins(customerId: string, ...ids: string[]) {
  const scope = at(customerId)
  for (const user of state.users.values())
    for (const assignment of user.roleAssignments)
      if (assignment.scope === scope && assignment.roleNumber === 4)
        Object.assign(assignment, { roleNumber: 5, roleName: 'customer_user' })
  for (const id of ids) {
    const assignment = userOf(id).roleAssignments.find((item) => item.scope === scope)
    if (!assignment) throw new Error(`${id} has no role at ${customerId}`)
    Object.assign(assignment, { roleNumber: 4, roleName: 'ncp_customer_admin' })
  }
}

t.test('refuses every way to remove the last admin of a customer', async (t) => {
  const [first, second] = ['u-c-1003-1', 'u-c-1003-2']
  const idOf = (user: string) => userOf(user).roleAssignments[0]?.id ?? ''
  const scope = at('c-1003')
  setAdmins('c-1003', first)
  const ways: Record<string, object> = {
    removed: { delete: [idOf(first)] },
    lowered: { update: [{ id: idOf(first), ...grant(5, scope) }] },
    'moved to another customer': { update: [{ id: idOf(first), ...grant(4, at('c-1002')) }] },
    'replaced by the same role elsewhere': { delete: [idOf(first)], create: [grant(4, at('c-1002'))] }
  }
  for (const [name, body] of Object.entries(ways)) {
    const answer = await refuses(t, name, 409, () => change(partner, first, body))
    t.equal(answer.code, 'LAST_ADMIN')
  }
  const sameRole = { update: [{ id: idOf(first), ...grant(4, scope) }] }
  t.equal((await change(partner, first, sameRole)).status, 200, 'allows an update that keeps the role')

  setAdmins('c-1003', first, second)
  t.equal((await change(partner, first, { delete: [idOf(first)] })).status, 200, 'removes one of two admins')
  await refuses(t, 'the last admin', 409, () => change(partner, second, { delete: [idOf(second)] }))
})

t.test('an invitation grants only roles that its sender may grant', async (t) => {
  const invite = (browser: Browser, changes: object) =>
    send(browser, 'POST', `${MANAGEMENT}/userInvitations`, {
      email: 'somebody@example.com',
      partner: ORGANIZATION,
      customer: `/organizations/${NOTABLE.northwind}`,
      roleAssignments: [grant(5, NORTHWIND)],
      ...changes
    })
  const cases: [name: string, browser: Browser, changes: object, status: number | number[]][] = [
    ['a role at the integrator, for a customer', partner, { roleAssignments: [grant(3, ORGANIZATION)] }, 403],
    ['a role at another customer', partner, { roleAssignments: [grant(5, at('c-1005'))] }, 403],
    ['another customer', customer, { customer: '/organizations/c-1005' }, 403],
    ['another integrator’s customer', partner, { customer: '/organizations/c-2001' }, [400, 403]],
    ['another integrator', partner, { customer: null, partner: '/organizations/200' }, 403],
    ['the integrator, by a customer’s admin', customer, { customer: null }, 403],
    ['an unknown customer', partner, { customer: '/organizations/nobody' }, 404],
    ['an unknown role', customer, { roleAssignments: [grant(77, NORTHWIND)] }, 400],
    ['no list of roles', customer, { roleAssignments: grant(5, NORTHWIND) }, 400],
    [
      'an allowed and a refused role',
      customer,
      { roleAssignments: [grant(5, NORTHWIND), grant(5, '/')] },
      403
    ]
  ]
  for (const [name, browser, changes, status] of cases)
    await refuses(t, name, status, () => invite(browser, changes))
  await refuses(t, 'an invitation by a user without the right', 403, async () =>
    invite(await portal.as('customer.user'), {})
  )
  const { status, sent } = await record(() => invite(customer, {}))
  t.equal(status, 201)
  t.match(sent, [{ roleAssignments: [grant(5, NORTHWIND)], customer: `/organizations/${NOTABLE.northwind}` }])
})

t.test('a service account gets only roles that its creator may grant', async (t) => {
  const create = (browser: Browser, changes: object) =>
    send(browser, 'POST', `${MANAGEMENT}/serviceAccounts`, {
      serviceName: 'Meters',
      description: '',
      partner: ORGANIZATION,
      customer: `/organizations/${NOTABLE.northwind}`,
      roleAssignments: [grant(5, NORTHWIND)],
      ...changes
    })
  const cases: [name: string, changes: object, status: number | number[]][] = [
    ['an admin of the customer', { roleAssignments: [grant(4, NORTHWIND)] }, 403],
    ['a role at another customer', { roleAssignments: [grant(5, at('c-1005'))] }, 403],
    ['an account of another integrator’s customer', { customer: '/organizations/c-2001' }, [400, 403]],
    ['an unknown role', { roleAssignments: [grant(0, NORTHWIND)] }, 400]
  ]
  for (const [name, changes, status] of cases) await refuses(t, name, status, () => create(partner, changes))
  await refuses(t, 'an account created by a customer’s admin', 403, () => create(customer, {}))
  const creation = await record(() => create(partner, {}))
  t.equal(creation.status, 201)
  t.match(creation.sent, [{ roleAssignments: [grant(5, NORTHWIND)] }])

  const path = `${MANAGEMENT}/serviceAccounts/${creation.body.id}/roleAssignments`
  const assign = (body: object, headers: object = { 'x-customer-id': NOTABLE.northwind }) =>
    send(partner, 'PATCH', path, body, headers)
  await refuses(t, 'a higher role', 403, () => assign({ create: [grant(4, NORTHWIND)] }))
  const foreign = { create: [grant(5, '/organizations/200/customers/c-2001')] }
  await refuses(t, 'a role at a foreign customer', 403, () => assign(foreign))
  await refuses(t, 'a foreign assignment', 404, () => assign({ delete: [OWN_ID] }))
  const own = { create: [grant(5, NORTHWIND)] }
  await refuses(t, 'another x-customer-id', 404, () => assign(own, { 'x-customer-id': 'c-1005' }))
  await refuses(t, 'no x-customer-id', 400, () => assign(own, {}))
  t.equal((await assign({ create: [grant(7, NORTHWIND)] })).status, 200)
})

t.test('looks up each customer of a call only once', async (t) => {
  const create = [5, 6, 7].flatMap((number) => [grant(number, at('c-1012')), grant(number, at('c-nowhere'))])
  const { status, requests } = await record(() => change(partner, 'u-customer-user', { create }))
  t.equal(status, 404)
  t.notOk(requests.some((call) => call.startsWith('PATCH')))
  for (const id of ['c-1012', 'c-nowhere'])
    t.equal(requests.filter((call) => call === `GET ${MANAGEMENT}/organizations/${id}`).length, 1, id)
})

t.test('answers 400 if a new role replaces admin roles at more than 100 customers', async (t) => {
  const user = userOf('u-custom-user')
  const before = user.roleAssignments
  t.teardown(() => {
    user.roleAssignments = before
  })
  const replace = (count: number) => {
    user.roleAssignments = Array.from({ length: count }, (_, index) => ({
      ...{ id: `ra-many-${index}`, roleNumber: 4, roleName: 'ncp_customer_admin' },
      scope: at(`c-x${index}`)
    }))
    return record(() => change(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)] }))
  }
  const overLimit = await replace(101)
  t.equal(overLimit.status, 400)
  t.notOk(overLimit.requests.some((call) => call.includes('/allUsers') || call.startsWith('PATCH')))
  const atLimit = await replace(100)
  t.not(atLimit.status, 400)
  t.ok(atLimit.requests.some((call) => call.includes('/allUsers')))
})
