// The users: the sample users, the internal service, and ordinary users of every organization.
import type { RoleRecord } from '../records/people.ts'
import { type RoleName, roleNumber } from '../records/roles.ts'
import type { OrganizationRecord } from '../records/sites.ts'
import { INTERNAL_SERVICE, SIGN_INS, type SignIn } from '../sign-ins.ts'
import { customersOf, type State, scopeOf } from '../state.ts'
import { FAMILY_NAMES, GIVEN_NAMES } from './names.ts'
import { NOTABLE } from './notable.ts'
import { type Random, randomFrom } from './random.ts'
import { startOfDay } from './sites.ts'

const DAY_MS = 86_400_000
const PARTNER_ROLES: RoleName[] = [
  'partner_user',
  'partner_user',
  'partner_admin',
  'niagara_remote',
  'nds_operator'
]
const CUSTOMER_ROLES: RoleName[] = ['customer_user', 'customer_user', 'customer_admin', 'nds_operator']

export function addPeople(state: State): void {
  for (const signIn of SIGN_INS) addSignIn(state, signIn)
  addSignIn(state, {
    username: INTERNAL_SERVICE,
    fullName: 'Internal Service',
    userType: 'PARTNER',
    organizationId: NOTABLE.partner,
    roles: [{ role: 'partner_user', scope: `/organizations/${NOTABLE.partner}` }],
    summary: 'Client credentials'
  })
  const random = randomFrom(77)
  const integrators = [...state.organizations.values()].filter(({ partnerId }) => partnerId === null)
  for (const integrator of integrators) {
    addStaff(state, integrator, 24, PARTNER_ROLES, random)
    for (const customer of customersOf(state, integrator.id))
      addStaff(state, customer, 3 + random.below(6), CUSTOMER_ROLES, random)
  }
}

function addSignIn(state: State, signIn: SignIn): void {
  const { username, fullName, userType, organizationId } = signIn
  const id = username === INTERNAL_SERVICE ? username : `u-${username.replace('.', '-')}`
  state.users.set(id, {
    id,
    username,
    fullName,
    email: `${username}@portal.example`,
    userType,
    organizationId,
    status: 'ACTIVE',
    lastActiveDate: new Date(startOfDay(state.clock())).toISOString(),
    roleAssignments: signIn.roles.map(({ role, scope }, index) => ({
      id: `ra-${id}-${index + 1}`,
      scope,
      roleNumber: roleNumber(role),
      roleName: role
    }))
  })
}

function addStaff(
  state: State,
  organization: OrganizationRecord,
  count: number,
  roles: RoleName[],
  random: Random
): void {
  const domain = `${organization.orgName
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')}.example`
  for (let number = 1; number <= count; number++) {
    const givenName = random.pick(GIVEN_NAMES)
    const familyName = random.pick(FAMILY_NAMES)
    const id = `u-${organization.id}-${number}`
    const email = `${givenName}.${familyName}.${number}@${domain}`.toLowerCase().replace(/[' ]/g, '')
    state.users.set(id, {
      id,
      username: email,
      fullName: `${givenName} ${familyName}`,
      email,
      userType: organization.partnerId === null ? 'PARTNER' : 'CUSTOMER',
      organizationId: organization.id,
      status: random.below(20) === 0 ? 'DISABLED' : 'ACTIVE',
      lastActiveDate: random.below(8) === 0 ? null : lastActive(state, random),
      roleAssignments: [staffRole(id, random.pick(roles), scopeOf(organization), number - 1)]
    })
  }
}

// Some role names have a prefix; the gateway must recognize the role.
function staffRole(userId: string, role: RoleName, scope: string, index: number): RoleRecord {
  const roleName = index % 3 === 0 ? `ncp_${role}` : role
  return { id: `ra-${userId}-1`, scope, roleNumber: roleNumber(role), roleName }
}

function lastActive(state: State, random: Random): string {
  return new Date(startOfDay(state.clock()) - random.below(120) * DAY_MS - random.below(DAY_MS)).toISOString()
}
