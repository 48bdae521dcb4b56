import { type Filter, namedOne, oneOf } from '../../ui/list/filters/filters.tsx'
import { CustomerChoice } from '../customers/customer-choice.tsx'
import { STATUSES } from './columns.tsx'

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

export function exportFilters(organizationId: string | null): Filter<typeof FIRST_VIEW>[] {
  return [
    oneOf('status', 'Status', [
      { value: '', label: 'Any status' },
      ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))
    ]),
    oneOf(
      'owner',
      'Requested by',
      [
        { value: '', label: 'By anybody' },
        { value: 'me', label: 'By me' }
      ],
      (chosen) => `Requested ${chosen.toLowerCase()}`
    ),
    namedOne('customerId', 'customerName', 'Customer', (chosen, onChoose) => (
      <CustomerChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
    ))
  ]
}
