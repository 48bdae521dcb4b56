import Building from 'lucide-react/icons/building-2'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useDeferredValue } from 'react'
import { useParams } from 'react-router-dom'
import { formatNumber } from '../../../lib/format.ts'
import { NO_CUSTOMERS } from '../../../lib/messages.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { type ListQuery, useListQuery } from '../../../lib/use-list-query.ts'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { NoMatch } from '../../../ui/list/list-frame.tsx'
import { RefreshButton } from '../../../ui/list/refresh-button.tsx'
import { ErrorPanel, SupportContact } from '../../../ui/state/error-panel.tsx'
import { ProgressBar, Skeleton } from '../../../ui/state/loading.tsx'
import { StaleNotice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useIntegrator } from '../../people/session/integrator.ts'
import { useSession } from '../../people/session/session.ts'
import { useTrail } from '../../people/session/use-trail.ts'
import { factsOf } from './attention.ts'
import { CustomerCards } from './customer-cards.tsx'
import { type CustomerList, type CustomerView, FIRST_VIEW, useCustomerList } from './use-customer-list.ts'

const AGE_UPDATE_MS = 30_000

export function CustomersPage() {
  const { user } = useSession()
  const { organizationId } = useParams()
  const { chosen } = useIntegrator()
  const trail = useTrail()
  const query = useListQuery(FIRST_VIEW)
  // Deferred, so that a phone responds to touches while it renders many cards.
  const list = useDeferredValue(useCustomerList(organizationId ?? user.organizationId, query.values))
  useTick(AGE_UPDATE_MS)
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
        {!cards && error !== undefined && <ErrorPanel error={error} busy={busy} reload={list.reload} />}
        {!cards && error === undefined && <CustomerSkeletons />}
      </section>
    </>
  )
}

interface CustomerToolbarProps {
  query: ListQuery<CustomerView>
  list: CustomerList
}

function CustomerToolbar({ query, list }: CustomerToolbarProps) {
  const { values, change } = query
  const { attention, busy, reload } = list
  const chosen = values.show === 'attention'
  return (
    <div className="row customers-tools">
      <SearchField label="Search customers" value={values.q} onSearch={(q) => change({ q })} />
      {attention && (
        <>
          <button
            type="button"
            className="button needs-attention"
            aria-pressed={chosen}
            onClick={() => change({ show: chosen ? '' : 'attention' })}
          >
            <TriangleAlert />
            Needs attention{' '}
            {(attention.needing > 0 || attention.unread === 0) && (
              <span className="badge plain">{formatNumber(attention.needing)}</span>
            )}
          </button>
          <select
            className="select"
            aria-label="Sort customers"
            value={values.sort}
            onChange={({ target }) => change({ sort: target.value })}
          >
            <option value="attention">Urgent first</option>
            <option value="name">Name</option>
          </select>
          <RefreshButton busy={busy} onRefresh={reload} />
        </>
      )}
    </div>
  )
}

const SKELETON_WIDTHS = ['70%', '55%', '80%', '60%', '75%', '50%', '65%', '72%', '58%']

function CustomerSkeletons() {
  return (
    <div className="customer-cards" role="status">
      <span className="sr-only">Loading customers</span>
      {SKELETON_WIDTHS.map((width) => (
        <div key={width} className="card customer-place">
          <div className="hint customer-card">
            <Skeleton width={width} />
            <Skeleton width="45%" />
          </div>
          <Skeleton width="60%" />
        </div>
      ))}
    </div>
  )
}

interface NoCustomersProps {
  view: CustomerView
  attention: CustomerList['attention']
  onClear: () => void
}

function NoCustomers({ view: { q, show }, attention, onClear }: NoCustomersProps) {
  if (q !== '')
    return <NoMatch title={`No customers match “${q}”`} clearLabel="Clear search" onClear={onClear} />
  const filtered = show === 'attention' && attention !== null && attention.all > 0
  if (!filtered)
    return (
      <Panel icon={Building} title={NO_CUSTOMERS} headingLevel={3}>
        <SupportContact lead="Do you expect to see customers here? Contact support:" />
      </Panel>
    )
  const isLoading = attention.unread > 0
  return (
    <Panel
      icon={isLoading ? Hourglass : CircleCheck}
      title={isLoading ? 'Nothing needs attention so far' : 'No customer needs attention'}
      headingLevel={3}
      actions={
        <button type="button" className="button" onClick={onClear}>
          Show all customers
        </button>
      }
    >
      {isLoading && <p>Counts are still loading. Customers that need attention appear here.</p>}
    </Panel>
  )
}
