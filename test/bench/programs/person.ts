// The users of a benchmark. An access token begins with the number of its user.

export const MY_USER = '/api/v2/management/myUser'
const INTEGRATOR = '/organizations/7'

export function personOf(number: string) {
  const assignment = (id: number, role: string, scope: string) => ({
    id: `${number}-${id}`,
    role,
    roleName: role,
    scope
  })
  return {
    id: `person-${number}`,
    organizationId: '7',
    organizationName: 'An integrator of buildings',
    fullName: `Person ${number}`,
    email: `person.${number}@example.com`,
    userType: 'PARTNER',
    status: 'ACTIVE',
    roleAssignments: [
      assignment(1, 'partner_user', INTEGRATOR),
      assignment(2, 'nds_operator', INTEGRATOR),
      assignment(3, 'customer_admin', `${INTEGRATOR}/customers/1`)
    ]
  }
}

export function myUser(authorization: string | undefined): Buffer {
  const [, number = ''] = /^Bearer (\d+)\./.exec(authorization ?? '') ?? []
  return Buffer.from(JSON.stringify(personOf(number)))
}
