import type { AttentionKind } from '#shared/attention.ts'
import { formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { firstOrderOf, KINDS, WORST_FIRST } from './attention.ts'
import { AttentionAge } from './attention-age.tsx'
import { AttentionNumber } from './attention-number.tsx'
import type { CountedCustomer } from './use-customer-list.ts'

export interface CustomerLinks {
  pathOf: (customer: CountedCustomer) => string
  /** The list of what is counted, of one customer or of all. Null if the person may not open it. */
  listOf: (kind: AttentionKind, customer?: CountedCustomer) => string | null
  /** The devices of all customers. */
  allDevices: string
  /** Called when the person opens a customer, or a list of it. */
  onOpen: (customer: CountedCustomer) => void
}

export function customerLinks(
  organizationId: string | undefined,
  opensAlarms: boolean,
  onOpen: CustomerLinks['onOpen']
): CustomerLinks {
  const pathOf = ({ id }: CountedCustomer) => paths.customer(id, organizationId)
  function listOf(kind: AttentionKind, customer?: CountedCustomer): string | null {
    const { list } = KINDS[kind]
    if (list)
      return paths.worklist(list.name, {
        ...list.query,
        organizationId,
        customerId: customer?.id,
        customerName: customer?.orgName
      })
    if (!opensAlarms) return null
    return customer
      ? paths.alarms(pathOf(customer))
      : paths.withIntegrator(paths.allAlarms, organizationId ?? null)
  }
  return { pathOf, listOf, allDevices: paths.worklist('devices', { organizationId }), onOpen }
}

/** One column for each kind of count. */
export function customerColumns(
  kinds: readonly AttentionKind[],
  links: CustomerLinks
): ListColumn<CountedCustomer>[] {
  return [
    {
      id: 'name',
      header: 'Customer',
      sort: 'customer',
      width: 13,
      value: ({ orgName }) => orgName,
      cell: (customer) => <Name customer={customer} links={links} />
    },
    ...(kinds.length > 0 ? [BY_ATTENTION] : []),
    number('projects', 'Projects', ({ projectCount }) => projectCount),
    {
      ...number('devices', 'Devices', ({ deviceCount }) => deviceCount),
      below: <AllLink to={links.allDevices} what="devices" />
    },
    ...kinds.map(
      (kind): ListColumn<CountedCustomer> => ({
        id: kind,
        header: KINDS[kind].label,
        sort: KINDS[kind].label.toLowerCase(),
        first: firstOrderOf(kind),
        align: 'end',
        width: 5.5,
        below: <AllLink to={links.listOf(kind)} what={KINDS[kind].meaning} />,
        value: ({ counts }) => counts[kind]?.count,
        cell: (customer) => (
          <AttentionNumber
            kind={kind}
            customer={customer}
            to={links.listOf(kind, customer)}
            onOpen={() => links.onOpen(customer)}
          />
        )
      })
    )
  ]
}

/** Leads to the whole list of what a column counts. */
function AllLink({ to, what }: { to: string | null; what: string }) {
  if (to === null) return null
  return (
    <PrefetchLink to={to} className="all-link" aria-label={`All ${what}`}>
      All
    </PrefetchLink>
  )
}

/** The order in which the list opens. */
const BY_ATTENTION: ListColumn<CountedCustomer> = {
  id: WORST_FIRST,
  header: 'Worst first',
  sort: 'worst first',
  oneWay: true,
  table: false,
  card: false
}

function number(
  id: string,
  header: string,
  value: (customer: CountedCustomer) => number
): ListColumn<CountedCustomer> {
  return {
    id,
    header,
    sort: header.toLowerCase(),
    first: firstOrderOf(id),
    align: 'end',
    from: 'laptop',
    width: 5,
    value,
    cell: (customer) => <span className="muted">{formatNumber(value(customer))}</span>
  }
}

function Name({ customer, links }: { customer: CountedCustomer; links: CustomerLinks }) {
  return (
    <span className="stacked">
      {Object.keys(customer.news).length > 0 && <i className="new-dot" />}
      <PrefetchLink
        to={links.pathOf(customer)}
        state={{ orgName: customer.orgName }}
        onClick={() => links.onOpen(customer)}
      >
        {customer.orgName}
      </PrefetchLink>
      {customer.isLate && <AttentionAge customer={customer} />}
    </span>
  )
}
