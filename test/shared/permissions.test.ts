import t from 'tap'
import {
  ACTIONS,
  type Action,
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

// The 36 rows of §6 and the two rules of its prose, written out by hand: an oracle must not share the data that it checks.
const COLUMNS: Role[] = [
  'global_admin',
  'partner_admin',
  'partner_user',
  'customer_admin',
  'customer_user',
  'niagara_remote',
  'nds_operator',
  'custom',
  'noaccess'
]
const TABLE = `
                                     GA PA PU CA CU NR NO custom noaccess
  customers:view                     x  x  x  -  -  x  x  -  -
  projects:view                      x  x  x  x  x  x  x  -  -
  devices:view                       x  x  x  x  x  x  x  -  -
  projects:create                    x  x  -  -  -  -  -  -  -
  projects:edit                      x  x  -  -  -  -  -  -  -
  projects:delete                    x  x  -  -  -  -  -  -  -
  devices:register                   x  x  -  -  -  -  -  -  -
  devices:edit                       x  x  -  -  -  -  -  -  -
  devices:move                       x  x  -  -  -  -  -  -  -
  devices:delete                     x  x  -  -  -  -  -  -  -
  exports:view                       x  x  x  x  x  -  -  -  -
  exports:download                   x  x  x  x  -  -  -  -  -
  exports:initiate                   x  x  x  x  -  -  -  -  -
  users:view                         x  x  -  x  -  -  -  -  -
  users:modify-roles                 x  x  -  x  -  -  -  -  -
  service-accounts:view              x  x  -  -  -  -  -  -  -
  service-accounts:create            x  x  -  -  -  -  -  -  -
  service-accounts:edit              x  x  -  -  -  -  -  -  -
  service-accounts:delete            x  x  -  -  -  -  -  -  -
  service-accounts:regenerate-secret x  x  -  -  -  -  -  -  -
  service-accounts:modify-roles      x  x  -  -  -  -  -  -  -
  data:query-model                   x  x  x  x  x  x  x  -  -
  data:query                         x  x  x  x  x  x  x  -  -
  data:export                        x  x  x  x  x  x  x  -  -
  reports:view                       x  x  x  x  x  x  x  -  -
  reports:create                     x  x  -  x  -  -  -  -  -
  reports:delete                     x  x  -  x  -  -  -  -  -
  recover:view                       x  x  x  x  x  -  -  -  -
  recover:edit                       x  x  -  -  -  -  -  -  -
  recover:delete                     x  x  -  -  -  -  -  -  -
  recover:download                   x  x  x  x  -  -  -  -  -
  remote:connect                     x  x  -  x  -  x  -  -  -
  alarms:query                       x  x  x  x  x  x  x  -  -
  alarms:manage                      x  x  -  x  -  -  x  -  -
  live:read                          x  x  x  x  x  x  x  -  -
  live:write                         x  x  -  x  -  -  x  -  -
  audit-log:view                     x  x  x  x  x  x  x  -  -
  tech-support:toggle                -  x  -  -  -  -  -  -  -
`
const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [action = '', ...cells] = line.trim().split(/\s+/)
    return { action: action as Action, allowed: cells.map((cell) => cell === 'x') }
  })

const CUSTOMER = '/organizations/1/customers/9'
const PARTNER = '/organizations/1'

t.test('the table has every action once and nothing else', async (t) => {
  t.equal(ROWS.length, 36 + 2)
  t.strictSame(
    ROWS.map((row) => row.action),
    [...ACTIONS]
  )
})

t.test('each role may do what the table says and no more', async (t) => {
  for (const { action, allowed } of ROWS) {
    COLUMNS.forEach((role, column) => {
      const held: Assignment[] = [{ role, scope: CUSTOMER }]
      const expected = allowed[column] === true
      t.equal(may(held, action, CUSTOMER), expected, `${role} ${action}`)
      t.equal(mayAnywhere(held, action), expected, `${role} ${action} anywhere`)
    })
    const named = COLUMNS.filter((_, column) => allowed[column])
    t.strictSame([...rolesAllowing(action)].sort(), [...named].sort(), `roles allowing ${action}`)
  }
})

t.test('nobody without an assignment may do anything', async (t) => {
  for (const action of ACTIONS) {
    t.notOk(may([], action, '/'), action)
    t.notOk(may([], action, CUSTOMER), action)
    t.notOk(mayAnywhere([], action), action)
  }
})

t.test('a role holds at its scope and below it, never above or beside it', async (t) => {
  const cases: [held: string, at: string, allowed: boolean][] = [
    [CUSTOMER, '/', false],
    [CUSTOMER, PARTNER, false],
    [CUSTOMER, '/organizations/1/customers/90', false],
    [CUSTOMER, '/organizations/1/customers/8', false],
    [CUSTOMER, '/organizations/2/customers/9', false],
    [PARTNER, '/', false],
    [PARTNER, '/organizations/10', false],
    [PARTNER, '/organizations/10/customers/9', false],
    [PARTNER, '/organizations/2/customers/9', false],
    ['/organizations/10', '/organizations/1', false],
    ['', CUSTOMER, false],
    ['organizations/1', CUSTOMER, false],
    ['/organizations/1/', CUSTOMER, false],
    ['/organizations/1/customers', CUSTOMER, true],
    [CUSTOMER, CUSTOMER, true],
    [PARTNER, PARTNER, true],
    [PARTNER, CUSTOMER, true],
    ['/', '/', true],
    ['/', PARTNER, true],
    ['/', CUSTOMER, true]
  ]
  for (const [scope, at, allowed] of cases)
    t.equal(may([{ role: 'partner_admin', scope }], 'devices:delete', at), allowed, `${scope} → ${at}`)
})

t.test('inherited and assigned roles are combined', async (t) => {
  const held: Assignment[] = [
    { role: 'custom', scope: PARTNER },
    { role: 'customer_user', scope: '/organizations/1/customers/7' },
    { role: 'customer_admin', scope: CUSTOMER },
    { role: 'nds_operator', scope: PARTNER }
  ]
  t.notOk(may(held, 'users:view', PARTNER), 'an admin of one customer is none of its integrator')
  t.notOk(may(held, 'users:view', '/organizations/1/customers/7'), 'nor of another customer')
  t.notOk(may(held, 'exports:view', '/organizations/1/customers/8'), 'the custom marker allows nothing')
  t.ok(may(held, 'users:view', CUSTOMER), 'assigned at the customer')
  t.ok(may(held, 'live:write', '/organizations/1/customers/7'), 'inherited from the integrator')
  t.ok(may(held, 'exports:view', '/organizations/1/customers/7'), 'assigned beside the inherited one')
})

t.test('no access at a customer takes nothing away that is inherited', async (t) => {
  const held: Assignment[] = [
    { role: 'noaccess', scope: CUSTOMER },
    { role: 'partner_user', scope: PARTNER }
  ]
  t.ok(may(held, 'devices:view', CUSTOMER))
})

t.test('a role is recognised by the known name that a role name contains', async (t) => {
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

t.test('role numbers and names are those of the specification', async (t) => {
  t.strictSame(
    ROLES.map(({ number, name }) => [number, name]),
    [
      [1, 'global_admin'],
      [2, 'partner_admin'],
      [3, 'partner_user'],
      [4, 'customer_admin'],
      [5, 'customer_user'],
      [6, 'niagara_remote'],
      [7, 'nds_operator']
    ]
  )
})

t.test('holding a role is asked by name, at any scope', async (t) => {
  const held: Assignment[] = [{ role: 'customer_user', scope: CUSTOMER }]
  t.notOk(holds([], 'customer_user'))
  t.notOk(holds(held))
  t.notOk(holds(held, 'customer_admin', 'custom'))
  t.ok(holds(held, 'customer_admin', 'customer_user'))
})

const REAL: Role[] = ['partner_admin', 'partner_user', 'niagara_remote', 'nds_operator']

t.test('each level is assigned its own roles, at the kind of scope where they mean something', async (t) => {
  const outside = [
    '/',
    '',
    '/organizations',
    '/organizations/1/',
    'organizations/1',
    `${CUSTOMER}/projects/3`
  ]
  for (const level of ['PARTNER', 'CUSTOMER', 'SERVICE_ACCOUNT'] as const) {
    for (const scope of outside) t.strictSame(assignableRoles(level, scope), [], `${level} at ${scope}`)
    for (const scope of [PARTNER, CUSTOMER])
      t.notOk(
        assignableRoles(level, scope).includes('global_admin'),
        `${level} at ${scope}: never global admin`
      )
  }
  const atCustomer: Role[] = ['customer_admin', 'customer_user', 'niagara_remote', 'nds_operator', 'noaccess']
  const cases: [level: 'PARTNER' | 'CUSTOMER' | 'SERVICE_ACCOUNT', scope: string, roles: Role[]][] = [
    ['PARTNER', PARTNER, [...REAL, 'custom', 'noaccess']],
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
