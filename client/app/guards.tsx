// Guards of routes: see .github/product.md#routes. The gateway checks every call too.
import Building from 'lucide-react/icons/building-2'
import { lazy, Suspense } from 'react'
import { Navigate, Outlet, useMatch, useParams } from 'react-router-dom'
import { isGlobalAdmin } from '#shared/landing.ts'
import { type Action, holds, mayAnywhere } from '#shared/permissions.ts'
import { customerScope } from '#shared/scopes.ts'
import { CustomerScope, useCustomer } from '../features/sites/customers/customer.tsx'
import { isOutOfReach } from '../lib/http/api-error.ts'
import { paths } from '../lib/paths.ts'
import { isForeignCustomer, mayOpenAlarms } from '../lib/session/may-open.ts'
import { useOrganization } from '../lib/session/organization.ts'
import { useSession } from '../lib/session/session.ts'
import { NotFound, Panel } from '../ui/state/panel.tsx'
import { TitleBlock } from '../ui/title-block.tsx'

const AccessDeniedPage = lazy(() => import('./errors/access-denied-page.tsx'))

const AccessDenied = () => (
  <Suspense>
    <AccessDeniedPage />
  </Suspense>
)

/** Only global admins may open an integrator's pages, and only if the integrator allows tech support access. */
export function IntegratorGuard() {
  const mayEnter = isGlobalAdmin(useSession())
  const inIntegrator = useMatch('/integrators/*') !== null
  const { unknown } = useOrganization()
  return unknown || (inIntegrator && !mayEnter) ? <NotFound /> : <Outlet />
}

/**
 * Guards all pages of a customer. Global admins reach them through the customer's integrator. Customer users are sent
 * home from other customers; everybody else sees "not found" for customers that the gateway refuses.
 */
export function CustomerGuard() {
  const session = useSession()
  const { organizationId, customerId = '' } = useParams()
  if (isForeignCustomer(session, customerId)) return <Navigate to={paths.home} replace />
  if (isGlobalAdmin(session) && organizationId === undefined) return <NotFound />
  return (
    <CustomerScope key={customerId} customerId={customerId} organizationId={organizationId}>
      <ReachableCustomer />
    </CustomerScope>
  )
}

function ReachableCustomer() {
  const { organizationId, customerId, list, error, staleError } = useCustomer()
  const scope = organizationId && customerScope(organizationId, customerId)
  const inOtherIntegrator = scope && list && list.customer.scope !== scope
  return inOtherIntegrator || isOutOfReach(error ?? staleError) ? <NotFound /> : <Outlet />
}

/** Not every role that may query alarms may open the alarms page: see .github/product.md#actions. */
export function AlarmsGuard() {
  return mayOpenAlarms(useSession()) ? <Outlet /> : <AccessDenied />
}

/** The alarms of all customers of the person's organization, or of a global admin's chosen integrator. */
export function AllAlarmsGuard() {
  const session = useSession()
  const organization = useOrganization()
  if (!mayOpenAlarms(session)) return <AccessDenied />
  return organization.id === null ? <ChooseIntegrator /> : <Outlet />
}

/** Users pages are for global, partner and customer admins. A global admin adds users to the chosen integrator. */
export function UsersGuard() {
  const session = useSession()
  const { chosen } = useOrganization()
  const adding = useMatch(`${paths.addUser}/*`) !== null
  if (!mayAnywhere(session.user.roleAssignments, 'users:view')) return <NotFound />
  return adding && isGlobalAdmin(session) && !chosen ? <ChooseIntegrator /> : <Outlet />
}

/** For people who may view service accounts of any customer; the screen checks the current customer. */
export function ServiceAccountsGuard() {
  const { user } = useSession()
  return mayAnywhere(user.roleAssignments, 'service-accounts:view') ? <Outlet /> : <NotFound />
}

export function RegistrationGuard() {
  const { user } = useSession()
  return holds(user.roleAssignments, 'partner_admin') ? <Outlet /> : <AccessDenied />
}

/** Guards the pages of a partner, a customer, or a global admin's chosen integrator. */
export function OrganizationGuard({ action }: { action: Action }) {
  const session = useSession()
  const { chosen } = useOrganization()
  const { userType, roleAssignments } = session.user
  if (isGlobalAdmin(session)) return chosen ? <Outlet /> : <ChooseIntegrator />
  if (userType !== 'PARTNER' && userType !== 'CUSTOMER') return <NotFound />
  return mayAnywhere(roleAssignments, action) ? <Outlet /> : <AccessDenied />
}

function ChooseIntegrator() {
  return (
    <>
      <TitleBlock title="Choose an integrator" />
      <Panel icon={Building} title="This page belongs to an integrator">
        <p>
          Choose one in the navigation to see its alarms, lists, reports, audit log and exports, and to add
          users.
        </p>
      </Panel>
    </>
  )
}
