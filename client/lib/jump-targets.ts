// Where one can jump to (Ctrl or ⌘ and K), and the pages among it that are this person's (§2).
import type { Bootstrap } from '#shared/entities.ts'
import { holds, mayAnywhere } from '#shared/permissions.ts'
import { paths } from '../paths.ts'
import { isGlobalAdmin } from './landing.ts'

export interface Target {
  id: string
  group: 'Pages' | 'Customers' | 'Projects' | 'Devices' | 'Search in'
  name: string
  detail?: string
  to: string
}

interface Place {
  /** The integrator that a global admin has chosen. */
  organizationId: string | null
  /** The address of the customer that is searched, and its name. */
  customer: { path: string; name: string } | null
}

export function pagesFor(session: Bootstrap, { organizationId, customer }: Place): Target[] {
  const { roleAssignments, userType } = session.user
  const globalAdmin = isGlobalAdmin(session)
  const organization = globalAdmin
    ? organizationId !== null
    : userType === 'PARTNER' || userType === 'CUSTOMER'
  const users = mayAnywhere(roleAssignments, 'users:view')
  const pages: [name: string, to: string, offered: boolean][] = [
    [globalAdmin ? 'Users & Roles' : 'Home', paths.home, true],
    ['Users & Roles', paths.users, users && !globalAdmin],
    ['Customers', paths.integrator(organizationId ?? ''), globalAdmin && organizationId !== null],
    ['Saved Reports', paths.reports, organization],
    ['Audit Log', paths.auditLog, organization],
    ['Saved Exports', paths.exports, organization],
    ['Register Device', paths.registerDevice, holds(roleAssignments, 'partner_admin')]
  ]
  const ofCustomer: [name: string, to: string, offered: boolean][] = customer
    ? [
        ['Projects and devices', customer.path, true],
        ['Alarms', paths.alarms(customer.path), mayAnywhere(roleAssignments, 'alarms:query')],
        ['Saved Backups', paths.savedBackups(customer.path), mayAnywhere(roleAssignments, 'recover:view')],
        [
          'Service Accounts',
          paths.serviceAccounts(customer.path),
          mayAnywhere(roleAssignments, 'service-accounts:view')
        ]
      ]
    : []
  const target = ([name, to]: (typeof pages)[number], detail?: string): Target => ({
    id: `page ${to}`,
    group: 'Pages',
    name,
    to,
    ...(detail ? { detail } : {})
  })
  const offered = (all: typeof pages) => all.filter(([, , shown]) => shown)
  return [
    ...offered(ofCustomer).map((page) => target(page, customer?.name)),
    ...offered(pages).map((page) => target(page))
  ]
}

/** Those whose name has every word of the keyword, in any case. */
export function targetsNamed<T extends { name: string }>(targets: readonly T[], keyword: string): T[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  return targets.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}
