// Which role allows what, and where: the table, the scopes and the assignable roles.
import t from 'tap'
import {
  ACTIONS,
  type Assignment,
  assignableRoles,
  holds,
  may,
  mayAnywhere,
  ROLES,
  type Role,
  recognizeRole,
  rolesAllowing,
  tierOf
} from '#shared/permissions.ts'
import {
  ancestors,
  covers,
  customerScope,
  organizationScope,
  parseScope,
  ROOT_SCOPE
} from '#shared/scopes.ts'

const COLUMNS: Role[] = [...ROLES.map(({ name }) => name), 'custom', 'noaccess']
const CUSTOMER = '/organizations/1/customers/9'
const PARTNER = '/organizations/1'

t.test('each role allows exactly its actions', async (t) => {
  // test/architecture compares the roles of each action with product.md.
  for (const action of ACTIONS)
    for (const role of COLUMNS) {
      const roles: Assignment[] = [{ role, scope: CUSTOMER }]
      const expected = (rolesAllowing(action) as readonly Role[]).includes(role)
      t.equal(may(roles, action, CUSTOMER), expected, `${role} ${action}`)
      t.equal(mayAnywhere(roles, action), expected, `${role} ${action} anywhere`)
    }
})

t.test('allows nothing without an assignment', async (t) => {
  for (const action of ACTIONS) {
    t.notOk(may([], action, '/'), action)
    t.notOk(may([], action, CUSTOMER), action)
    t.notOk(mayAnywhere([], action), action)
  }
})

t.test('a role applies only at and below its scope', async (t) => {
  const cases: [scope: string, at: string, allowed: boolean][] = [
    [CUSTOMER, PARTNER, false],
    [CUSTOMER, '/organizations/1/customers/90', false],
    ['/organizations/1/', CUSTOMER, false],
    ['/organizations/1/customers', CUSTOMER, true],
    [CUSTOMER, CUSTOMER, true],
    [PARTNER, CUSTOMER, true],
    ['/', CUSTOMER, true]
  ]
  for (const [scope, at, allowed] of cases)
    t.equal(may([{ role: 'partner_admin', scope }], 'devices:delete', at), allowed, `${scope} → ${at}`)
})

t.test('combines inherited and assigned roles', async (t) => {
  const roles: Assignment[] = [
    { role: 'custom', scope: PARTNER },
    { role: 'customer_user', scope: '/organizations/1/customers/7' },
    { role: 'customer_admin', scope: CUSTOMER },
    { role: 'nds_operator', scope: PARTNER }
  ]
  t.notOk(may(roles, 'users:view', PARTNER), 'a role at a customer does not apply to the integrator')
  t.notOk(
    may(roles, 'users:view', '/organizations/1/customers/7'),
    'a role at a customer does not apply to another customer'
  )
  t.notOk(may(roles, 'exports:view', '/organizations/1/customers/8'), 'custom itself allows nothing')
  t.ok(may(roles, 'users:view', CUSTOMER), 'assigned at the customer')
  t.ok(may(roles, 'live:write', '/organizations/1/customers/7'), 'inherited from the integrator')
  t.ok(may(roles, 'exports:view', '/organizations/1/customers/7'), 'assigned and inherited roles')
})

t.test('noaccess at a customer does not remove inherited roles', async (t) => {
  const roles: Assignment[] = [
    { role: 'noaccess', scope: CUSTOMER },
    { role: 'partner_user', scope: PARTNER }
  ]
  t.ok(may(roles, 'devices:view', CUSTOMER))
})

t.test('recognizes a role whose name contains a known role', async (t) => {
  const cases: [name: string, role: Role | null][] = [
    ['', null],
    ['admin', null],
    ['partner admin', null],
    ['partner-admin', null],
    ['partneradmin', null],
    ['customer', null],
    ['customer_', null],
    ['customer_something', null],
    ['CUSTOMER_OPERATOR', null],
    ['my_customers', null],
    ['viewer', null],
    ['7', null],
    ['custom', 'custom'],
    ['ncp_custom', 'custom'],
    ['Custom Role', 'custom'],
    ['noaccess', 'noaccess'],
    ['no_access', 'noaccess'],
    ['NCP_NO_ACCESS', 'noaccess'],
    ...ROLES.flatMap(({ name }): [string, Role][] => [
      [name, name],
      [name.toUpperCase(), name],
      [`ncp_${name}`, name],
      [`${name}_eu`, name],
      [`Role ${name} (all sites)`, name],
      [`custom_${name}`, name]
    ])
  ]
  for (const [name, role] of cases) t.equal(recognizeRole(name), role, JSON.stringify(name))
})

t.test('finds a role at any scope', async (t) => {
  const roles: Assignment[] = [{ role: 'customer_user', scope: CUSTOMER }]
  t.notOk(holds([], 'customer_user'))
  t.notOk(holds(roles))
  t.notOk(holds(roles, 'customer_admin', 'custom'))
  t.ok(holds(roles, 'customer_admin', 'customer_user'))
})

const PARTNER_ROLES: Role[] = ['partner_admin', 'partner_user', 'niagara_remote', 'nds_operator']

t.test('offers the assignable roles of each level and scope', async (t) => {
  const otherScopes = ['/', '', '/organizations/1/', `${CUSTOMER}/projects/3`]
  for (const level of ['PARTNER', 'CUSTOMER', 'SERVICE_ACCOUNT'] as const) {
    for (const scope of otherScopes) t.strictSame(assignableRoles(level, scope), [], `${level} at ${scope}`)
    for (const scope of [PARTNER, CUSTOMER])
      t.notOk(assignableRoles(level, scope).includes('global_admin'), `${level} at ${scope}`)
  }
  const atCustomer: Role[] = ['customer_admin', 'customer_user', 'niagara_remote', 'nds_operator', 'noaccess']
  const cases: [level: 'PARTNER' | 'CUSTOMER' | 'SERVICE_ACCOUNT', scope: string, roles: Role[]][] = [
    ['PARTNER', PARTNER, [...PARTNER_ROLES, 'custom', 'noaccess']],
    ['PARTNER', CUSTOMER, atCustomer],
    ['CUSTOMER', PARTNER, []],
    ['CUSTOMER', CUSTOMER, [...atCustomer, 'custom']],
    ['SERVICE_ACCOUNT', PARTNER, ['partner_user', 'nds_operator', 'custom']],
    ['SERVICE_ACCOUNT', CUSTOMER, ['customer_user', 'nds_operator', 'custom']]
  ]
  for (const [level, scope, roles] of cases)
    t.strictSame([...assignableRoles(level, scope)].sort(), [...roles].sort(), `${level} at ${scope}`)
})

t.test('the hierarchy has five tiers', async (t) => {
  t.strictSame(COLUMNS.map(tierOf), [0, 1, 2, 1, 2, 2, 2, 3, 4])
})

t.test('parses only the three forms of a scope', async (t) => {
  const invalidScopes = [
    '',
    ' ',
    '//',
    'organizations/1',
    '/organizations',
    '/organizations/',
    '/organizations/1/',
    '/organizations//customers/9',
    '/organizations/1/customers',
    '/organizations/1/customers/',
    '/organizations/1/customers/9/',
    '/organizations/1/customers/9/projects/3',
    '/organizations/1/users/9',
    '/customers/9',
    '/Organizations/1',
    '/organizations/1/Customers/9',
    'https://host/organizations/1',
    '/organizations/..',
    '/organizations/1/customers/.',
    '/organizations/1 ',
    '/organizations/1/customers/9,10',
    `/organizations/${'1'.repeat(129)}`,
    `/organizations/1/customers/${'9'.repeat(129)}`,
    `/organizations/${'1'.repeat(1_000_000)}`,
    '/'.repeat(1_000_000)
  ]
  for (const path of invalidScopes) t.equal(parseScope(path), null, JSON.stringify(path).slice(0, 80))
  const longId = '1'.repeat(128)
  t.strictSame(parseScope(customerScope(longId, longId)), { organizationId: longId, customerId: longId })
})

t.test('parses a scope into its organization and customer', async (t) => {
  t.strictSame(parseScope('/'), { organizationId: null, customerId: null })
  t.strictSame(parseScope('/organizations/1'), { organizationId: '1', customerId: null })
  t.strictSame(parseScope('/organizations/1/customers/c-9'), { organizationId: '1', customerId: 'c-9' })
  t.strictSame(parseScope(organizationScope('a')), { organizationId: 'a', customerId: null })
  t.strictSame(parseScope(customerScope('a', 'b')), { organizationId: 'a', customerId: 'b' })
})

t.test('a scope covers itself and all scopes below, compared by whole segments', async (t) => {
  const cases: [outer: string, inner: string, covered: boolean][] = [
    ['/organizations/1', '/organizations/10', false],
    ['/organizations/10', '/organizations/1', false],
    ['/organizations/1', '/organizations/10/customers/1', false],
    ['/organizations/1/customers/1', '/organizations/1/customers/10', false],
    ['/organizations/1/customers/9', '/organizations/1', false],
    ['/organizations/1', ROOT_SCOPE, false],
    ['/organizations/1', '', false],
    ['', '', false],
    ['', '/organizations/1', false],
    [ROOT_SCOPE, '', false],
    [ROOT_SCOPE, 'organizations/1', false],
    [ROOT_SCOPE, ROOT_SCOPE, true],
    [ROOT_SCOPE, '/organizations/1', true],
    [ROOT_SCOPE, '/organizations/1/customers/9', true],
    ['/organizations/1', '/organizations/1', true],
    ['/organizations/1', '/organizations/1/customers/9', true],
    ['/organizations/1/customers/9', '/organizations/1/customers/9', true]
  ]
  for (const [outer, inner, covered] of cases) t.equal(covers(outer, inner), covered, `${outer} → ${inner}`)
})

t.test('lists the scopes above a scope', async (t) => {
  const cases: [scope: string, above: string[]][] = [
    ['', []],
    ['organizations/1', []],
    [ROOT_SCOPE, []],
    ['/organizations/1', ['/']],
    ['/organizations/10', ['/']],
    ['/organizations/1/customers/9', ['/', '/organizations/1']],
    ['/organizations/1/customers/9/projects/3', ['/', '/organizations/1', '/organizations/1/customers/9']],
    [
      `/organizations/1/customers/9${'/x'.repeat(500_000)}`,
      ['/', '/organizations/1', '/organizations/1/customers/9']
    ]
  ]
  for (const [scope, above] of cases) {
    t.strictSame(ancestors(scope), above, scope.slice(0, 50))
    t.ok(above.every((outer) => covers(outer, scope)))
  }
})
