import './style.css'
import Building from 'lucide-react/icons/building-2'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { useParams } from 'react-router-dom'
import type { AttentionKind } from '#shared/attention.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import { useIsLive, useLateSince } from '../../../lib/live/live.ts'
import { NO_CUSTOMERS } from '../../../lib/messages.ts'
import { mayOpenAlarms } from '../../../lib/session/may-open.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { type ListQuery, useListQuery } from '../../../lib/use-list-query.ts'
import { useStored } from '../../../lib/use-stored.ts'
import type { Filter } from '../../../ui/list/filters/filters.tsx'
import { List } from '../../../ui/list/list.tsx'
import { SupportContact } from '../../../ui/state/error-panel.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { factsOf, firstOrderOf, KINDS } from './attention.ts'
import { customerColumns, customerLinks } from './columns.tsx'
import { CustomerCard } from './customer-card.tsx'
import { OrganizationLists } from './organization-lists.tsx'
import { type CustomerList, type CustomerView, FIRST_VIEW, useCustomerList } from './use-customer-list.ts'

const KINDS_IN_ORDER = Object.keys(KINDS) as AttentionKind[]
const AGE_UPDATE_MS = 30_000
/** Placeholders for the first rows. */
const SKELETON_ROWS = 18

export default function CustomersPage() {
  const session = useSession()
  const { user } = session
  const { organizationId } = useParams()
  const { chosen } = useOrganization()
  const trail = useTrail()
  const query = useListQuery(FIRST_VIEW)
  const { values } = query
  const view = useChosenView(query)
  const asCards = view.name === 'cards'
  // Deferred, so that a phone responds to touches while it renders many cards.
  const list = useDeferredValue(useCustomerList(organizationId ?? user.organizationId, values, asCards))
  useTick(AGE_UPDATE_MS)
  const { attention, page, error, isFetching, refetch } = list
  const markSeen = attention?.markSeen
  const opensAlarms = mayOpenAlarms(session)
  const links = useMemo(
    () => customerLinks(organizationId, opensAlarms, (customer) => markSeen?.([customer])),
    [organizationId, opensAlarms, markSeen]
  )
  const kindNames = KINDS_IN_ORDER.filter((kind) =>
    attention?.rows.some(({ counts }) => counts[kind] !== undefined)
  ).join()
  const columns = useMemo(
    () => customerColumns(kindNames === '' ? [] : (kindNames.split(',') as AttentionKind[]), links),
    [kindNames, links]
  )
  /** Without counts, the customers show as cards. */
  const growing = asCards || (page !== undefined && !attention)
  const missing = attention && missingOf(attention)
  const title = organizationId ? chosen?.orgName || null : (user.organizationName ?? 'Customers')

  return (
    <>
      <TitleBlock
        title={title}
        crumbs={trail}
        facts={attention ? <AttentionFacts attention={attention} /> : ''}
      />
      <OrganizationLists current="customers" />
      <List
        noun="customer"
        label="ALL CUSTOMERS"
        className="customers"
        query={query}
        load={{ data: page, error, isFetching, refetch }}
        page={page}
        size={SKELETON_ROWS}
        columns={columns}
        sortOrder={{ sort: values.sort, order: values.order || firstOrderOf(values.sort) }}
        head={
          <>
            <span className="muted">
              {page && page.page.totalElements > 0 && formatNumber(page.page.totalElements)}
            </span>
            {attention && <ListLinks attention={attention} query={query} asCards={asCards} />}
          </>
        }
        toolbar={{
          search: 'Search customers',
          filters: attention ? [needsAttention(attention)] : [],
          extra: attention && !view.isPhone && <ViewSwitch view={view} />,
          ...(attention && { file: { name: 'customers', read: async () => attention.rows } })
        }}
        rows={{
          caption: 'Customers',
          rowKey: ({ id }) => id,
          nameOf: ({ orgName }) => orgName,
          // Rows that change places would shift the page.
          recycles: true,
          card: (customer) => <CustomerCard customer={customer} links={links} />,
          asCards: growing
        }}
        empty={
          <Panel icon={Building} title={NO_CUSTOMERS} headingLevel={3}>
            <SupportContact lead="Do you expect to see customers here? Contact support:" />
          </Panel>
        }
        noMatch={
          values.q === '' && attention ? (
            <AllWell missing={missing} onClear={() => query.clear('show')} />
          ) : undefined
        }
        missing={values.show === 'attention' && missing}
        foot={{
          loadMore: growing
            ? list.loadMore && {
                label: 'Load more',
                onLoad: list.loadMore,
                onScroll: (page?.items.length ?? 0) >= CUSTOMER_PAGE_SIZE
              }
            : undefined
        }}
      />
    </>
  )
}

const VIEWS = { list: 'List', cards: 'Cards' }
type ViewName = keyof typeof VIEWS
type ChosenView = ReturnType<typeof useChosenView>

/** List or cards: as the address says, or as last chosen; otherwise a list on a desk. A phone always shows cards. */
function useChosenView({ values: { view }, change }: ListQuery<CustomerView>) {
  const [stored, store] = useStored<ViewName | null>('portal.customers-view', null)
  const tablet = useTablet()
  const isWide = useLayout() === 'desktop'
  const isPhone = !isWide && !tablet
  const chosen = Object.hasOwn(VIEWS, view) ? (view as ViewName) : stored
  const byWidth: ViewName = isWide ? 'list' : 'cards'
  const name: ViewName = isPhone ? 'cards' : (chosen ?? byWidth)
  function choose(option: ViewName) {
    store(option)
    change({ view: option })
  }
  return { name, isPhone, choose }
}

function ViewSwitch({ view }: { view: ChosenView }) {
  return (
    <fieldset className="view-switch">
      <legend className="sr-only">Show customers as</legend>
      {(Object.keys(VIEWS) as ViewName[]).map((option) => (
        <button
          key={option}
          type="button"
          className="button"
          aria-pressed={view.name === option}
          onClick={() => view.choose(option)}
        >
          {VIEWS[option]}
        </button>
      ))}
    </fieldset>
  )
}

const needsAttention = ({ needing, unread }: Attention): Filter<CustomerView> => ({
  names: ['show'],
  field: ({ values, change }) => {
    const chosen = values.show === 'attention'
    return (
      <button
        type="button"
        className="button"
        aria-pressed={chosen}
        onClick={() => change({ show: chosen ? '' : 'attention' })}
      >
        <TriangleAlert />
        Needs attention{' '}
        {(needing > 0 || unread === 0) && <span className="badge plain">{formatNumber(needing)}</span>}
      </button>
    )
  }
})

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
  asCards: boolean
}

function ListLinks({ attention, query, asCards }: ListLinksProps) {
  const { sortAgain, withNews, markAllSeen } = attention
  const isSorted = query.values.sort !== FIRST_VIEW.sort
  return (
    <>
      {!asCards && isSorted && (
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

function missingOf({ unread, failed }: Attention): ReactNode {
  if (unread > 0) return <p>Counts are still loading. Customers that need attention appear here.</p>
  return failed > 0 && <p>Some counts could not be read.</p>
}

/** No customer needs attention, or only so far because counts are missing. */
function AllWell({ missing, onClear }: { missing: ReactNode; onClear: () => void }) {
  return (
    <Panel
      icon={missing ? Hourglass : CircleCheck}
      title={missing ? 'Nothing needs attention so far' : 'No customer needs attention'}
      headingLevel={3}
      actions={
        <button type="button" className="button" onClick={onClear}>
          Show all customers
        </button>
      }
    >
      {missing}
    </Panel>
  )
}
