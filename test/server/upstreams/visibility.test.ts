import t from 'tap'
import type { Bearer } from '#server/upstreams/client.ts'
import { type Viewer, visibilityOf } from '#server/upstreams/visibility.ts'
import type { RoleAssignment } from '#shared/entities.ts'

type Someone = Viewer['user']

const ROLES: readonly RoleAssignment[] = [
  { id: 'r-1', role: 'partner_admin', scope: '/organizations/1' },
  { id: 'r-2', role: 'customer_user', scope: '/organizations/1/customers/c' }
]
const someone = (more: Partial<Someone> = {}): Someone => ({
  id: 'u-1',
  userType: 'PARTNER',
  organizationId: '1',
  roleAssignments: [...ROLES],
  ...more
})
const BEARER: Bearer = { accessToken: async () => 'token', replaceToken: async () => null }
const named = (more?: Partial<Someone>) => visibilityOf({ user: someone(more), ...BEARER })

t.test('who holds other roles, elsewhere, or is of another kind, sees something else', async (t) => {
  const [first, second] = ROLES as [RoleAssignment, RoleAssignment]
  const others: Partial<Someone>[] = [
    { organizationId: '2' },
    { userType: 'CUSTOMER' },
    { roleAssignments: [] },
    { roleAssignments: [first] },
    { roleAssignments: [first, { ...second, scope: `${second.scope}d` }] },
    { roleAssignments: [first, { ...second, role: 'customer_admin' }] }
  ]
  t.equal(new Set([named(), ...others.map(named)]).size, others.length + 1)
})

t.test('colleagues with the same roles see the same, in whatever order they are told', async (t) => {
  t.equal(named({ id: 'u-2', roleAssignments: [...ROLES].reverse() }), named())
})

t.test('the roles of a caller are gone through once, however many look-ups a call makes', async (t) => {
  let read = 0
  const user = {
    ...someone(),
    get roleAssignments() {
      read += 1
      return [...ROLES]
    }
  }
  const names = Array.from({ length: 100 }, () => visibilityOf({ user, ...BEARER }))
  t.equal(new Set(names).size, 1)
  t.equal(read, 1)
})
