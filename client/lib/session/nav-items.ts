// The entries of the sidebar by role: see .github/product.md#routes.
import Building from 'lucide-react/icons/building-2'
import ChartLine from 'lucide-react/icons/chart-line'
import Cpu from 'lucide-react/icons/cpu'
import Download from 'lucide-react/icons/download'
import History from 'lucide-react/icons/history'
import House from 'lucide-react/icons/house'
import SquarePlus from 'lucide-react/icons/square-plus'
import Users from 'lucide-react/icons/users'
import type { ComponentType } from 'react'
import { isGlobalAdmin, landingOf } from '#shared/landing.ts'
import { holds, mayAnywhere } from '#shared/permissions.ts'
import { WORKLIST_NAMES } from '#shared/worklists.ts'
import { paths } from '../paths.ts'
import type { Session } from './session.ts'

interface NavItem {
  label: string
  to: string
  Icon: ComponentType
  /** Further paths: the entry is also marked as current at and below them. */
  below?: readonly string[]
}

interface Here {
  /** The integrator that a global admin has chosen. */
  organizationId: string | null
  /** The customer whose page is open, and the project chosen on that page. */
  customerId: string | null
  projectId: string | null
}

export function navItemsOf(session: Session, here: Here): NavItem[] {
  const { organizationId, customerId, projectId } = here
  const { userType, roleAssignments } = session.user
  const globalAdmin = isGlobalAdmin(session)
  const atOrganization = globalAdmin
    ? organizationId !== null
    : userType === 'PARTNER' || userType === 'CUSTOMER'
  const inIntegrator = (path: string) => paths.withIntegrator(path, globalAdmin ? organizationId : null)
  const devices = paths.worklist('devices', {})
  const worklists = WORKLIST_NAMES.map((name) => paths.worklist(name, {}))
  const entries: [shown: boolean, item: NavItem][] = [
    [globalAdmin, { label: 'Users & Roles', to: paths.home, Icon: Users, below: ['/users'] }],
    [
      !globalAdmin,
      { label: 'Home', to: paths.home, Icon: House, below: ['/customers', paths.unsubscribe, ...worklists] }
    ],
    [
      globalAdmin && organizationId !== null,
      {
        label: 'Customers',
        to: paths.integrator(organizationId ?? ''),
        Icon: Building,
        below: ['/integrators', ...worklists]
      }
    ],
    [
      atOrganization && landingOf(session).to !== 'customer' && mayAnywhere(roleAssignments, 'devices:view'),
      { label: 'Devices', to: inIntegrator(devices), Icon: Cpu, below: [devices] }
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
        to: customerId === null ? paths.registerDevice : paths.registerDeviceAt(customerId, projectId),
        Icon: SquarePlus,
        below: [paths.registerDevice]
      }
    ]
  ]
  return entries.filter(([shown]) => shown).map(([, item]) => item)
}

export function isCurrent({ to, below = [] }: NavItem, pathname: string): boolean {
  return pathname === to || below.some((path) => pathname === path || pathname.startsWith(`${path}/`))
}
