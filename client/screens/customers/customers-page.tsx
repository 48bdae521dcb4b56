import { lazy, Suspense } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { failureOf } from '../../api/api-error.ts'
import { useCustomers } from '../../api/customers.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useIntegrator } from '../../session/integrator.ts'
import { useSession } from '../../session/session.ts'
import { useTrail } from '../../session/use-trail.ts'
import { CustomerCards } from './customer-cards.tsx'
import { CustomerSkeletons } from './customer-skeletons.tsx'

const NoCustomers = lazy(() => import('./no-customers.tsx'))

export function CustomersPage() {
  const { user } = useSession()
  const { organizationId } = useParams()
  const { chosen } = useIntegrator()
  const [query, setQuery] = useSearchParams()
  const trail = useTrail()
  const keyword = query.get('q') ?? ''
  const customers = useCustomers(organizationId ?? user.organizationId, keyword)
  const { data, error, busy } = customers
  const title = organizationId ? chosen?.orgName || null : (user.organizationName ?? 'Customers')
  const total = data?.[0]?.page.totalElements ?? 0

  return (
    <>
      <TitleBlock
        title={title}
        crumbs={trail}
        actions={
          <SearchField
            label="Search customers"
            value={keyword}
            onSearch={(q) => setQuery(q ? { q } : {}, { replace: true })}
          />
        }
      />
      <section aria-labelledby="customers-heading" aria-busy={busy} className="customers">
        <ProgressBar busy={busy && data !== undefined} />
        <div className="overline">
          <h2 id="customers-heading">ALL CUSTOMERS</h2>
          {total > 0 && <span>{formatNumber(total)}</span>}
        </div>
        {error !== undefined && data && (
          <Notice tone="warn" action={{ label: 'Refresh', onAct: customers.reload }}>
            {failureOf(error).title}. The customers below may be out of date.
          </Notice>
        )}
        {data && total > 0 && <CustomerCards pages={customers} organizationId={organizationId} />}
        {data && total === 0 && (
          <Suspense>
            <NoCustomers keyword={keyword} onClear={() => setQuery({}, { replace: true })} />
          </Suspense>
        )}
        {!data && error !== undefined && (
          <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={customers.reload} />
        )}
        {!data && error === undefined && <CustomerSkeletons />}
      </section>
    </>
  )
}
