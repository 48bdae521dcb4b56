// Compares the rules for granting and removing roles with simple but slow reference implementations.
import t from 'tap'
import type { RoleAssignment } from '#shared/answers/portal.ts'
import {
  adminsLost,
  afterChanges,
  grantRefusal,
  overlap,
  type RoleChanges,
  removalRefusal,
  replacedBy
} from '#shared/grants.ts'
import { type Assignment, holdingAt, may, type Role } from '#shared/permissions.ts'
import { covers } from '#shared/scopes.ts'
import { chance } from '../support/chance.ts'

const ACTION = 'users:modify-roles'
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
const ROLES = Object.keys(TIER) as Role[]
const SCOPES = [
  '/',
  '/organizations/1',
  '/organizations/10',
  '/organizations/1/customers/9',
  '/organizations/1/customers/90',
  '/organizations/10/customers/9'
]
const INVALID_SCOPES = [
  '',
  '//',
  '/organizations/',
  '/organizations/1/customers/9/projects/3',
  'organizations/1'
]

const strictlyCovers = (outer: string, inner: string) => outer !== inner && covers(outer, inner)
const changedIn = ({ update, delete: ids }: RoleChanges) => [...ids, ...update.map(({ id }) => id)]

const DEFINITION = {
  overlap: (grants: readonly Assignment[]) =>
    grants.some(
      (grant) => grant.role !== 'custom' && grants.some(({ scope }) => strictlyCovers(grant.scope, scope))
    ),
  replacedBy: (changes: RoleChanges, roles: readonly RoleAssignment[]) =>
    roles
      .filter(({ id }) => !changedIn(changes).includes(id))
      .filter(({ scope }) =>
        [...changes.create, ...changes.update].some(
          (grant) => grant.role !== 'custom' && strictlyCovers(grant.scope, scope)
        )
      )
      .map(({ id }) => id),
  adminsLost: (changes: RoleChanges, roles: readonly RoleAssignment[]) =>
    roles.filter(
      ({ role, scope }) =>
        (role === 'partner_admin' || role === 'customer_admin') &&
        !afterChanges(changes, roles).some((left) => left.role === role && left.scope === scope)
    ),
  mayRemove: (granter: readonly Assignment[], removals: readonly Assignment[]) =>
    removals.every(({ scope }) => may(granter, ACTION, scope))
}

t.test('each rule agrees with its definition for random lists', async (t) => {
  const random = chance(14)
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T
  const randomRoles = (scopes: readonly string[], maxCount: number): RoleAssignment[] =>
    Array.from({ length: random(maxCount + 1) }, (_, index) => ({
      id: `${index}`,
      role: pick(ROLES),
      scope: pick(scopes)
    }))
  const allScopes = [...SCOPES, ...INVALID_SCOPES]
  const counts: Record<string, number> = {}
  const mismatches: string[] = []
  for (let run = 0; run < 6_000; run += 1) {
    const roles = randomRoles(allScopes, 5)
    const granter = randomRoles(SCOPES, 4)
    const changes: RoleChanges = {
      create: randomRoles(SCOPES, 3),
      update: roles
        .filter(() => random(4) === 0)
        .map(({ id }) => ({ id, role: pick(ROLES), scope: pick(SCOPES) })),
      delete: roles.filter(() => random(4) === 0).map(({ id }) => id)
    }
    const mayRemove = removalRefusal(granter, roles, ACTION) === null
    const pairs: [rule: string, actual: unknown, expected: unknown, occurs: boolean][] = [
      ['overlap', overlap(changes.create), DEFINITION.overlap(changes.create), overlap(changes.create)],
      ...(['replacedBy', 'adminsLost'] as const).map((rule): (typeof pairs)[number] => {
        const actual = { replacedBy, adminsLost }[rule](changes, roles)
        return [rule, actual, DEFINITION[rule](changes, roles), actual.length > 0]
      }),
      ['removalRefusal', mayRemove, DEFINITION.mayRemove(granter, roles), roles.length > 0 && mayRemove],
      ...allScopes.map((scope): (typeof pairs)[number] => {
        const expected = may(granter, ACTION, scope)
        return ['holdingAt', may(holdingAt(granter)(scope), ACTION, scope), expected, expected]
      })
    ]
    for (const [rule, actual, expected, occurs] of pairs) {
      counts[`${rule}: ${occurs}`] = (counts[`${rule}: ${occurs}`] ?? 0) + 1
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        mismatches.push(`${rule} ${JSON.stringify({ granter, roles, changes, actual, expected })}`)
    }
  }
  t.strictSame(mismatches.slice(0, 3), [])
  t.equal(Object.keys(counts).length, 10)
  for (const [result, count] of Object.entries(counts)) t.ok(count > 100, `${result}, ${count} times`)
})

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
const HELD_AT = ['/', '/organizations/1', '/organizations/1/customers/9']
const GRANTED_AT = [
  ...HELD_AT,
  '/organizations/10',
  '/organizations/1/customers/90',
  '/organizations/2',
  '/organizations/2/customers/9',
  '/organizations/1/customers/8',
  '',
  'organizations/1',
  '/organizations/1/',
  '/organizations/1/customers',
  '/organizations/1/customers/9/projects/3',
  '/organizations//customers/9',
  '/organizations/1/customers/9 ',
  '/Organizations/1'
]

/** Returns the organization and customer of a scope, or null for an invalid scope. */
function partsOf(scope: string): string[] | null {
  if (scope === '/') return []
  const match = /^\/organizations\/([^/]+)(?:\/customers\/([^/]+))?$/.exec(scope)
  if (/\s/.test(scope)) return null
  return match ? [match[1], match[2]].filter((part) => part !== undefined) : null
}

function isWithin(inner: string, outer: string): boolean {
  const [innerParts, outerParts] = [partsOf(inner), partsOf(outer)]
  return Boolean(innerParts && outerParts?.every((part, index) => part === innerParts[index]))
}

function mayBeGranted(
  roles: Assignment[],
  role: string,
  scope: string,
  level: string,
  action: keyof typeof MAY_GRANT
) {
  const parts = partsOf(scope)
  if (parts === null || parts.length === 0) return false
  if (!ASSIGNABLE[level]?.[parts.length - 1]?.includes(role)) return false
  const rolesAbove = roles.filter((item) => isWithin(scope, item.scope))
  const highest = Math.min(...rolesAbove.map((item) => TIER[item.role] ?? 9))
  return rolesAbove.some((item) => MAY_GRANT[action].includes(item.role)) && highest <= (TIER[role] ?? 0)
}

t.test('grantRefusal agrees with an independent rule', async (t) => {
  const lists = ROLES.flatMap((role) => HELD_AT.map((scope): Assignment[] => [{ role, scope }]))
  const pairs = lists.flatMap((roles, index) => lists.slice(index + 1).map((other) => [...roles, ...other]))
  const mismatches: string[] = []
  let [count, allowedCount] = [0, 0]
  for (const roles of [[], ...lists, ...pairs]) {
    for (const role of ROLES) {
      for (const scope of GRANTED_AT) {
        for (const level of ['PARTNER', 'CUSTOMER', 'SERVICE_ACCOUNT'] as const) {
          for (const action of ['users:modify-roles', 'service-accounts:create'] as const) {
            const may = grantRefusal(roles, [{ role, scope }], level, action) === null
            count += 1
            if (may) allowedCount += 1
            const exceedsRoles = roles.every(
              (item) => !isWithin(scope, item.scope) || (TIER[item.role] ?? 9) > (TIER[role] ?? 0)
            )
            if (may !== mayBeGranted(roles, role, scope, level, action) || (may && exceedsRoles))
              mismatches.push(`${JSON.stringify(roles)} ${action}: ${role} at "${scope}" (${level}) ${may}`)
          }
        }
      }
    }
  }
  t.strictSame(mismatches.slice(0, 10), [])
  t.ok(allowedCount > 10_000, `${allowedCount} of ${count} allowed`)
})

t.test('refuses all grants if one is refused', async (t) => {
  const roles: Assignment[] = [{ role: 'customer_admin', scope: '/organizations/1/customers/9' }]
  const good: Assignment = { role: 'customer_user', scope: '/organizations/1/customers/9' }
  const bad: Assignment = { role: 'customer_user', scope: '/organizations/1/customers/90' }
  const refusal = (...grants: Assignment[]) => grantRefusal(roles, grants, 'CUSTOMER', 'users:modify-roles')
  t.equal(refusal(good, good), null)
  for (const grants of [[bad], [good, bad], [bad, good], [good, good, bad]]) t.ok(refusal(...grants))
})
