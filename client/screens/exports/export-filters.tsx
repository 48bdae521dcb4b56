import { SelectField } from '../../components/field.tsx'
import { CustomerChoice } from '../../deeds/customer-choice.tsx'
import type { ListQuery } from '../../session/use-list-query.ts'
import { STATUSES } from './statuses.ts'

/** The list's state in the address, as it is when the address says nothing. */
export const FIRST_VIEW = {
  q: '',
  status: '',
  customerId: '',
  customerName: '',
  owner: '',
  sort: 'createdDate',
  order: 'desc',
  page: '1'
}

export const FILTERS = ['status', 'customerId', 'customerName', 'owner'] as const

/** What the list is sorted by, in words. */
export const EXPORT_SORTS = {
  createdDate: 'requested',
  exportName: 'name',
  customerName: 'customer',
  status: 'status',
  rowCount: 'rows',
  expiresDate: 'expires'
}

type ExportFiltersProps = Pick<ListQuery<typeof FIRST_VIEW>, 'values' | 'change'> & {
  organizationId: string | null
}

export function ExportFilters({ organizationId, values, change }: ExportFiltersProps) {
  const { status, customerId, customerName, owner } = values
  return (
    <>
      <SelectField
        label="Status"
        value={status}
        onChange={(value) => change({ status: value })}
        options={[
          { value: '', label: 'Any status' },
          ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))
        ]}
      />
      <SelectField
        label="Requested by"
        value={owner}
        onChange={(value) => change({ owner: value })}
        options={[
          { value: '', label: 'Anybody' },
          { value: 'me', label: 'Me' }
        ]}
      />
      <CustomerChoice
        organizationId={organizationId}
        chosen={customerId ? { id: customerId, name: customerName || customerId } : null}
        onChoose={(one) => change({ customerId: one?.id ?? '', customerName: one?.name ?? '' })}
      />
    </>
  )
}
