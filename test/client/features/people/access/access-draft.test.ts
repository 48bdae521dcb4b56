// The gateway accepts the changes of a form, and the changes lead to the access that the form shows.
import '../../../../support/client/dom.ts'
import t from 'tap'
import {
  changesBetween,
  grantableRoles,
  isEmpty,
  limitRefusal,
  linesOf,
  modeAt,
  newRolesRefusal,
  settled,
  shortened,
  withRole,
  withRolesAt
} from '#client/features/people/access/access-draft.ts'
import { accessText, scopeNames } from '#client/features/people/access/roles.tsx'
import {
  accountAccessRefusal,
  accountChoice,
  withChoice,
  withMark
} from '#client/features/people/service-accounts/account-access-choice.tsx'
import type { RoleAssignment } from '#shared/answers/portal.ts'
import { adminsLost, afterChanges, grantRefusal, overlap, replacedBy } from '#shared/grants.ts'
import type { AssignableLevel, Assignment, Role } from '#shared/permissions.ts'
import { chance } from '#test/support/chance.ts'

const ORGANIZATION = '/organizations/1'
const NORTHWIND = `${ORGANIZATION}/customers/9`
const SOUTHWIND = `${ORGANIZATION}/customers/90`
const FOREIGN = '/organizations/2/customers/7'
const SCOPES = [ORGANIZATION, NORTHWIND, SOUTHWIND]

const grant = (role: Role, scope: string): Assignment => ({ role, scope })
const assignmentsOf = (...list: Assignment[]): RoleAssignment[] =>
  list.map((one, index) => ({ id: `ra-${index}`, ...one }))
const keysOf = (list: readonly Assignment[]) => list.map(({ role, scope }) => `${role}@${scope}`).sort()

const granterOf = (role: Role, scope: string, level: AssignableLevel = 'PARTNER') => ({
  granter: [grant(role, scope)],
  level,
  action: 'users:modify-roles' as const,
  numbers: undefined
})

const toPartners = ['partner_admin', 'partner_user', 'niagara_remote', 'nds_operator', 'custom', 'noaccess']
const toCustomers = ['customer_admin', 'customer_user', ...toPartners.slice(2)]
const offers: [name: string, granter: Parameters<typeof granterOf>, scope: string, roles: string[]][] = [
  ['a partner user grants nothing', ['partner_user', ORGANIZATION], ORGANIZATION, []],
  ['a customer admin grants nothing at the integrator', ['customer_admin', NORTHWIND], ORGANIZATION, []],
  ['a customer admin grants nothing at another customer', ['customer_admin', NORTHWIND], SOUTHWIND, []],
  ['a partner admin grants nothing at another integrator', ['partner_admin', ORGANIZATION], FOREIGN, []],
  ['a global admin grants nothing at the root', ['global_admin', '/'], '/', []],
  [
    'a customer user gets no role at the integrator',
    ['partner_admin', ORGANIZATION, 'CUSTOMER'],
    ORGANIZATION,
    []
  ],
  ['a partner admin grants up to their own role', ['partner_admin', ORGANIZATION], ORGANIZATION, toPartners],
  [
    'a customer admin grants up to their own role',
    ['customer_admin', NORTHWIND, 'CUSTOMER'],
    NORTHWIND,
    toCustomers
  ]
]
t.test('offers only roles that the gateway lets the person grant', async (t) => {
  for (const [name, granter, scope, roles] of offers)
    t.strictSame(grantableRoles(granterOf(...granter), scope), roles, name)
  const withOneRole = {
    ...granterOf('partner_admin', ORGANIZATION),
    numbers: new Map<Role, number>([['partner_user', 3]])
  }
  t.strictSame(grantableRoles(withOneRole, ORGANIZATION), ['partner_user'])
})

t.test('an exclusive role replaces the others; standard roles combine', async (t) => {
  const pair = withRole(withRole([], 'niagara_remote', NORTHWIND, true), 'nds_operator', NORTHWIND, true)
  t.strictSame(keysOf(pair), keysOf([grant('niagara_remote', NORTHWIND), grant('nds_operator', NORTHWIND)]))
  const admin = withRole(pair, 'customer_admin', NORTHWIND, true)
  t.strictSame(keysOf(admin), keysOf([grant('customer_admin', NORTHWIND)]))
  t.strictSame(
    keysOf(withRole(admin, 'customer_user', NORTHWIND, true)),
    keysOf([grant('customer_user', NORTHWIND)])
  )
  t.strictSame(withRole(admin, 'customer_admin', NORTHWIND, false), [])
})

t.test('a new role at a broader scope replaces narrower roles, but custom access does not', async (t) => {
  const current = assignmentsOf(
    grant('custom', ORGANIZATION),
    grant('customer_admin', NORTHWIND),
    grant('customer_user', SOUTHWIND)
  )
  const draft = withRolesAt(current, ORGANIZATION, ['partner_user'])
  t.strictSame(keysOf(settled(current, draft)), keysOf([grant('partner_user', ORGANIZATION)]))
  const changes = changesBetween(current, draft)
  t.strictSame(changes, {
    create: [],
    update: [{ id: 'ra-0', role: 'partner_user', scope: ORGANIZATION }],
    delete: ['ra-1', 'ra-2']
  })
  const lines = linesOf(changes, current)
  t.equal(lines.filter(({ sign }) => sign === '−').length, 3)
  t.equal(lines.find(({ scope }) => scope === NORTHWIND)?.replacedBy?.role, 'partner_user')
  const customDraft = withRolesAt([grant('partner_user', ORGANIZATION)], ORGANIZATION, ['custom'])
  t.strictSame(
    keysOf(settled([], [...customDraft, grant('customer_user', SOUTHWIND)])),
    keysOf([...customDraft, grant('customer_user', SOUTHWIND)])
  )
})

t.test('an unchanged form has no changes to send', async (t) => {
  const current = assignmentsOf(grant('partner_admin', ORGANIZATION))
  t.ok(isEmpty(changesBetween(current, current)))
  t.strictSame(linesOf(changesBetween(current, current), current), [])
})

t.test('the changes of 10,000 random edits are allowed and match the form', async (t) => {
  const random = chance(7)
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T
  const granters = [granterOf('global_admin', '/'), granterOf('partner_admin', ORGANIZATION)]
  const failures: string[] = []
  let changeCount = 0
  for (let number = 0; number < 10_000; number += 1) {
    const level: AssignableLevel = pick(['PARTNER', 'CUSTOMER', 'SERVICE_ACCOUNT'])
    const action = level === 'SERVICE_ACCOUNT' ? 'service-accounts:modify-roles' : 'users:modify-roles'
    const options = { ...pick(granters), level, action } as const
    const anyRole = () => {
      const scope = pick(SCOPES)
      const roles = grantableRoles(options, scope)
      return roles.length > 0 ? [grant(pick(roles), scope)] : []
    }
    const unique = new Map(
      Array.from({ length: random(4) }, anyRole)
        .flat()
        .map((one) => [keysOf([one])[0], one])
    )
    const current = assignmentsOf(...unique.values())
    let draft: Assignment[] = current
    for (let edit = random(4); edit >= 0; edit -= 1) {
      const scope = pick(SCOPES)
      const roles = grantableRoles(options, scope)
      if (roles.length === 0) continue
      draft = settled(current, withRole(draft, pick(roles), scope, random(4) > 0))
    }
    const changes = changesBetween(current, draft)
    const grants = [...changes.create, ...changes.update]
    if (!isEmpty(changes)) changeCount += 1
    const problems = [
      grantRefusal(options.granter, grants, level, action),
      overlap(grants) ? 'overlap' : null,
      replacedBy(changes, current).length > 0 ? 'a role would be replaced without notice' : null,
      keysOf(afterChanges(changes, current)).join() === keysOf(draft).join()
        ? null
        : 'the result differs from the form',
      linesOf(changes, current).length === grants.length + changes.update.length + changes.delete.length
        ? null
        : 'a line is missing'
    ].filter((problem) => problem !== null)
    if (problems.length > 0) failures.push(`${problems} ${JSON.stringify({ current, draft, changes })}`)
  }
  t.strictSame(failures.slice(0, 3), [])
  t.ok(changeCount > 5_000, `${changeCount} changes`)
})

t.test('finds admin roles that a change would remove', async (t) => {
  const current = assignmentsOf(grant('customer_admin', NORTHWIND))
  const changes = changesBetween(current, withRolesAt(current, NORTHWIND, ['customer_user']))
  t.strictSame(keysOf(adminsLost(changes, current)), keysOf(current))
})

t.test('names levels, scopes and the extent of access', async (t) => {
  t.equal(modeAt([], NORTHWIND), 'none')
  t.equal(modeAt([grant('nds_operator', NORTHWIND)], NORTHWIND), 'standard')
  t.equal(accessText([]), 'None')
  t.equal(accessText([grant('custom', ORGANIZATION)]), 'None')
  t.equal(accessText([grant('customer_user', NORTHWIND), grant('nds_operator', NORTHWIND)]), '1 customer')
  t.equal(accessText([grant('partner_user', ORGANIZATION)]), 'All customers')
  t.equal(accessText([grant('global_admin', '/')]), 'Everything')
  const nameOf = scopeNames(ORGANIZATION, [{ scope: NORTHWIND, name: 'Northwind' }])
  t.strictSame([ORGANIZATION, NORTHWIND, SOUTHWIND, '/'].map(nameOf), [
    'all customers',
    'Northwind',
    SOUTHWIND,
    'the whole portal'
  ])
})

t.test('a service account has one role or custom access', async (t) => {
  t.equal(accountAccessRefusal([]), 'Choose the access')
  t.match(accountAccessRefusal(withChoice('custom', NORTHWIND, [])), /at one customer at least/)
  t.equal(accountChoice([], NORTHWIND), null)
  t.equal(accountChoice([grant('nds_operator', NORTHWIND)], NORTHWIND), 'nds_operator')
  t.equal(accountChoice([grant('nds_operator', SOUTHWIND)], NORTHWIND), 'custom')
  const roles = withMark([grant('customer_user', NORTHWIND), grant('nds_operator', SOUTHWIND)], NORTHWIND)
  t.equal(accountChoice(roles, NORTHWIND), 'custom')
  t.equal(accountAccessRefusal(roles), null)
  t.strictSame(
    keysOf(withChoice('customer_user', NORTHWIND, roles)),
    keysOf([grant('customer_user', NORTHWIND)])
  )
})

const rolesAt = (count: number) =>
  Array.from({ length: count }, (_, index) => grant('customer_user', `${ORGANIZATION}/customers/${index}`))

t.test('leaves removals of replaced roles to the gateway only if the call is too long', async (t) => {
  for (const [count, removedCount] of [
    [99, 99],
    [100, 0]
  ] as const) {
    const current = assignmentsOf(...rolesAt(count))
    const changes = changesBetween(current, withRolesAt(current, ORGANIZATION, ['partner_admin']))
    const sentChanges = shortened(changes, current)
    t.equal(sentChanges.delete.length, removedCount)
    t.equal(limitRefusal(sentChanges), null)
    const removedIds = [...sentChanges.delete, ...replacedBy(sentChanges, current)]
    t.strictSame(removedIds, changes.delete, 'removes the same roles')
  }
})

t.test('one call takes 100 changes, or 100 first roles', async (t) => {
  t.equal(limitRefusal(changesBetween([], rolesAt(100))), null)
  t.equal(limitRefusal(changesBetween([], rolesAt(101))), 'At most 100 changes can be saved at once, not 101')
  t.equal(newRolesRefusal(rolesAt(100)), null)
  t.equal(
    newRolesRefusal(rolesAt(101)),
    'At most 100 roles can be given at first, not 101: give the others later'
  )
})
