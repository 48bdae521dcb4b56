import { useParams } from 'react-router-dom'
import { formatNumber } from '../../lib/format.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { useTick } from '../../lib/time/ago.ts'
import { useListQuery } from '../../lib/use-list-query.ts'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { ProgressBar } from '../../ui/state/loading.tsx'
import { StaleNotice } from '../../ui/state/notice.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { useIntegrator } from '../session/integrator.ts'
import { useSession } from '../session/session.ts'
import { useTrail } from '../session/use-trail.ts'
import { factsOf } from './attention.ts'
import { CustomerCards } from './customer-cards.tsx'
import { CustomerSkeletons } from './customer-skeletons.tsx'
import { CustomerToolbar } from './customer-toolbar.tsx'
import { NoCustomers } from './no-customers.tsx'
import { FIRST_VIEW, useCustomerList } from './use-customer-list.ts'

/** How old the counts are is said anew this often. */
const AGE_MS = 30_000

export function CustomersPage() {
  const { user } = useSession()
  const { organizationId } = useParams()
  const { chosen } = useIntegrator()
  const trail = useTrail()
  const query = useListQuery(FIRST_VIEW)
  const list = useCustomerList(organizationId ?? user.organizationId, query.values)
  useTick(AGE_MS)
  const { cards, total, error, busy, attention } = list
  const title = organizationId ? chosen?.orgName || null : (user.organizationName ?? 'Customers')

  return (
    <>
      <TitleBlock title={title} crumbs={trail} facts={attention ? factsOf(attention) : ''} />
      <section aria-labelledby="customers-heading" aria-busy={busy} className="customers">
        <ProgressBar busy={busy && cards !== undefined} />
        <div className="row spread customers-head">
          <div className="overline">
            <h2 id="customers-heading">ALL CUSTOMERS</h2>
            {total > 0 && <span>{formatNumber(total)}</span>}
            {attention?.sortAgain && (
              <button type="button" className="link-button" onClick={attention.sortAgain}>
                Counts have changed: sort again
              </button>
            )}
          </div>
          <CustomerToolbar query={query} list={list} />
        </div>
        {error !== undefined && cards && (
          <StaleNotice error={error} what="The customers below" onRefresh={list.reload} />
        )}
        {cards && total > 0 && <CustomerCards list={list} organizationId={organizationId} />}
        {cards && total === 0 && (
          <NoCustomers view={query.values} attention={attention} onClear={() => query.clear('q', 'show')} />
        )}
        {!cards && error !== undefined && (
          <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={list.reload} />
        )}
        {!cards && error === undefined && <CustomerSkeletons />}
      </section>
    </>
  )
}
