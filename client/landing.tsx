import { Navigate } from 'react-router-dom'
import { landingOf } from './lib/landing.ts'
import { paths } from './paths.ts'
import { CustomersPage } from './screens/customers/customers-page.tsx'
import { UsersPage } from './screens/users/users-page.tsx'
import { useSession } from './session/session.ts'

/** What `/` is depends on who comes (§2). */
export function Landing() {
  const landing = landingOf(useSession())
  if (landing.to === 'users-and-roles') return <UsersPage />
  if (landing.to === 'customers') return <CustomersPage />
  return <Navigate to={paths.customer(landing.customerId)} replace />
}
