// The sample users, one for each role. Their password is `sandbox`.
import type { UserType } from '#shared/entities.ts'
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

function partner(username: string, fullName: string, role: RoleName, summary: string): SignIn {
  const roles = [{ role, scope: PARTNER }]
  return { username, fullName, userType: 'PARTNER', organizationId: NOTABLE.partner, roles, summary }
}

function atNorthwind(username: string, fullName: string, role: RoleName, summary: string): SignIn {
  const roles = [{ role, scope: customer(NOTABLE.northwind) }]
  return { username, fullName, userType: 'CUSTOMER', organizationId: NOTABLE.northwind, roles, summary }
}

function unassigned(username: string, fullName: string, summary: string): SignIn {
  return { username, fullName, userType: 'UNASSIGNED', organizationId: null, roles: [], summary }
}

export const SIGN_INS: SignIn[] = [
  {
    username: 'global.admin',
    fullName: 'Grace Adeyemi',
    userType: 'INTERNAL',
    organizationId: null,
    roles: [{ role: 'global_admin', scope: '/' }],
    summary: 'Global admin'
  },
  partner('partner.admin', 'Paula Andersson', 'partner_admin', 'Partner admin'),
  partner('partner.user', 'Peter Umarov', 'partner_user', 'Partner user'),
  atNorthwind('customer.admin', 'Carla Almeida', 'customer_admin', 'Customer admin'),
  atNorthwind('customer.user', 'Chen Ueda', 'customer_user', 'Customer user'),
  {
    username: 'customer.multi',
    fullName: 'Miriam Castellanos',
    userType: 'CUSTOMER',
    organizationId: NOTABLE.multi[0],
    roles: NOTABLE.multi.map((id) => ({ role: 'customer_user', scope: customer(id) })),
    summary: 'Customer user at three customers'
  },
  partner('niagara.remote', 'Nils Rasmussen', 'niagara_remote', 'Niagara Remote'),
  partner('nds.operator', 'Nadia Okafor', 'nds_operator', 'NDS operator'),
  {
    ...partner('custom.user', 'Cosmo Ulrich', 'custom', 'Custom: admin at one customer, user at another'),
    roles: [
      { role: 'custom', scope: PARTNER },
      { role: 'customer_admin', scope: customer(NOTABLE.custom[0]) },
      { role: 'customer_user', scope: customer(NOTABLE.custom[1]) }
    ]
  },
  unassigned('no.access', 'Noah Achterberg', 'No role at all'),
  unassigned('invited.user', 'Ines Ugarte', 'No role yet, two invitations waiting')
]

export function signInTable(): string {
  const rows = [
    ['user name', 'type', 'role'],
    ...SIGN_INS.map((one) => [one.username, one.userType, one.summary])
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  const lines = rows.map(([username = '', type = '', role = '']) =>
    `  ${username.padEnd(widths[0] as number)}  ${type.padEnd(widths[1] as number)}  ${role}`.trimEnd()
  )
  return `${lines.join('\n')}\n  password of all: ${PASSWORD}`
}
