// The sample users, one for each role. Their password is `sandbox`.
import type { UserType } from '#shared/answers/people.ts'
import type { RoleName } from './records/roles.ts'
import { NOTABLE } from './seed/notable.ts'

export const PASSWORD = 'sandbox'
export const INTERNAL_SERVICE = 'internal-service'

export interface SignIn {
  username: string
  fullName: string
  userType: UserType
  organizationId: string | null
  roles: { role: RoleName; scope: string }[]
  summary: string
}

const PARTNER = `/organizations/${NOTABLE.partner}`
const customer = (id: string): string => `${PARTNER}/customers/${id}`

type Names = [username: string, fullName: string, summary: string]

const signIn = (
  [username, fullName, summary]: Names,
  userType: UserType,
  organizationId: string | null,
  ...roles: SignIn['roles']
): SignIn => ({ username, fullName, userType, organizationId, roles, summary })

const partner = (role: RoleName, ...names: Names): SignIn =>
  signIn(names, 'PARTNER', NOTABLE.partner, { role, scope: PARTNER })

const atNorthwind = (role: RoleName, ...names: Names): SignIn =>
  signIn(names, 'CUSTOMER', NOTABLE.northwind, { role, scope: customer(NOTABLE.northwind) })

export const SIGN_INS: SignIn[] = [
  signIn(['global.admin', 'Grace Adeyemi', 'Global admin'], 'INTERNAL', null, {
    role: 'global_admin',
    scope: '/'
  }),
  partner('partner_admin', 'partner.admin', 'Paula Andersson', 'Partner admin'),
  partner('partner_user', 'partner.user', 'Peter Umarov', 'Partner user'),
  atNorthwind('customer_admin', 'customer.admin', 'Carla Almeida', 'Customer admin'),
  atNorthwind('customer_user', 'customer.user', 'Chen Ueda', 'Customer user'),
  signIn(
    ['customer.multi', 'Miriam Castellanos', 'Customer user at three customers'],
    'CUSTOMER',
    NOTABLE.multi[0],
    ...NOTABLE.multi.map((id) => ({ role: 'customer_user' as const, scope: customer(id) }))
  ),
  partner('niagara_remote', 'niagara.remote', 'Nils Rasmussen', 'Niagara Remote'),
  partner('nds_operator', 'nds.operator', 'Nadia Okafor', 'NDS operator'),
  signIn(
    ['custom.user', 'Cosmo Ulrich', 'Custom: admin at one customer, user at another'],
    'PARTNER',
    NOTABLE.partner,
    { role: 'custom', scope: PARTNER },
    { role: 'customer_admin', scope: customer(NOTABLE.custom[0]) },
    { role: 'customer_user', scope: customer(NOTABLE.custom[1]) }
  ),
  signIn(['no.access', 'Noah Achterberg', 'No role'], 'UNASSIGNED', null),
  signIn(['invited.user', 'Ines Ugarte', 'No role yet, two pending invitations'], 'UNASSIGNED', null)
]

export function signInTable(): string {
  const rows = [
    ['user name', 'type', 'role'],
    ...SIGN_INS.map((signIn) => [signIn.username, signIn.userType, signIn.summary])
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  const lines = rows.map(([username = '', type = '', role = '']) =>
    `  ${username.padEnd(widths[0] as number)}  ${type.padEnd(widths[1] as number)}  ${role}`.trimEnd()
  )
  return `${lines.join('\n')}\n  password of all: ${PASSWORD}`
}
