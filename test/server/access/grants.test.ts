// Nobody hands out what they do not hold, nor where they may not: the rule against an oracle of its own, and the calls
// as they reach the upstream. What is refused is not sent, and what is sent is what was decided.
import t, { type Test } from 'tap'
import { grantRefusal } from '#shared/grants.ts'
import type { Assignment, Role } from '#shared/permissions.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'
import { sendAlone } from '../../support/raw-http.ts'
import { startRecordingUpstream } from '../../support/recording-upstream.ts'
import { sentCookies } from '../../support/sent-cookies.ts'

const M = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const at = (customerId: string) => `${ORGANIZATION}/customers/${customerId}`
const NORTHWIND = at(NOTABLE.northwind)
const [CUSTOM_FIRST, CUSTOM_SECOND] = NOTABLE.custom

// §6, once more and from the text: numbers are the roles' own.
const TIER: Record<string, number> = {
  global_admin: 1,
  partner_admin: 2,
  customer_admin: 2,
  partner_user: 3,
  customer_user: 3,
  niagara_remote: 3,
  nds_operator: 3,
  custom: 4,
  noaccess: 5
}
const MAY_GRANT = {
  'users:modify-roles': ['global_admin', 'partner_admin', 'customer_admin'],
  'service-accounts:create': ['global_admin', 'partner_admin']
}
const ASSIGNABLE: Record<string, [organization: string[], customer: string[]]> = {
  PARTNER: [
    ['partner_admin', 'partner_user', 'niagara_remote', 'nds_operator', 'custom', 'noaccess'],
    ['customer_admin', 'customer_user', 'niagara_remote', 'nds_operator', 'noaccess']
  ],
  CUSTOMER: [[], ['customer_admin', 'customer_user', 'niagara_remote', 'nds_operator', 'custom', 'noaccess']],
  SERVICE_ACCOUNT: [
    ['partner_user', 'nds_operator', 'custom'],
    ['customer_user', 'nds_operator', 'custom']
  ]
}
const HELD_AT = [
  '/',
  '/organizations/1',
  '/organizations/1/customers/9',
  '/organizations/10',
  '/organizations/1/customers/90'
]
const GRANTED_AT = [
  ...HELD_AT,
  '/organizations/2',
  '/organizations/2/customers/9',
  '/organizations/1/customers/8',
  '',
  '//',
  'organizations/1',
  '/organizations',
  '/organizations/',
  '/organizations/1/',
  '/organizations/1/customers',
  '/organizations/1/customers/',
  '/organizations/1/customers/9/',
  '/organizations/1/customers/9/projects/3',
  '/organizations//customers/9',
  '/organizations/1/customers/9 ',
  '/Organizations/1'
]

/** The organization and customer that a scope names, segment by segment; null for what is no scope. */
function partsOf(scope: string): string[] | null {
  if (scope === '/') return []
  const found = /^\/organizations\/([^/]+)(?:\/customers\/([^/]+))?$/.exec(scope)
  if (/\s/.test(scope)) return null
  return found ? [found[1], found[2]].filter((part) => part !== undefined) : null
}

function lies(inner: string, outer: string): boolean {
  const [deep, high] = [partsOf(inner), partsOf(outer)]
  return Boolean(deep && high?.every((part, index) => part === deep[index]))
}

function mayBeGranted(
  held: Assignment[],
  role: string,
  scope: string,
  level: string,
  action: keyof typeof MAY_GRANT
) {
  const parts = partsOf(scope)
  if (parts === null || parts.length === 0) return false
  if (!ASSIGNABLE[level]?.[parts.length - 1]?.includes(role)) return false
  const over = held.filter((one) => lies(scope, one.scope))
  const highest = Math.min(...over.map((one) => TIER[one.role] ?? 9))
  return over.some((one) => MAY_GRANT[action].includes(one.role)) && highest <= (TIER[role] ?? 0)
}

const portal = await startPortal(t)
const { sandbox } = portal
const { state } = sandbox
const partner = await portal.as('partner.admin')
const customer = await portal.as('customer.admin')
const custom = await portal.as('custom.user')

t.test('every role, held anywhere, gives what it may and nothing more', async (t) => {
  const roles = Object.keys(TIER) as Role[]
  const single = roles.flatMap((role) => HELD_AT.map((scope): Assignment[] => [{ role, scope }]))
  const pairs = single.flatMap((one, index) => single.slice(index + 1).map((other) => [...one, ...other]))
  const wrong: string[] = []
  let [count, given] = [0, 0]
  for (const held of [[], ...single, ...pairs]) {
    for (const role of roles) {
      for (const scope of GRANTED_AT) {
        for (const level of ['PARTNER', 'CUSTOMER', 'SERVICE_ACCOUNT'] as const) {
          for (const action of ['users:modify-roles', 'service-accounts:create'] as const) {
            const may = grantRefusal(held, [{ role, scope }], level, action) === null
            count += 1
            if (may) given += 1
            const above = held.every(
              (one) => !lies(scope, one.scope) || (TIER[one.role] ?? 9) > (TIER[role] ?? 0)
            )
            if (may !== mayBeGranted(held, role, scope, level, action) || (may && above))
              wrong.push(`${JSON.stringify(held)} ${action}: ${role} at "${scope}" (${level}) ${may}`)
          }
        }
      }
    }
  }
  t.strictSame(wrong.slice(0, 10), [])
  t.ok(count > 1_000_000, `${count} cases`)
  t.ok(given > 10_000, `${given} of them may be given`)
})

t.test('one grant that may not be given spoils the others', async (t) => {
  const held: Assignment[] = [{ role: 'customer_admin', scope: '/organizations/1/customers/9' }]
  const good: Assignment = { role: 'customer_user', scope: '/organizations/1/customers/9' }
  const bad: Assignment = { role: 'customer_user', scope: '/organizations/1/customers/90' }
  const refusal = (...grants: Assignment[]) => grantRefusal(held, grants, 'CUSTOMER', 'users:modify-roles')
  t.equal(refusal(good, good), null)
  for (const grants of [[bad], [good, bad], [bad, good], [good, good, bad]]) t.ok(refusal(...grants))
})

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

/** Makes the call and tells the bodies that its API got. */
async function watched(call: () => Promise<Answered>) {
  const from = sandbox.calls.length
  const answer = await call()
  const sent = sandbox.calls.slice(from).filter(({ headers }) => headers['x-request-id'] !== undefined)
  return { ...answer, sent: sent.map(({ body }) => body) }
}

/** Refused with that status, and nothing was sent. */
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

t.test('roles of a user out of reach, above one’s own, or not assignable there are 403', async (t) => {
  const before = roles('u-customer-user')
  const cases: [name: string, browser: Browser, body: object][] = [
    ['at another customer', customer, { create: [grant(5, at('c-1005'))] }],
    ['at a customer whose id begins alike', customer, { create: [grant(5, `${NORTHWIND}0`)] }],
    ['at the integrator', customer, { create: [grant(3, ORGANIZATION)] }],
    ['at the top', customer, { create: [grant(1, '/')] }],
    ['the highest of all', partner, { create: [grant(1, '/')] }],
    ['the highest of all, at the integrator', partner, { create: [grant(1, ORGANIZATION)] }],
    ['the integrator’s admin, at a customer', customer, { create: [grant(2, NORTHWIND)] }],
    ['the integrator’s user, at a customer', partner, { create: [grant(3, NORTHWIND)] }],
    ['a role at the integrator, for a customer’s user', partner, { create: [grant(2, ORGANIZATION)] }],
    ['at another integrator', partner, { create: [grant(5, '/organizations/200/customers/c-2001')] }],
    [
      'at a customer of another integrator under our own',
      partner,
      { create: [grant(5, '/organizations/200')] }
    ],
    ['one good, one bad', customer, { create: [grant(5, NORTHWIND), grant(5, at('c-1005'))] }],
    ['a scope that is none', customer, { create: [grant(5, 'x')] }],
    ['an empty scope', customer, { create: [grant(5, '')] }],
    ['a scope with a slash more', customer, { create: [grant(5, `${NORTHWIND}/`)] }],
    ['a scope that climbs', customer, { create: [grant(5, `${NORTHWIND}/../c-1005`)] }],
    ['a scope below a customer', customer, { create: [grant(5, `${NORTHWIND}/projects/1`)] }],
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

t.test('who may change no roles changes none, not even their own', async (t) => {
  for (const name of [
    'customer.user',
    'partner.user',
    'niagara.remote',
    'nds.operator',
    'customer.multi',
    'no.access'
  ]) {
    const browser = await portal.as(name)
    const own = `u-${name.replace('.', '-')}`
    await refused(t, `${name}, own`, 403, () => change(browser, own, { create: [grant(4, NORTHWIND)] }))
    await refused(t, `${name}, of another`, 403, () =>
      change(browser, 'u-customer-user', { delete: ['ra-u-customer-user-1'] })
    )
  }
  await refused(t, 'an admin at one customer, of a user of another', 403, () =>
    change(custom, 'u-customer-user', { create: [grant(5, at(CUSTOM_FIRST))] })
  )
  await refused(t, 'nobody there', 404, () => change(partner, 'u-nobody', { create: [grant(5, NORTHWIND)] }))
})

t.test('a role that is not named as roles are is 400', async (t) => {
  const links: unknown[] = [
    '/roles/99',
    '/roles/0',
    '/roles/-1',
    '/roles/5.0',
    '/roles/05',
    '/roles/5/',
    '/roles/',
    '/roles',
    'roles/5',
    '5',
    5,
    null,
    true,
    {},
    [],
    ['/roles/5'],
    '/roles/ 5',
    '/roles/5 ',
    '/roles/%35',
    '//roles/5',
    '/roles/5/x',
    '/roles/5?x=1/5',
    '/roles/customer_user',
    'https://api.example.com/roles/5',
    '/roles/constructor',
    '/roles/__proto__',
    '',
    undefined
  ]
  for (const link of links)
    await refused(t, JSON.stringify(link) ?? 'none', 400, () =>
      change(customer, 'u-customer-user', { create: [{ role: link, scope: NORTHWIND }] })
    )
  for (const scope of [undefined, null, 5, {}, [NORTHWIND]])
    await refused(t, `scope ${JSON.stringify(scope)}`, 400, () =>
      change(customer, 'u-customer-user', { create: [{ role: '/roles/5', scope }] })
    )
})

t.test('a body that is not as it must be is 400', async (t) => {
  const bodies: Body[] = [
    '',
    ' ',
    '{',
    'null,',
    '{"create":[}',
    "{'create':[]}",
    '{"create":[],}',
    '\ufeff{}',
    'undefined',
    'NaN',
    '{"create":{}}',
    '{"create":"x"}',
    '{"create":[null]}',
    '{"create":[[]]}',
    '{"create":["/roles/5"]}',
    '{"update":{}}',
    '{"update":[{"role":"/roles/5","scope":"/"}]}',
    '{"update":[null]}',
    '{"delete":{}}',
    '{"delete":"ra-1"}',
    '{"delete":[null]}',
    '{"delete":[""]}',
    '{"delete":[{}]}',
    '{"delete":[["ra-1"]]}',
    '{"delete":null}'
  ]
  for (const body of bodies)
    await refused(t, `${JSON.stringify(body)}`, 400, () => change(customer, 'u-customer-user', body))
  await refused(t, 'a form', 400, () =>
    send(customer, 'PATCH', rolesPath('u-customer-user'), 'create=x', {
      'content-type': 'application/x-www-form-urlencoded'
    })
  )
  const huge = JSON.stringify({ create: [], padding: 'x'.repeat(1_100_000) })
  await refused(t, 'a megabyte', 413, () => change(customer, 'u-customer-user', huge))
  await refused(t, 'none at all', 400, () => send(customer, 'PATCH', rolesPath('u-customer-user')))
})

t.test('an assignment that the user does not have is 404', async (t) => {
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

t.test('a scope that does not exist, or lies elsewhere than it says, is given to nobody', async (t) => {
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

t.test('one assignment is named once, and one grant does not lie in another', async (t) => {
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

t.test('a body nested deeper than anybody can read is refused', async (t) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const [mine] = state.devices.of(NOTABLE.northwind)
  const claim = { 'x-customer-id': NOTABLE.northwind }
  await refused(t, 'as a list of grants', 400, () =>
    change(customer, 'u-customer-user', `{"create":${deep}}`)
  )
  await refused(t, 'inside a grant', 400, () =>
    change(customer, 'u-customer-user', `{"create":[{"role":"/roles/5","scope":"${NORTHWIND}","x":${deep}}]}`)
  )
  await refused(t, 'in a query of histories', 400, () =>
    send(
      customer,
      'POST',
      '/api/v1/egress/telemetry',
      `{"systemGuid":"${mine?.systemGuid}","pointIds":${deep}}`,
      claim
    )
  )
  await refused(t, 'as the whole body', 400, () => change(customer, 'u-customer-user', deep))
})

t.test('what is taken away must be within reach too', async (t) => {
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
  t.equal(status, 200, 'by the integrator’s admin it is')
  t.strictSame(user.roleAssignments, before)
})

t.test('names that come twice are refused, whichever of the two is good', async (t) => {
  const upstream = await startRecordingUpstream(t, sandbox)
  const recorded = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_MANAGEMENT_URL: upstream.url }
  })
  const [cookie = ''] = await sentCookies((await recorded.as('customer.admin')).jar)
  const call = (body: string) =>
    sendAlone(
      Number(new URL(recorded.url).port),
      `PATCH ${rolesPath('u-customer-user')} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncookie: ${cookie}\r\norigin: ${recorded.url}\r\nx-portal-csrf: 1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    )
  const good = `[{"role":"/roles/5","scope":"${NORTHWIND}"}]`
  const bad = '[{"role":"/roles/1","scope":"/"}]'
  const lastIsBad = [
    `{"create":${good},"create":${bad}}`,
    `{"create":${good},"cre\\u0061te":${bad}}`,
    `{"create":[{"role":"/roles/5","scope":"${NORTHWIND}","scope":"/"}]}`,
    `{"create":[{"role":"/roles/5","role":"/roles/1","scope":"${NORTHWIND}"}]}`
  ]
  for (const body of lastIsBad) t.equal((await call(body)).status, 400, body)
  t.strictSame(upstream.passed, [])
  for (const more of ['"__proto__":{"create":[]}', '"Create":[]', '"roleAssignments":[]'])
    t.equal((await call(`{"create":${good},${more}}`)).status, 400, more)
  t.strictSame(upstream.passed, [], 'a field that nobody knows is not sent')
  const lastIsGood = [
    `{"create":${bad},"create":${good}}`,
    `{"cre\\u0061te":${bad},"create":${good}}`,
    `{"create":[{"role":"/roles/1","role":"/roles/5","scope":"/","scope":"${NORTHWIND}"}]}`
  ]
  for (const body of lastIsGood) t.equal((await call(body)).status, 400, body)
  t.strictSame(upstream.passed, [])
  t.equal((await call(`  {"create" : ${good} , "update":[]}  `)).status, 200)
  const sent = JSON.parse(upstream.passed[0]?.body ?? '')
  t.match(sent, { create: JSON.parse(good), update: [] })
})

t.test(
  'a body that was decided on goes up as the JSON that it is, whatever its sender calls it',
  async (t) => {
    const upstream = await startRecordingUpstream(t, sandbox)
    const recorded = await startPortal(t, {
      startedSandbox: sandbox,
      env: { UPSTREAM_MANAGEMENT_URL: upstream.url }
    })
    const browser = await recorded.as('customer.admin')
    const types = [
      'application/x-www-form-urlencoded',
      'text/xml',
      'application/json; charset=utf-16',
      'application/json; charset=utf-7',
      'multipart/form-data; boundary=x',
      'application/merge-patch+json'
    ]
    for (const type of types) {
      upstream.passed.length = 0
      const body = { create: [grant(5, NORTHWIND)] }
      const { status } = await send(browser, 'PATCH', rolesPath('u-customer-user'), body, {
        'content-type': type
      })
      const [passed] = upstream.passed
      if (passed === undefined) t.ok([400, 415].includes(status), `${type}: ${status}`)
      else {
        const at = passed.rawHeaders.findIndex((name) => name.toLowerCase() === 'content-type')
        t.match(passed.rawHeaders[at + 1], /^application\/json(?:; ?charset=utf-8)?$/i, type)
      }
    }
  }
)

t.test('a wider assignment takes the place of the narrower ones', async (t) => {
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
  t.match(marker.sent, [{ delete: [] }], 'custom access is made of narrower ones: it replaces none')
  user.roleAssignments = before

  const named = await watched(() =>
    change(partner, 'u-custom-user', { create: [grant(3, ORGANIZATION)], delete: narrower.slice(0, 1) })
  )
  t.strictSame((named.sent[0] as { delete: string[] }).delete.sort(), narrower.sort(), 'none is named twice')
  user.roleAssignments = before
})

/** A customer with exactly these admins. */
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

t.test('the last admin of a customer stays, in whatever way they would go', async (t) => {
  const [first, second] = ['u-c-1003-1', 'u-c-1003-2']
  const idOf = (user: string) => state.users.get(user)?.roleAssignments[0]?.id ?? ''
  const scope = at('c-1003')
  withAdmins('c-1003', first)
  const ways: Record<string, object> = {
    'taken away': { delete: [idOf(first)] },
    lowered: { update: [{ id: idOf(first), ...grant(5, scope) }] },
    'moved to another customer': { update: [{ id: idOf(first), ...grant(4, at('c-1002')) }] },
    'taken away for something less': { delete: [idOf(first)], create: [grant(5, scope)] },
    'taken away for the same elsewhere': { delete: [idOf(first)], create: [grant(4, at('c-1002'))] }
  }
  for (const [name, body] of Object.entries(ways)) {
    const answer = await refused(t, name, 409, () => change(partner, first, body))
    t.equal(answer.code, 'LAST_ADMIN')
  }
  const kept = await change(partner, first, { update: [{ id: idOf(first), ...grant(4, scope) }] })
  t.equal(kept.status, 200, 'who stays admin may be changed')

  withAdmins('c-1003', first, second)
  t.equal((await change(partner, first, { delete: [idOf(first)] })).status, 200, 'of two, one may go')
  await refused(t, 'and then the other stays', 409, () => change(partner, second, { delete: [idOf(second)] }))
})

t.test('an invitation gives what its sender may give, where it is about', async (t) => {
  const invite = (browser: Browser, changes: object) =>
    send(browser, 'POST', `${M}/userInvitations`, {
      email: 'somebody@example.com',
      partner: ORGANIZATION,
      customer: `/organizations/${NOTABLE.northwind}`,
      roleAssignments: [grant(5, NORTHWIND)],
      ...changes
    })
  const cases: [name: string, browser: Browser, changes: object, status: number | number[]][] = [
    ['above one’s own', customer, { roleAssignments: [grant(2, NORTHWIND)] }, 403],
    ['the highest of all', partner, { roleAssignments: [grant(1, '/')] }, 403],
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

t.test('a service account gets what its maker may give, where it is about', async (t) => {
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
    ['an admin of the integrator', { roleAssignments: [grant(2, ORGANIZATION)] }, 403],
    ['remote access', { roleAssignments: [grant(6, NORTHWIND)] }, 403],
    ['the highest of all', { roleAssignments: [grant(1, '/')] }, 403],
    ['at another customer', { roleAssignments: [grant(5, at('c-1005'))] }, 403],
    ['at the integrator', { roleAssignments: [grant(3, ORGANIZATION)] }, 403],
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

t.test('a call about several things is about things of one customer, or is not made', async (t) => {
  const own = state.devices.of(NOTABLE.northwind)
  const [mine, also] = own
  const [foreign] = state.devices.of('c-1005')
  const [foreignProject] = state.projects.of('c-1005')
  if (!mine || !also || !foreign || !foreignProject) return t.fail('the sandbox lacks devices')
  const claim = { 'x-customer-id': NOTABLE.northwind }
  const item = (deviceId: unknown) => ({ deviceId, alarmUuids: ['a'], requestProcessingPriority: 255 })
  const batch = (...items: unknown[]) =>
    send(customer, 'POST', '/api/v1/control/devices/commands/acknowledgeAlarmBatch', items, claim)
  await refused(t, 'one foreign device', 404, () => batch(item(mine.id), item(foreign.id)))
  await refused(t, 'one by its uuid', 404, () => batch(item(mine.id), item(foreign.deviceUuid)))
  await refused(t, 'one that is nowhere', 404, () => batch(item(mine.id), item('d-nowhere')))
  for (const bad of [item(undefined), item(''), item(null), item(7), item([mine.id]), {}, null, 'x', []])
    await refused(t, JSON.stringify(bad), 400, () => batch(item(mine.id), bad))
  await refused(t, 'none', 400, () => batch())
  await refused(t, 'too many', 400, () => batch(...Array.from({ length: 1001 }, () => item(mine.id))))
  t.equal((await batch(item(mine.id), item(also.deviceUuid))).status, 207)

  const telemetry = (body: object) => send(customer, 'POST', '/api/v1/egress/telemetry', body, claim)
  const query = { pointIds: ['p'], startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }
  await refused(t, 'another customer’s history', 404, () =>
    telemetry({ ...query, systemGuid: foreign.systemGuid })
  )
  await refused(t, 'two histories', 400, () =>
    telemetry({ ...query, systemGuid: mine.systemGuid, systemGuids: [foreign.systemGuid] })
  )
  await refused(t, 'a history of nobody', 400, () => telemetry(query))
  for (const systemGuid of [null, 7, {}, '', [], [[mine.systemGuid]]])
    await refused(t, JSON.stringify(systemGuid), 400, () => telemetry({ ...query, systemGuid }))
  t.equal((await telemetry({ ...query, systemGuid: mine.systemGuid })).status, 200)

  const points = (id: string, body: object) =>
    send(customer, 'POST', `/api/v1/entitymodel/customers/${id}/pointNames?page=0&size=1`, body)
  const search = { searchItems: ['x'], searchType: 'pointNames', comparisonType: 'CONTAINS' }
  await refused(t, 'another customer’s points', 404, () =>
    points(NOTABLE.northwind, { ...search, systemGuid: foreign.systemGuid })
  )
  await refused(t, 'points of another customer', 403, () =>
    points('c-1005', { ...search, systemGuid: foreign.systemGuid })
  )

  const move = (project: unknown) => send(partner, 'PATCH', `${M}/devices/${mine.id}`, { project }, claim)
  await refused(t, 'moved into another customer’s project', 404, () => move(`/projects/${foreignProject.id}`))
  for (const project of ['', null, 7, foreignProject.id, `/projects/${mine.projectId}/..`, '/projects/', {}])
    await refused(t, `moved to ${JSON.stringify(project)}`, [400, 404], () => move(project))
  t.equal(state.devices.get(mine.id)?.projectId, mine.projectId)
})

t.test('where an object is looked for must be said plainly, and be true', async (t) => {
  const [mine] = state.devices.of(NOTABLE.northwind)
  const [foreign] = state.devices.of('c-1005')
  if (!mine || !foreign) return t.fail('the sandbox lacks devices')
  const read = (deviceId: string, headers: Record<string, string>) =>
    send(
      customer,
      'POST',
      `/api/v1/control/devices/${deviceId}/commands/read`,
      { cloudIds: ['x'], requestProcessingPriority: 255 },
      headers
    )
  await refused(t, 'not said', 400, () => read(mine.id, {}))
  const unreadable = [
    '',
    ' ',
    `${NOTABLE.northwind}, c-1005`,
    `${NOTABLE.northwind},c-1005`,
    `${NOTABLE.northwind}/`,
    '/',
    '/organizations/c-1001',
    `c-1005 ${NOTABLE.northwind}`,
    `${NOTABLE.northwind}\t`.concat('x')
  ]
  for (const claim of unreadable)
    await refused(t, JSON.stringify(claim), 400, () => read(mine.id, { 'x-customer-id': claim }))
  await refused(t, 'a customer out of reach', 403, () => read(foreign.id, { 'x-customer-id': 'c-1005' }))
  await refused(t, 'a customer where it is not', 403, () => read(mine.id, { 'x-customer-id': 'c-1005' }))
  await refused(t, 'not there', 404, () => read(foreign.id, { 'x-customer-id': NOTABLE.northwind }))
  await refused(t, 'nowhere', 404, () => read('d-nowhere', { 'x-customer-id': NOTABLE.northwind }))
  await refused(t, 'an integrator', [403, 404], () => read(mine.id, { 'x-customer-id': NOTABLE.partner }))
  const odd = [
    'nobody',
    '..',
    '.',
    '%2e%2e',
    'C-1001',
    `${NOTABLE.northwind}#`,
    `${NOTABLE.northwind}?x`,
    '__proto__',
    'constructor',
    '*',
    '\\',
    'x'.repeat(4000),
    'é'.normalize('NFC')
  ]
  for (const claim of odd)
    await refused(t, claim.slice(0, 20), [400, 403, 404, 414], () =>
      read(mine.id, { 'x-customer-id': Buffer.from(claim).toString('latin1') })
    )
  const [cookie = ''] = await sentCookies(customer.jar)
  const doubled = await sendAlone(
    Number(new URL(portal.url).port),
    `POST /api/v1/control/devices/${mine.id}/commands/read HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncookie: ${cookie}\r\norigin: ${portal.url}\r\nx-portal-csrf: 1\r\nx-customer-id: ${NOTABLE.northwind}\r\nX-Customer-Id: c-1005\r\ncontent-length: 2\r\n\r\n{}`
  )
  t.equal(doubled.status, 400, 'said twice')
})

t.test('what is somebody’s own is nobody else’s', async (t) => {
  for (const browser of [customer, partner, await portal.as('global.admin')]) {
    for (const [method, path] of [
      ['GET', '/api/v1/notifications/users/u-customer-user'],
      ['PUT', '/api/v1/notifications/users/u-customer-user'],
      ['GET', '/api/v1/notifier/users/u-customer-user/inapp'],
      ['PUT', '/api/v1/notifier/users/u-customer-user']
    ] as const)
      await refused(t, `${method} ${path}`, 403, () =>
        send(browser, method, path, method === 'PUT' ? [] : undefined)
      )
  }
  for (const id of ['inv-3', 'inv-5', 'inv-none', '..', 'inv-1 ']) {
    for (const answer of ['accept', 'reject']) {
      const body = await refused(t, `${answer} ${id}`, [400, 404], () =>
        send(customer, 'POST', `${M}/userInvitation/${encodeURIComponent(id)}/${answer}`)
      )
      if (/^inv-\w+$/.test(id)) t.equal(body.code, 'notFound')
    }
  }
  t.equal(state.invitations.get('inv-3')?.status, 'PENDING')
  const invited = await portal.as('invited.user')
  t.equal((await send(invited, 'POST', `${M}/userInvitation/inv-1/accept`)).status, 204)
  t.equal(state.invitations.get('inv-1')?.status, 'ACCEPTED')
})

t.test('an invitation is cancelled and sent again where it was made', async (t) => {
  const cases: [browser: Browser, claim: string | null, status: number | number[]][] = [
    [customer, 'c-1005', 403],
    [customer, NOTABLE.partner, 403],
    [partner, 'c-1005', 404],
    [partner, '200', 403],
    [partner, null, 400],
    [custom, CUSTOM_FIRST, 404],
    [custom, CUSTOM_SECOND, 403]
  ]
  for (const [browser, claim, status] of cases) {
    const headers: Record<string, string> = claim === null ? {} : { 'x-customer-id': claim }
    await refused(t, `cancel from ${claim}`, status, () =>
      send(browser, 'DELETE', `${M}/userInvitations/inv-3`, undefined, headers)
    )
    await refused(t, `resend from ${claim}`, status, () =>
      send(browser, 'POST', `${M}/userInvitation/inv-3/resend`, undefined, headers)
    )
  }
  const there = { 'x-customer-id': NOTABLE.northwind }
  t.equal((await send(customer, 'POST', `${M}/userInvitation/inv-3/resend`, undefined, there)).status, 204)
  t.equal((await send(customer, 'DELETE', `${M}/userInvitations/inv-3`, undefined, there)).status, 204)
})

t.test('nothing of all this was a surprise to the gateway', async (t) => {
  t.strictSame(portal.logged.filter((line) => /"level":"(?:error|fatal)"/.test(line)).slice(0, 3), [])
})
