// Routes that exist only for some (§2). The gateway decides again on every call.
import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, Outlet, useLocation, useMatch, useParams } from 'react-router-dom'
import { type Action, holds, mayAnywhere } from '#shared/permissions.ts'
import { isForeignCustomer, isGlobalAdmin } from './lib/landing.ts'
import { paths } from './paths.ts'
import { useIntegrator } from './session/integrator.ts'
import { useSession } from './session/session.ts'

const NotFoundPage = lazy(() => import('./screens/errors/not-found-page.tsx'))
const AccessDeniedPage = lazy(() => import('./screens/errors/access-denied-page.tsx'))
const ChooseIntegrator = lazy(() => import('./screens/errors/choose-integrator.tsx'))

const NotThere = () => <Instead page={NotFoundPage} />
const AccessDenied = () => <Instead page={AccessDeniedPage} />
const NoIntegrator = () => <Instead page={ChooseIntegrator} />

/** Integrators are the global admin's. */
export function IntegratorGuard() {
  return isGlobalAdmin(useSession()) ? <Outlet /> : <NotThere />
}

/** Global admins reach customers through their integrator; a customer user their own customers only. */
export function CustomerGuard() {
  const session = useSession()
  const { customerId = '' } = useParams()
  if (isGlobalAdmin(session)) return <NotThere />
  return isForeignCustomer(session, customerId) ? <Navigate to={paths.home} replace /> : <Outlet />
}

/** Users and roles: global, partner and customer admins. A global admin adds users to the integrator that is chosen. */
export function UsersGuard() {
  const session = useSession()
  const { chosen } = useIntegrator()
  const adding = useMatch(`${paths.addUser}/*`) !== null
  if (!mayAnywhere(session.user.roleAssignments, 'users:view')) return <NotThere />
  return adding && isGlobalAdmin(session) && !chosen ? <NoIntegrator /> : <Outlet />
}

/** Service accounts: whoever may view them somewhere; the screen asks for the customer at hand. */
export function ServiceAccountsGuard() {
  const { user } = useSession()
  return mayAnywhere(user.roleAssignments, 'service-accounts:view') ? <Outlet /> : <NotThere />
}

/** The unsubscribe variant of the customer list is the partners' (§2). */
export function PartnerGuard() {
  const session = useSession()
  return session.user.userType === 'PARTNER' && !isGlobalAdmin(session) ? <Outlet /> : <NotThere />
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
  if (isGlobalAdmin(session)) return chosen ? <Outlet /> : <NoIntegrator />
  if (userType !== 'PARTNER' && userType !== 'CUSTOMER') return <NotThere />
  const action = ACTION_OF[pathname]
  return action && !mayAnywhere(roleAssignments, action) ? <AccessDenied /> : <Outlet />
}

/** The address is there for every partner and customer (§2), what it shows for those who may see it (§6). */
const ACTION_OF: Record<string, Action> = {
  [paths.reports]: 'reports:view',
  [paths.auditLog]: 'audit-log:view',
  [paths.exports]: 'exports:view'
}

function Instead({ page: Page }: { page: ComponentType }) {
  return (
    <Suspense>
      <Page />
    </Suspense>
  )
}
