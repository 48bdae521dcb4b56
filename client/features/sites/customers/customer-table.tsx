import { memo, useMemo } from 'react'
import type { AttentionKind } from '#shared/attention.ts'
import { formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { ListQuery } from '../../../lib/use-list-query.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { FittedTable } from '../../../ui/list/fitted-table.tsx'
import { Pager, rangeText } from '../../../ui/list/pager.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { mayOpenAlarms } from '../../people/session/may-open.ts'
import { useSession } from '../../people/session/session.ts'
import { firstOrderOf, KINDS, SORTS } from './attention.ts'
import { AttentionAge } from './attention-age.tsx'
import { AttentionNumber } from './attention-number.tsx'
import type { CountedCustomer, CustomerList, CustomerView } from './use-customer-list.ts'

interface CustomerTableProps {
  attention: NonNullable<CustomerList['attention']>
  query: ListQuery<CustomerView>
  organizationId: string | undefined
  busy: boolean
}

/** One row for each customer, with a column for each kind of count. Memoized like the cards. */
export const CustomerTable = memo(function CustomerTable(props: CustomerTableProps) {
  const { attention, query, organizationId, busy } = props
  const { values, change } = query
  const session = useSession()
  const opensAlarms = mayOpenAlarms(session)
  const kinds = (Object.keys(KINDS) as AttentionKind[]).filter((kind) =>
    attention.rows.some(({ counts }) => counts[kind] !== undefined)
  )
  const kindNames = kinds.join()
  const { markSeen } = attention
  const columns = useMemo(
    () => columnsOf(kindNames.split(',') as AttentionKind[], { organizationId, opensAlarms, markSeen }),
    [kindNames, organizationId, opensAlarms, markSeen]
  )
  const { items, page } = attention.tablePage
  const order = values.order === '' ? firstOrderOf(values.sort) : values.order
  return (
    <div className="card list-card compact customer-table">
      <FittedTable
        filterKey={JSON.stringify([values.q, values.show])}
        caption="Customers"
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
        sort={values.sort}
        order={order === 'desc' ? 'desc' : 'asc'}
        onSort={(sort) => {
          const otherOrder = order === 'asc' ? 'desc' : 'asc'
          change({ sort, order: values.sort === sort && values.order === '' ? otherOrder : '' })
        }}
        busy={busy}
        status={`${rangeText(page)} customers, ${sortText(values.sort, order)}`}
      />
      {page.totalPages > 1 && (
        <div className="row card-foot">
          <Pager
            label="Pages of customers"
            page={page}
            onPage={(number) => change({ page: String(number + 1) })}
          />
        </div>
      )}
    </div>
  )
})

function sortText(sort: string, order: string): string {
  const label = sort === 'attention' ? undefined : SORTS[sort]
  return label ? `sorted by ${label.toLowerCase()} ${order}ending` : 'worst first'
}

interface ColumnContext {
  organizationId: string | undefined
  opensAlarms: boolean
  markSeen: (customers: readonly CountedCustomer[]) => void
}

function columnsOf(
  kinds: readonly AttentionKind[],
  { organizationId, opensAlarms, markSeen }: ColumnContext
): ListColumn<CountedCustomer>[] {
  const pathOf = ({ id }: CountedCustomer) => paths.customer(id, organizationId)
  return [
    {
      id: 'name',
      header: 'Customer',
      sort: 'customer',
      min: 10,
      cell: (customer) => (
        <>
          {Object.keys(customer.news).length > 0 && <i className="new-dot" />}
          <PrefetchLink
            to={pathOf(customer)}
            state={{ orgName: customer.orgName }}
            onClick={() => markSeen([customer])}
          >
            {customer.orgName}
          </PrefetchLink>
          {customer.isLate && <AttentionAge customer={customer} />}
        </>
      )
    },
    {
      id: 'projects',
      header: 'Projects',
      sort: 'projects',
      align: 'end',
      from: 'laptop',
      whole: true,
      cell: ({ projectCount }) => <span className="muted">{formatNumber(projectCount)}</span>
    },
    {
      id: 'devices',
      header: 'Devices',
      sort: 'devices',
      align: 'end',
      from: 'laptop',
      whole: true,
      cell: ({ deviceCount }) => <span className="muted">{formatNumber(deviceCount)}</span>
    },
    ...kinds.map(
      (kind): ListColumn<CountedCustomer> => ({
        id: kind,
        header: KINDS[kind].label,
        sort: KINDS[kind].label.toLowerCase(),
        align: 'end',
        whole: true,
        cell: (customer) => (
          <AttentionNumber
            kind={kind}
            customer={customer}
            to={kind === 'alarms' && !opensAlarms ? null : KINDS[kind].to(pathOf(customer))}
            onOpen={() => markSeen([customer])}
          />
        )
      })
    )
  ]
}
