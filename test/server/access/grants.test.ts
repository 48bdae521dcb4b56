// Calls that give and take roles, as they reach the upstream: refused ones are not sent, allowed ones are sent as decided,
// with few look-ups. The rule itself is in shared/grants.test.ts.
import t, { type Test } from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'

const M = '/api/v2/management'
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

type Body = string | object | null

async function send(
  browser: Browser,
  method: string,
  path: string,
  body?: Body,
  headers: Record<string, string> = {}
): Promise<Answered> {
  const answer = await browser.call(path, {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...headers }
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
}

async function watched(call: () => Promise<Answered>) {
  const from = sandbox.calls.length
  const answer = await call()
  const sent = sandbox.calls.slice(from).filter(({ headers }) => headers['x-request-id'] !== undefined)
  return { ...answer, sent: sent.map(({ body }) => body) }
}

async function refused(t: Test, name: string, statuses: number | number[], call: () => Promise<Answered>) {
  const { status, body, sent } = await watched(call)
  t.ok([statuses].flat().includes(status), `${name}: ${status} ${body.detail}`)
  t.strictSame(sent, [], 'nothing was sent')
  return body
}

const rolesPath = (userId: string) => `${M}/users/${userId}/roleAssignments`
const grant = (number: number | string, scope: string) => ({ role: `/roles/${number}`, scope })
const roles = (userId: string) =>
  state.users.get(userId)?.roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`)
const change = (browser: Browser, userId: string, body: Body) =>
  send(browser, 'PATCH', rolesPath(userId), body)

t.test('refuses roles out of reach, above one’s own, or not assignable there with 403', async (t) => {
  const before = roles('u-customer-user')
  const cases: [name: string, browser: Browser, body: object][] = [
    ['at another customer', customer, { create: [grant(5, at('c-1005'))] }],
    ['the highest of all', partner, { create: [grant(1, '/')] }],
    ['a role at the integrator, for a customer’s user', partner, { create: [grant(2, ORGANIZATION)] }],
    ['one good, one bad', customer, { create: [grant(5, NORTHWIND), grant(5, at('c-1005'))] }],
    ['a scope that is none', customer, { create: [grant(5, 'x')] }],
    [
      'an assignment moved away',
      customer,
      { update: [{ id: 'ra-u-customer-user-1', ...grant(5, at('c-1005')) }] }
    ],
    ['an assignment raised', customer, { update: [{ id: 'ra-u-customer-user-1', ...grant(2, NORTHWIND) }] }]
  ]
  for (const [name, browser, body] of cases)
    await refused(t, name, 403, () => change(browser, 'u-customer-user', body))
  t.strictSame(roles('u-customer-user'), before)
})

t.test('answers 404 for an assignment that the user does not have', async (t) => {
  const foreign = ['ra-u-partner-admin-1', 'ra-u-customer-admin-1', 'ra-nothing', '0']
  for (const id of foreign) {
    await refused(t, `delete ${id}`, 404, () => change(customer, 'u-customer-user', { delete: [id] }))
    await refused(t, `update ${id}`, 404, () =>
      change(customer, 'u-customer-user', { update: [{ id, ...grant(5, NORTHWIND) }] })
    )
  }
  await refused(t, 'one of theirs and one foreign', 404, () =>
    change(customer, 'u-customer-user', { delete: ['ra-u-customer-user-1', 'ra-u-customer-admin-1'] })
  )
})

t.test('refuses a scope that does not exist or lies under another organization', async (t) => {
  for (const scope of [
    at('c-2001'),
    at('c-nobody'),
    at(NOTABLE.partner),
    '/organizations/nobody',
    at('C-1001')
  ]) {
    await refused(t, scope, [400, 403, 404], () =>
      change(partner, 'u-customer-user', { create: [grant(5, scope)] })
    )
    await refused(t, `${scope}, by an update`, [400, 403, 404], () =>
      change(partner, 'u-customer-user', { update: [{ id: 'ra-u-customer-user-1', ...grant(5, scope) }] })
    )
  }
})

t.test('refuses an assignment named twice, and one grant within another', async (t) => {
  const id = 'ra-u-customer-user-1'
  const bodies: Record<string, object> = {
    'updated twice': {
      update: [
        { id, ...grant(5, NORTHWIND) },
        { id, ...grant(7, NORTHWIND) }
      ]
    },
    'updated and taken away': { update: [{ id, ...grant(5, NORTHWIND) }], delete: [id] }
  }
  for (const [name, body] of Object.entries(bodies))
    await refused(t, name, 400, () => change(partner, 'u-customer-user', body))
  await refused(t, 'a wider and a narrower one', 400, () =>
    change(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION), grant(5, at(CUSTOM_SECOND))] })
  )
})

t.test('refuses to take away what is out of reach', async (t) => {
  const user = state.users.get('u-customer-user')
  if (!user) return t.fail('there is no such user')
  const before = user.roleAssignments
  user.roleAssignments = [
    ...before,
    { id: 'ra-far', scope: at('c-1005'), roleNumber: 5, roleName: 'customer_user' }
  ]
  await refused(t, 'taken away', 403, () => change(customer, 'u-customer-user', { delete: ['ra-far'] }))
  await refused(t, 'brought here', 403, () =>
    change(customer, 'u-customer-user', { update: [{ id: 'ra-far', ...grant(5, NORTHWIND) }] })
  )
  const { status } = await change(partner, 'u-customer-user', { delete: ['ra-far'] })
  t.equal(status, 200, 'by the admin of the integrator')
  t.strictSame(user.roleAssignments, before)
})

t.test('a wider assignment replaces the narrower ones', async (t) => {
  const user = state.users.get('u-custom-user')
  if (!user) return t.fail('there is no such user')
  const before = user.roleAssignments
  const { status, sent } = await watched(() =>
    change(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)] })
  )
  t.equal(status, 200)
  const narrower = before.filter(({ scope }) => scope !== ORGANIZATION).map(({ id }) => id)
  t.equal(narrower.length, 2)
  t.match(sent, [{ create: [grant(3, ORGANIZATION)], delete: narrower }])
  t.strictSame(roles('u-custom-user'), [`custom at ${ORGANIZATION}`, `partner_user at ${ORGANIZATION}`])
  user.roleAssignments = before

  const marker = await watched(() => change(partner, 'u-custom-user', { create: [grant(8, ORGANIZATION)] }))
  t.match(marker.sent, [{ delete: [] }], 'custom replaces none')
  user.roleAssignments = before

  const named = await watched(() =>
    change(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)], delete: narrower.slice(0, 1) })
  )
  t.strictSame((named.sent[0] as { delete: string[] }).delete.sort(), narrower.sort(), 'each once')
  user.roleAssignments = before
})

function withAdmins(customerId: string, ...ids: string[]) {
  const scope = at(customerId)
  for (const user of state.users.values())
    for (const held of user.roleAssignments)
      if (held.scope === scope && held.roleNumber === 4)
        Object.assign(held, { roleNumber: 5, roleName: 'customer_user' })
  for (const id of ids) {
    const [held] = state.users.get(id)?.roleAssignments.filter((one) => one.scope === scope) ?? []
    if (!held) throw new Error(`${id} is not at ${customerId}`)
    Object.assign(held, { roleNumber: 4, roleName: 'ncp_customer_admin' })
  }
}

t.test('refuses every way to remove the last admin of a customer', async (t) => {
  const [first, second] = ['u-c-1003-1', 'u-c-1003-2']
  const idOf = (user: string) => state.users.get(user)?.roleAssignments[0]?.id ?? ''
  const scope = at('c-1003')
  withAdmins('c-1003', first)
  const ways: Record<string, object> = {
    'taken away': { delete: [idOf(first)] },
    lowered: { update: [{ id: idOf(first), ...grant(5, scope) }] },
    'moved to another customer': { update: [{ id: idOf(first), ...grant(4, at('c-1002')) }] },
    'taken away for the same elsewhere': { delete: [idOf(first)], create: [grant(4, at('c-1002'))] }
  }
  for (const [name, body] of Object.entries(ways)) {
    const answer = await refused(t, name, 409, () => change(partner, first, body))
    t.equal(answer.code, 'LAST_ADMIN')
  }
  const kept = await change(partner, first, { update: [{ id: idOf(first), ...grant(4, scope) }] })
  t.equal(kept.status, 200, 'an update that keeps the role')

  withAdmins('c-1003', first, second)
  t.equal((await change(partner, first, { delete: [idOf(first)] })).status, 200, 'one of two')
  await refused(t, 'then the other', 409, () => change(partner, second, { delete: [idOf(second)] }))
})

t.test('an invitation gives only what its sender may give there', async (t) => {
  const invite = (browser: Browser, changes: object) =>
    send(browser, 'POST', `${M}/userInvitations`, {
      email: 'somebody@example.com',
      partner: ORGANIZATION,
      customer: `/organizations/${NOTABLE.northwind}`,
      roleAssignments: [grant(5, NORTHWIND)],
      ...changes
    })
  const cases: [name: string, browser: Browser, changes: object, status: number | number[]][] = [
    ['at the integrator, of a customer', partner, { roleAssignments: [grant(3, ORGANIZATION)] }, 403],
    ['at another customer than it is about', partner, { roleAssignments: [grant(5, at('c-1005'))] }, 403],
    ['to another customer', customer, { customer: '/organizations/c-1005' }, 403],
    ['to another integrator’s customer', partner, { customer: '/organizations/c-2001' }, [400, 403]],
    ['to another integrator', partner, { customer: null, partner: '/organizations/200' }, 403],
    ['to the integrator, by a customer’s admin', customer, { customer: null }, 403],
    ['to nobody known', partner, { customer: '/organizations/nobody' }, 404],
    ['an unknown role', customer, { roleAssignments: [grant(77, NORTHWIND)] }, 400],
    ['no list of roles', customer, { roleAssignments: grant(5, NORTHWIND) }, 400],
    ['one good and one bad', customer, { roleAssignments: [grant(5, NORTHWIND), grant(5, '/')] }, 403]
  ]
  for (const [name, browser, changes, status] of cases)
    await refused(t, name, status, () => invite(browser, changes))
  await refused(t, 'by who may not', 403, async () => invite(await portal.as('customer.user'), {}))
  const { status, sent } = await watched(() => invite(customer, {}))
  t.equal(status, 201)
  t.match(sent, [{ roleAssignments: [grant(5, NORTHWIND)], customer: `/organizations/${NOTABLE.northwind}` }])
})

t.test('a service account gets only what its creator may give there', async (t) => {
  const create = (browser: Browser, changes: object) =>
    send(browser, 'POST', `${M}/serviceAccounts`, {
      serviceName: 'Meters',
      description: '',
      partner: ORGANIZATION,
      customer: `/organizations/${NOTABLE.northwind}`,
      roleAssignments: [grant(5, NORTHWIND)],
      ...changes
    })
  const cases: [name: string, changes: object, status: number | number[]][] = [
    ['an admin of the customer', { roleAssignments: [grant(4, NORTHWIND)] }, 403],
    ['at another customer', { roleAssignments: [grant(5, at('c-1005'))] }, 403],
    ['of another integrator’s customer', { customer: '/organizations/c-2001' }, [400, 403]],
    ['an unknown role', { roleAssignments: [grant(0, NORTHWIND)] }, 400]
  ]
  for (const [name, changes, status] of cases) await refused(t, name, status, () => create(partner, changes))
  await refused(t, 'by a customer’s admin', 403, () => create(customer, {}))
  const made = await watched(() => create(partner, {}))
  t.equal(made.status, 201)
  t.match(made.sent, [{ roleAssignments: [grant(5, NORTHWIND)] }])

  const id = String(made.body.id)
  const path = `${M}/serviceAccounts/${id}`
  const claim = { 'x-customer-id': NOTABLE.northwind }
  const assign = (body: object, headers: Record<string, string> = claim) =>
    send(partner, 'PATCH', `${path}/roleAssignments`, body, headers)
  await refused(t, 'raised', 403, () => assign({ create: [grant(4, NORTHWIND)] }))
  await refused(t, 'widened', 403, () =>
    assign({ create: [grant(5, '/organizations/200/customers/c-2001')] })
  )
  await refused(t, 'with a foreign assignment', 404, () => assign({ delete: ['ra-u-customer-user-1'] }))
  await refused(t, 'looked for at another customer', 404, () =>
    assign({ create: [grant(5, NORTHWIND)] }, { 'x-customer-id': 'c-1005' })
  )
  await refused(t, 'looked for nowhere', 400, () => assign({ create: [grant(5, NORTHWIND)] }, {}))
  t.equal((await assign({ create: [grant(7, NORTHWIND)] })).status, 200)
})

async function costOf(browser: Browser, userId: string, body: object) {
  const [calls, lines] = [sandbox.calls.length, portal.logged.length]
  const answer = await browser.call(`${M}/users/${userId}/roleAssignments`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' }
  })
  const text = await answer.text()
  const asked = sandbox.calls.slice(calls).map(({ method, url }) => `${method} ${url}`)
  return { status: answer.status, text, asked, log: portal.logged.slice(lines).join('') }
}

t.test('looks each customer of a call up once', async (t) => {
  const create = [5, 6, 7].flatMap((number) => [grant(number, at('c-1012')), grant(number, at('c-nowhere'))])
  const { status, asked } = await costOf(partner, 'u-customer-user', { create })
  t.equal(status, 404)
  t.notOk(asked.some((call) => call.startsWith('PATCH')))
  for (const id of ['c-1012', 'c-nowhere'])
    t.equal(asked.filter((call) => call === `GET ${M}/organizations/${id}`).length, 1, id)
})

t.test('refuses a call with more than 100 customers before any look-up', async (t) => {
  const create = Array.from({ length: 101 }, (_, index) => grant(5, at(`c-x${index}`)))
  const { status, asked } = await costOf(partner, 'u-customer-user', { create })
  t.equal(status, 400)
  t.strictSame(
    asked.filter((call) => call.includes('/organizations/')),
    []
  )
})

t.test('looks up at most 100 admins that a role replaces', async (t) => {
  const user = sandbox.state.users.get('u-custom-user')
  if (!user) throw new Error('there is no such user')
  const before = user.roleAssignments
  t.teardown(() => {
    user.roleAssignments = before
  })
  const held = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `ra-many-${index}`,
      roleNumber: 4,
      roleName: 'ncp_customer_admin',
      scope: at(`c-x${index}`)
    }))
  const isLookup = (call: string) => call.includes('/allUsers')

  user.roleAssignments = held(101)
  const refused = await costOf(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)] })
  t.equal(refused.status, 400)
  t.strictSame(refused.asked.filter(isLookup), [])
  t.notOk(refused.asked.some((call) => call.startsWith('PATCH')))

  user.roleAssignments = held(100)
  const within = await costOf(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)] })
  t.not(within.status, 400)
  t.ok(within.asked.some(isLookup))
})
