// Routes that exist only for some. The gateway decides again on every call.
import { Navigate, Outlet, useParams } from 'react-router-dom'
import { isForeignCustomer, isGlobalAdmin } from './lib/landing.ts'
import { paths } from './paths.ts'
import NotFoundPage from './screens/errors/not-found-page.tsx'
import { useSession } from './session/session.ts'

/** §2: integrators are the global admin's. */
export function IntegratorGuard() {
  return isGlobalAdmin(useSession()) ? <Outlet /> : <NotFoundPage />
}

/** §2: global admins reach customers through their integrator; a customer user's own customers only. */
export function CustomerGuard() {
  const session = useSession()
  const { customerId = '' } = useParams()
  if (isGlobalAdmin(session)) return <NotFoundPage />
  return isForeignCustomer(session, customerId) ? <Navigate to={paths.home} replace /> : <Outlet />
}
