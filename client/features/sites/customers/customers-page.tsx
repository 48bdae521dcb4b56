import Building from 'lucide-react/icons/building-2'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import { useDeferredValue } from 'react'
import { useParams } from 'react-router-dom'
import { count, formatNumber } from '../../../lib/format.ts'
import { useIsLive, useLateSince } from '../../../lib/live/live.ts'
import { NO_CUSTOMERS } from '../../../lib/messages.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { type ListQuery, useListQuery } from '../../../lib/use-list-query.ts'
import { NoMatch } from '../../../ui/list/list-frame.tsx'
import { ErrorPanel, SupportContact } from '../../../ui/state/error-panel.tsx'
import { ProgressBar, Skeleton } from '../../../ui/state/loading.tsx'
import { StaleNotice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useIntegrator } from '../../people/session/integrator.ts'
import { useSession } from '../../people/session/session.ts'
import { useTrail } from '../../people/session/use-trail.ts'
import { factsOf } from './attention.ts'
import { CustomerCards } from './customer-cards.tsx'
import { CustomerTable } from './customer-table.tsx'
import { type ChosenView, CustomerToolbar, useChosenView } from './customer-toolbar.tsx'
import { type CustomerList, type CustomerView, FIRST_VIEW, useCustomerList } from './use-customer-list.ts'

const AGE_UPDATE_MS = 30_000

export function CustomersPage() {
  const { user } = useSession()
  const { organizationId } = useParams()
  const { chosen } = useIntegrator()
  const trail = useTrail()
  const query = useListQuery(FIRST_VIEW)
  const view = useChosenView(query)
  // Deferred, so that a phone responds to touches while it renders many cards.
  const list = useDeferredValue(
    useCustomerList(organizationId ?? user.organizationId, query.values, view.name === 'list')
  )
  useTick(AGE_UPDATE_MS)
  const { cards, total, error, busy, attention } = list
  const title = organizationId ? chosen?.orgName || null : (user.organizationName ?? 'Customers')

  return (
    <>
      <TitleBlock
        title={title}
        crumbs={trail}
        facts={attention ? <AttentionFacts attention={attention} /> : ''}
      />
      <section aria-labelledby="customers-heading" aria-busy={busy} className="customers">
        <ProgressBar busy={busy && cards !== undefined} />
        <div className="row spread customers-head">
          <div className="row overline">
            <h2 id="customers-heading">ALL CUSTOMERS</h2>
            {total > 0 && <span>{formatNumber(total)}</span>}
            {attention && <ListLinks attention={attention} query={query} view={view} />}
          </div>
          <CustomerToolbar query={query} list={list} view={view} />
        </div>
        {error !== undefined && cards && (
          <StaleNotice error={error} what="The customers below" onRefresh={list.reload} />
        )}
        {cards && total > 0 && (
          <Customers list={list} query={query} view={view} organizationId={organizationId} />
        )}
        {cards && total === 0 && (
          <NoCustomers view={query.values} attention={attention} onClear={() => query.clear('q', 'show')} />
        )}
        {!cards && error !== undefined && <ErrorPanel error={error} busy={busy} reload={list.reload} />}
        {!cards && error === undefined && (view.name === 'list' ? <RowSkeletons /> : <CardSkeletons />)}
      </section>
    </>
  )
}

type Attention = NonNullable<CustomerList['attention']>

/** Says how many customers need attention, how old the counts are, and whether they change by themselves. */
function AttentionFacts({ attention }: { attention: Attention }) {
  const isLive = useIsLive()
  const late = useLateSince(null)
  const { nowMs } = useSession()
  const { ages } = attention
  return (
    <>
      <span>{factsOf(attention)}</span>
      {ages.readAt !== null && (
        <>
          {' · '}
          <span className="attention-age" data-old={ages.isOld || undefined}>
            checked <Timestamp iso={ages.readAt} as="ago" />
          </span>
        </>
      )}
      {late !== null && (
        <>
          {' · '}
          <span className="live-state late" role="status">
            {late.areAll ? 'alarms' : 'some alarms'} late since {formatClock(Date.parse(late.since), nowMs())}
          </span>
        </>
      )}
      {isLive && late === null && attention.all > 0 && (
        <>
          {' · '}
          <span className="live-state live">live</span>
        </>
      )}
    </>
  )
}

interface ListLinksProps {
  attention: Attention
  query: ListQuery<CustomerView>
  view: ChosenView
}

function ListLinks({ attention, query, view }: ListLinksProps) {
  const { sortAgain, withNews, markAllSeen } = attention
  const isSorted = query.values.sort !== FIRST_VIEW.sort
  return (
    <>
      {view.name === 'list' && isSorted && (
        <button type="button" className="link-button" onClick={() => query.clear('sort', 'order')}>
          Sort worst first
        </button>
      )}
      {sortAgain && (
        <button type="button" className="link-button" title="Counts have changed" onClick={sortAgain}>
          <span className="sr-only">Counts have changed:</span> Sort again
        </button>
      )}
      {withNews > 0 && (
        <button
          type="button"
          className="link-button"
          title={`${count(withNews, 'customer')} with more than at your last look`}
          onClick={markAllSeen}
        >
          <i className="new-dot" />
          Mark {formatNumber(withNews)} as seen
        </button>
      )}
    </>
  )
}

interface CustomersProps {
  list: CustomerList
  query: ListQuery<CustomerView>
  view: ChosenView
  organizationId: string | undefined
}

/** Without counts, the customers show as cards. */
function Customers({ list, query, view, organizationId }: CustomersProps) {
  if (view.name === 'cards' || !list.attention)
    return <CustomerCards list={list} organizationId={organizationId} />
  return (
    <CustomerTable
      attention={list.attention}
      query={query}
      organizationId={organizationId}
      busy={list.busy}
    />
  )
}

const SKELETON_WIDTHS = ['70%', '55%', '80%', '60%', '75%', '50%', '65%', '72%', '58%']

function CardSkeletons() {
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

const SKELETON_ROWS = [...SKELETON_WIDTHS, ...SKELETON_WIDTHS]

function RowSkeletons() {
  return (
    <div className="card compact customer-rows" role="status">
      <span className="sr-only">Loading customers</span>
      {SKELETON_ROWS.map((width, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
        <div key={row}>
          <Skeleton width={width} />
          <Skeleton width="80%" />
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
