import t from 'tap'
import type { Bearer } from '#server/upstreams/client.ts'
import { readVisibility, visibilityOf } from '#server/upstreams/visibility.ts'

const BEARER: Bearer = { accessToken: async () => 'token', replaceToken: async () => null }
const CUSTOMER = '/organizations/1/customers/9'

let assignments = 0
/** An assignment as the contract has it, with an id of its own. */
function assigned(more: object = {}) {
  assignments += 1
  const links = { self: { href: `/roleAssignments/${assignments}` }, role: { href: '/roles/5' } }
  return { id: `r-${assignments}`, scope: CUSTOMER, roleName: 'customer_user', _links: links, ...more }
}
let users = 0
/** What another user of that kind gets to see. */
function visibilityWith(more: object) {
  users += 1
  return readVisibility({
    id: `u-${users}`,
    fullName: `User ${users}`,
    organizationId: '1',
    userType: 'PARTNER',
    roleAssignments: [assigned()],
    ...more
  })
}
const BOTH = () => [assigned({ roleName: 'ncp_partner_admin', scope: '/organizations/1' }), assigned()]

t.test('shares nothing when a part of the assignments is not known', async (t) => {
  const unknown: [name: string, user: object][] = [
    ['another kind of user', { userType: 'ROBOT' }],
    ['no list', { roleAssignments: 'customer_user' }],
    ['no assignment', { roleAssignments: [null] }],
    ...['viewer', '', undefined, 'customer_user_all_floors', 'customer_user all floors', 'custom_view'].map(
      (roleName): [string, object] => [`role ${roleName}`, { roleAssignments: [assigned({ roleName })] }]
    ),
    ...['/projects/p-1', `${CUSTOMER}/projects/p-1`, '', ['/']].map((scope): [string, object] => [
      `scope ${scope}`,
      { roleAssignments: [assigned(), assigned({ scope })] }
    ]),
    ['a field', { roleAssignments: [assigned({ floors: [1] })] }],
    ['a link', { roleAssignments: [assigned({ _links: { project: { href: '/projects/p-1' } } })] }]
  ]
  for (const [name, user] of unknown) t.not(visibilityWith(user), visibilityWith(user), name)
  const again = { id: 'u', ...unknown[4]?.[1] }
  t.equal(readVisibility(again), readVisibility(again), 'the same user sees the same')
})

t.test('separates users of other organizations, types, roles and scopes', async (t) => {
  const different = [
    {},
    { organizationId: '2' },
    { userType: 'CUSTOMER' },
    { roleAssignments: [] },
    { roleAssignments: BOTH() },
    ...[
      { scope: `${CUSTOMER}9` },
      { roleName: 'customer_admin' },
      { roleName: 'ncp_customer_user' },
      { roleNumber: 5 },
      { _links: { role: { href: '/roles/6' } } }
    ].map((more) => ({ roleAssignments: [assigned(more)] }))
  ]
  t.equal(new Set(different.map(visibilityWith)).size, different.length)
})

t.test('is equal for users with the same assignments, in any order', async (t) => {
  t.equal(visibilityWith({ roleAssignments: BOTH() }), visibilityWith({ roleAssignments: BOTH().reverse() }))
  t.equal(visibilityWith({ roleAssignments: undefined }), visibilityWith({ roleAssignments: [] }))
  for (const roleName of ['noaccess', 'NO_ACCESS', 'custom', 'ncp_nds_operator']) {
    const user = () =>
      visibilityWith({ roleAssignments: [assigned({ roleName, scope: '/organizations/1' })] })
    t.equal(user(), user(), roleName)
  }
})

t.test('is the own one of a user whose record lacks it', async (t) => {
  const of = (id: string) => visibilityOf({ user: { id }, ...BEARER })
  t.equal(of('u-1'), of('u-1'))
  t.not(of('u-1'), of('u-2'))
})
