// Users as the gateway sends them, and the lists that contain them.
import { ROLES, type Role } from '#shared/permissions.ts'
import { type Answers, type Call, CUSTOMERS, customersOf, pageOf } from './gateway.ts'

export const USERS = '/api/v2/management/organizations/1/allUsers'
export const INVITATIONS = '/api/v2/management/organizations/1/userInvitations'

export const roleRecord = (id: string, roleName: Role, scope = '/organizations/1') => {
  const number = ROLES.find(({ name }) => name === roleName)?.number
  return { id, scope, roleName, ...(number ? { _links: { role: { href: `/roles/${number}` } } } : {}) }
}

export const userRecord = (number: number, rest: object = {}) => ({
  id: `u-${number}`,
  organizationId: '1',
  organizationName: 'Brightwater Controls',
  fullName: `Person ${number}`,
  email: `person.${number}@brightwater.example`,
  userType: 'PARTNER',
  status: 'ACTIVE',
  roleAssignments: [roleRecord(`ra-${number}`, 'partner_user')],
  ...rest
})

/** Answers with 15 users a page, and only with users whose e-mail address contains the keyword. */
export const usersOf = (users: { email: string }[]) => (call: Call) => {
  const number = Number(call.query.get('page'))
  const keyword = call.query.get('keyword') ?? ''
  const matches = users.filter(({ email }) => email.includes(keyword))
  return {
    _embedded: { users: matches.slice(number * 15, number * 15 + 15) },
    page: pageOf(matches.length, number, 15)
  }
}

export const invitationsOf = (userInvitations: object[]) => ({
  _embedded: { userInvitations },
  page: pageOf(userInvitations.length)
})

export const ROLE_LIST = {
  _embedded: { roles: ROLES.map(({ number, name }) => ({ roleNumber: number, name })) },
  page: pageOf(ROLES.length)
}

/** Answers to the calls of the pages of people: no user, no invitation, two customers. */
export const PEOPLE: Answers = {
  [USERS]: usersOf([]),
  [INVITATIONS]: invitationsOf([]),
  '/api/v2/management/roles': ROLE_LIST,
  [CUSTOMERS]: customersOf('9', '10')
}
