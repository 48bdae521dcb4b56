// Routes that exist only for some: see .github/product.md#routes. The gateway decides again on every call.
import { lazy, Suspense } from 'react'
import { Navigate, Outlet, useLocation, useMatch, useParams } from 'react-router-dom'
import { isForeignCustomer, isGlobalAdmin, mayOpenAlarms } from '#shared/landing.ts'
import { type Action, holds, mayAnywhere } from '#shared/permissions.ts'
import { customerScope } from '#shared/scopes.ts'
import { CustomerContext, useLoadedCustomer } from '../features/customers/customer.ts'
import { useIntegrator } from '../features/session/integrator.ts'
import { useSession } from '../features/session/session.ts'
import { isOutOfReach } from '../lib/http/api-error.ts'
import { paths } from '../lib/paths.ts'
import { ChooseIntegratorPage, NotFoundPage } from './errors/instead.tsx'

const AccessDeniedPage = lazy(() => import('./errors/access-denied-page.tsx'))

const AccessDenied = () => (
  <Suspense>
    <AccessDeniedPage />
  </Suspense>
)

/** Integrators are the global admin's, and only those that let tech support in. Nothing is decided until they are known. */
export function IntegratorGuard() {
  const mayEnter = isGlobalAdmin(useSession())
  const enters = useMatch('/integrators/*') !== null
  const { unknown } = useIntegrator()
  return unknown || (enters && !mayEnter) ? <NotFoundPage /> : <Outlet />
}

/**
 * A customer's whole area. Global admins reach it through its integrator; a customer user's way to a customer that is not
 * theirs leads home; for everybody else what the gateway keeps from them is not there.
 */
export function CustomerGuard() {
  const session = useSession()
  const { organizationId, customerId = '' } = useParams()
  if (isForeignCustomer(session, customerId)) return <Navigate to={paths.home} replace />
  return isGlobalAdmin(session) && organizationId === undefined ? <NotFoundPage /> : <ReachableCustomer />
}

function ReachableCustomer() {
  const customer = useLoadedCustomer()
  const { organizationId, customerId, list, error, staleError } = customer
  const scope = organizationId && customerScope(organizationId, customerId)
  const elsewhere = scope && list && list.customer.scope !== scope
  if (elsewhere || isOutOfReach(error ?? staleError)) return <NotFoundPage />
  return (
    <CustomerContext value={customer}>
      <Outlet />
    </CustomerContext>
  )
}

/** The alarms page is narrower than its action: see .github/product.md#actions. */
export function AlarmsGuard() {
  return mayOpenAlarms(useSession()) ? <Outlet /> : <AccessDenied />
}

/** Users and roles: global, partner and customer admins. A global admin adds users to the integrator that is chosen. */
export function UsersGuard() {
  const session = useSession()
  const { chosen } = useIntegrator()
  const adding = useMatch(`${paths.addUser}/*`) !== null
  if (!mayAnywhere(session.user.roleAssignments, 'users:view')) return <NotFoundPage />
  return adding && isGlobalAdmin(session) && !chosen ? <ChooseIntegratorPage /> : <Outlet />
}

/** Service accounts: whoever may view them somewhere; the screen asks for the customer at hand. */
export function ServiceAccountsGuard() {
  const { user } = useSession()
  return mayAnywhere(user.roleAssignments, 'service-accounts:view') ? <Outlet /> : <NotFoundPage />
}

/** Partner admins register devices; everybody else is told so. */
export function RegistrationGuard() {
  const { user } = useSession()
  return holds(user.roleAssignments, 'partner_admin') ? <Outlet /> : <AccessDenied />
}

/** Reports, audit log, exports: of a partner or customer, or of the integrator that a global admin has chosen. */
export function OrganizationGuard() {
  const session = useSession()
  const { chosen } = useIntegrator()
  const { pathname } = useLocation()
  const { userType, roleAssignments } = session.user
  if (isGlobalAdmin(session)) return chosen ? <Outlet /> : <ChooseIntegratorPage />
  if (userType !== 'PARTNER' && userType !== 'CUSTOMER') return <NotFoundPage />
  const action = ACTION_OF[pathname]
  return action && !mayAnywhere(roleAssignments, action) ? <AccessDenied /> : <Outlet />
}

/** The address is there for every partner and customer, what it shows for those who may see it. */
const ACTION_OF: Record<string, Action> = {
  [paths.reports]: 'reports:view',
  [paths.auditLog]: 'audit-log:view',
  [paths.exports]: 'exports:view'
}
