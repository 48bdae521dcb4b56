import { lazy, Suspense } from 'react'
import { Navigate } from 'react-router-dom'
import { TitleBlock } from './components/title-block.tsx'
import { landingOf } from './lib/landing.ts'
import { paths } from './paths.ts'
import { CustomersPage } from './screens/customers/customers-page.tsx'
import { useSession } from './session/session.ts'

// The global admin's alone: nobody else is to wait for it.
const UsersPage = lazy(() => import('./screens/users/users-page.tsx'))

/** What `/` is depends on who comes (§2). */
export function Landing() {
  const landing = landingOf(useSession())
  if (landing.to === 'users-and-roles') {
    return (
      <Suspense fallback={<TitleBlock title="Users & Roles" crumbs={[{ label: 'Home' }]} />}>
        <UsersPage />
      </Suspense>
    )
  }
  if (landing.to === 'customers') return <CustomersPage />
  return <Navigate to={paths.customer(landing.customerId)} replace />
}
