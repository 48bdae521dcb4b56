// The users of a benchmark. An access token begins with the number of its user, or is a JWT with the number as its subject.

export const MY_USER = '/api/v2/management/myUser'
const INTEGRATOR = '/organizations/7'
/** People from this number on have roles, and so a visibility, of their own. */
export const FIRST_WITH_OWN_ROLES = 1_000_000

export function personOf(number: string) {
  const assignment = (id: number, role: string, scope: string) => ({
    id: `${number}-${id}`,
    role,
    roleName: role,
    scope
  })
  const customer = Number(number) >= FIRST_WITH_OWN_ROLES ? number : 1
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
      assignment(3, 'customer_admin', `${INTEGRATOR}/customers/${customer}`)
    ]
  }
}

export function numberOf(authorization: string | undefined): string {
  const [, first = '', second = ''] = /^Bearer ([\w-]+)\.([\w-]+)/.exec(authorization ?? '') ?? []
  if (first === '' || /^\d+$/.test(first)) return first
  return String(JSON.parse(Buffer.from(second, 'base64url').toString()).sub)
}

export function myUser(authorization: string | undefined): Buffer {
  return Buffer.from(JSON.stringify(personOf(numberOf(authorization))))
}
