import { lazy, type PropsWithChildren, Suspense } from 'react'
import { Navigate } from 'react-router-dom'
import { landingOf } from '#shared/landing.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/session.ts'
import { TitleBlock } from '../ui/title-block.tsx'

// Loaded lazily, because only global admins need it.
const UsersPage = lazy(() => import('../features/people/users/users-page.tsx'))

/** The start page: see .github/product.md#routes. The children are the list of customers. */
export function StartPage({ children }: PropsWithChildren) {
  const landing = landingOf(useSession())
  if (landing.to === 'users-and-roles') {
    return (
      <Suspense fallback={<TitleBlock title="Users & Roles" crumbs={[{ label: 'Home' }]} />}>
        <UsersPage />
      </Suspense>
    )
  }
  if (landing.to === 'customers') return children
  return <Navigate to={paths.customer(landing.customerId)} replace />
}
