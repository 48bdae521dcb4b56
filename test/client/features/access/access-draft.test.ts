// The change that a form makes of somebody's access: what the gateway would refuse is never in it, and what would be
// held afterwards is what the form showed.
import '../../../support/client/dom.ts'
import t from 'tap'
import {
  changesBetween,
  grantableRoles,
  isEmpty,
  linesOf,
  modeAt,
  settled,
  withRole,
  withRolesAt
} from '#client/features/access/access-draft.ts'
import { accessText, scopeNames } from '#client/features/access/roles.tsx'
import {
  accountAccessRefusal,
  accountChoice,
  withChoice,
  withMark
} from '#client/features/service-accounts/account-access-choice.tsx'
import type { RoleAssignment } from '#shared/entities.ts'
import { adminsLost, afterChanges, grantRefusal, overlap, replacedBy } from '#shared/grants.ts'
import type { AssignableLevel, Assignment, Role } from '#shared/permissions.ts'

const ORGANIZATION = '/organizations/1'
const NORTHWIND = `${ORGANIZATION}/customers/9`
const OTHER = `${ORGANIZATION}/customers/90`
const FOREIGN = '/organizations/2/customers/7'
const SCOPES = [ORGANIZATION, NORTHWIND, OTHER]

const grant = (role: Role, scope: string): Assignment => ({ role, scope })
const held = (...list: Assignment[]): RoleAssignment[] =>
  list.map((one, index) => ({ id: `ra-${index}`, ...one }))
const told = (list: readonly Assignment[]) => list.map(({ role, scope }) => `${role}@${scope}`).sort()

const granting = (role: Role, scope: string, level: AssignableLevel = 'PARTNER') => ({
  granter: [grant(role, scope)],
  level,
  action: 'users:modify-roles' as const,
  known: () => true
})

t.test('offers nothing that the gateway refuses', async (t) => {
  const cases: [name: string, roles: Role[], expected: Role[]][] = [
    [
      'a partner user gives nothing',
      grantableRoles(granting('partner_user', ORGANIZATION), ORGANIZATION),
      []
    ],
    [
      'a customer admin nothing to the integrator',
      grantableRoles(granting('customer_admin', NORTHWIND), ORGANIZATION),
      []
    ],
    ['nor to another customer', grantableRoles(granting('customer_admin', NORTHWIND), OTHER), []],
    [
      'a partner admin nothing at another integrator',
      grantableRoles(granting('partner_admin', ORGANIZATION), FOREIGN),
      []
    ],
    ['nobody gives anything at the root', grantableRoles(granting('global_admin', '/'), '/'), []],
    [
      'customer users hold nothing at the integrator',
      grantableRoles(granting('partner_admin', ORGANIZATION, 'CUSTOMER'), ORGANIZATION),
      []
    ],
    [
      'a role without a number is left out',
      grantableRoles(
        { ...granting('partner_admin', ORGANIZATION), known: (role) => role !== 'custom' },
        ORGANIZATION
      ),
      ['partner_admin', 'partner_user', 'niagara_remote', 'nds_operator', 'noaccess']
    ],
    [
      'a partner admin gives up to their own',
      grantableRoles(granting('partner_admin', ORGANIZATION), ORGANIZATION),
      ['partner_admin', 'partner_user', 'niagara_remote', 'nds_operator', 'custom', 'noaccess']
    ],
    [
      'a customer admin all of the customer',
      grantableRoles(granting('customer_admin', NORTHWIND, 'CUSTOMER'), NORTHWIND),
      ['customer_admin', 'customer_user', 'niagara_remote', 'nds_operator', 'custom', 'noaccess']
    ]
  ]
  for (const [name, roles, expected] of cases) t.strictSame(roles, expected, name)
})

t.test('an exclusive role replaces the others; standard roles combine', async (t) => {
  const two = withRole(withRole([], 'niagara_remote', NORTHWIND, true), 'nds_operator', NORTHWIND, true)
  t.strictSame(told(two), told([grant('niagara_remote', NORTHWIND), grant('nds_operator', NORTHWIND)]))
  const admin = withRole(two, 'customer_admin', NORTHWIND, true)
  t.strictSame(told(admin), told([grant('customer_admin', NORTHWIND)]))
  t.strictSame(
    told(withRole(admin, 'customer_user', NORTHWIND, true)),
    told([grant('customer_user', NORTHWIND)])
  )
  t.strictSame(withRole(admin, 'customer_admin', NORTHWIND, false), [])
})

t.test('a new broader role replaces narrower ones, custom access does not', async (t) => {
  const now = held(
    grant('custom', ORGANIZATION),
    grant('customer_admin', NORTHWIND),
    grant('customer_user', OTHER)
  )
  const wanted = withRolesAt(now, ORGANIZATION, ['partner_user'])
  t.strictSame(told(settled(now, wanted)), told([grant('partner_user', ORGANIZATION)]))
  const changes = changesBetween(now, wanted)
  t.strictSame(changes, {
    create: [],
    update: [{ id: 'ra-0', role: 'partner_user', scope: ORGANIZATION }],
    delete: ['ra-1', 'ra-2']
  })
  const lines = linesOf(changes, now)
  t.equal(lines.filter(({ sign }) => sign === '−').length, 3)
  t.equal(lines.find(({ scope }) => scope === NORTHWIND)?.replacedBy?.role, 'partner_user')
  const back = withRolesAt([grant('partner_user', ORGANIZATION)], ORGANIZATION, ['custom'])
  t.strictSame(
    told(settled([], [...back, grant('customer_user', OTHER)])),
    told([...back, grant('customer_user', OTHER)])
  )
})

t.test('no change makes an empty body', async (t) => {
  const now = held(grant('partner_admin', ORGANIZATION))
  t.ok(isEmpty(changesBetween(now, now)))
  t.strictSame(linesOf(changesBetween(now, now), now), [])
})

t.test('10,000 random edits: the body is allowed and matches the form and its lines', async (t) => {
  let state = 7
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T
  const granters = [granting('global_admin', '/'), granting('partner_admin', ORGANIZATION)]
  const wrong: string[] = []
  let changed = 0
  for (let number = 0; number < 10_000; number += 1) {
    const level: AssignableLevel = pick(['PARTNER', 'CUSTOMER', 'SERVICE_ACCOUNT'])
    const action = level === 'SERVICE_ACCOUNT' ? 'service-accounts:modify-roles' : 'users:modify-roles'
    const who = { ...pick(granters), level, action } as const
    const anyRole = () => {
      const scope = pick(SCOPES)
      const roles = grantableRoles(who, scope)
      return roles.length > 0 ? [grant(pick(roles), scope)] : []
    }
    const unique = new Map(
      Array.from({ length: random(4) }, anyRole)
        .flat()
        .map((one) => [told([one])[0], one])
    )
    const now = held(...unique.values())
    let draft: Assignment[] = now
    for (let edit = random(4); edit >= 0; edit -= 1) {
      const scope = pick(SCOPES)
      const roles = grantableRoles(who, scope)
      if (roles.length === 0) continue
      draft = settled(now, withRole(draft, pick(roles), scope, random(4) > 0))
    }
    const changes = changesBetween(now, draft)
    const given = [...changes.create, ...changes.update]
    if (!isEmpty(changes)) changed += 1
    const problems = [
      grantRefusal(who.granter, given, level, action),
      overlap(given) ? 'overlap' : null,
      replacedBy(changes, now).length > 0 ? 'something would be replaced unsaid' : null,
      told(afterChanges(changes, now)).join() === told(draft).join() ? null : 'leads elsewhere',
      linesOf(changes, now).length === given.length + changes.update.length + changes.delete.length
        ? null
        : 'a line is missing'
    ].filter((problem) => problem !== null)
    if (problems.length > 0) wrong.push(`${problems} ${JSON.stringify({ now, draft, changes })}`)
  }
  t.strictSame(wrong.slice(0, 3), [])
  t.ok(changed > 5_000, `${changed} changes`)
})

t.test('finds lost admin positions before saving', async (t) => {
  const now = held(grant('customer_admin', NORTHWIND))
  const changes = changesBetween(now, withRolesAt(now, NORTHWIND, ['customer_user']))
  t.strictSame(told(adminsLost(changes, now)), told(now))
})

t.test('names levels, reach and scopes', async (t) => {
  t.equal(modeAt([], NORTHWIND), 'none')
  t.equal(modeAt([grant('nds_operator', NORTHWIND)], NORTHWIND), 'standard')
  t.equal(accessText([]), 'None')
  t.equal(accessText([grant('custom', ORGANIZATION)]), 'None')
  t.equal(accessText([grant('customer_user', NORTHWIND), grant('nds_operator', NORTHWIND)]), '1 customer')
  t.equal(accessText([grant('partner_user', ORGANIZATION)]), 'All customers')
  t.equal(accessText([grant('global_admin', '/')]), 'Everything')
  const nameOf = scopeNames(ORGANIZATION, [{ scope: NORTHWIND, name: 'Northwind' }])
  t.strictSame([ORGANIZATION, NORTHWIND, OTHER, '/'].map(nameOf), [
    'all customers',
    'Northwind',
    OTHER,
    'the whole portal'
  ])
})

t.test('a service account has one role or custom access', async (t) => {
  t.equal(accountAccessRefusal([]), 'Choose the access')
  t.match(accountAccessRefusal(withChoice('custom', NORTHWIND, [])), /at one customer at least/)
  t.equal(accountChoice([], NORTHWIND), null)
  t.equal(accountChoice([grant('nds_operator', NORTHWIND)], NORTHWIND), 'nds_operator')
  t.equal(accountChoice([grant('nds_operator', OTHER)], NORTHWIND), 'custom')
  const mixed = withMark([grant('customer_user', NORTHWIND), grant('nds_operator', OTHER)], NORTHWIND)
  t.equal(accountChoice(mixed, NORTHWIND), 'custom')
  t.equal(accountAccessRefusal(mixed), null)
  t.strictSame(told(withChoice('customer_user', NORTHWIND, mixed)), told([grant('customer_user', NORTHWIND)]))
})
