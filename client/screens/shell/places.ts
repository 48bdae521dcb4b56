// Where the sidebar leads, and who sees it (§2, §6).
import Building from 'lucide-react/icons/building-2'
import ChartLine from 'lucide-react/icons/chart-line'
import Download from 'lucide-react/icons/download'
import History from 'lucide-react/icons/history'
import House from 'lucide-react/icons/house'
import SquarePlus from 'lucide-react/icons/square-plus'
import Users from 'lucide-react/icons/users'
import type { ComponentType } from 'react'
import { holds, mayAnywhere } from '#shared/permissions.ts'
import { isGlobalAdmin } from '../../lib/landing.ts'
import { paths } from '../../paths.ts'
import type { Session } from '../../session/session.ts'

export interface Place {
  label: string
  to: string
  Icon: ComponentType
  /** Addresses below which the entry is the current one; without, its own only. */
  below?: readonly string[]
}

/** The entries, from above. `organizationId` is the integrator that a global admin has chosen. */
export function placesOf(session: Session, organizationId: string | null): Place[] {
  const { userType, roleAssignments } = session.user
  const globalAdmin = isGlobalAdmin(session)
  const atOrganization = globalAdmin
    ? organizationId !== null
    : userType === 'PARTNER' || userType === 'CUSTOMER'
  const inIntegrator = (path: string) => paths.withIntegrator(path, globalAdmin ? organizationId : null)
  const all: [shown: boolean, place: Place][] = [
    [globalAdmin, { label: 'Users & Roles', to: paths.home, Icon: Users, below: ['/users'] }],
    [!globalAdmin, { label: 'Home', to: paths.home, Icon: House, below: ['/customers', paths.unsubscribe] }],
    [
      globalAdmin && organizationId !== null,
      {
        label: 'Customers',
        to: paths.integrator(organizationId ?? ''),
        Icon: Building,
        below: ['/integrators']
      }
    ],
    [
      globalAdmin || atOrganization,
      { label: 'Saved Reports', to: inIntegrator(paths.reports), Icon: ChartLine, below: [paths.reports] }
    ],
    [
      holds(roleAssignments, 'partner_admin', 'customer_admin') && !globalAdmin,
      { label: 'Users & Roles', to: paths.users, Icon: Users, below: [paths.users] }
    ],
    [
      atOrganization,
      { label: 'Audit Log', to: inIntegrator(paths.auditLog), Icon: History, below: [paths.auditLog] }
    ],
    [
      atOrganization && mayAnywhere(roleAssignments, 'exports:view'),
      { label: 'Saved Exports', to: inIntegrator(paths.exports), Icon: Download, below: [paths.exports] }
    ],
    [
      holds(roleAssignments, 'partner_admin'),
      {
        label: 'Register Device',
        to: paths.registerDevice,
        Icon: SquarePlus,
        below: [paths.registerDevice]
      }
    ]
  ]
  return all.filter(([shown]) => shown).map(([, place]) => place)
}

export function isCurrent({ to, below = [] }: Place, pathname: string): boolean {
  return pathname === to || below.some((path) => pathname === path || pathname.startsWith(`${path}/`))
}
