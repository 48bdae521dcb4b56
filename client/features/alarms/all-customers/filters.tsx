import type { Query } from '#shared/calls.ts'
import { ALL_ALARMS_QUERY } from '#shared/screens.ts'
import { type ListQuery, pageNumber } from '../../../lib/use-list-query.ts'
import { choicesOf, type Filter, namedOne, oneOf } from '../../../ui/list/filters/filters.tsx'
import { CustomerChoice } from '../../sites/customers/customer-choice.tsx'
import { SOURCE_STATES } from '../alarms/alarm.ts'
import { BANDS } from '../priorities/bands.ts'

/** The presets for which the gateway reads alarms. */
export const ALL_PRESETS = ['action', 'active', 'unacked'] as const

export const FIRST_VIEW = {
  show: 'action',
  q: '',
  customer: '',
  customerName: '',
  state: '',
  band: '',
  sort: ALL_ALARMS_QUERY.sort as string,
  order: ALL_ALARMS_QUERY.order as string,
  page: '1',
  alarm: ''
}

type View = typeof FIRST_VIEW
export type AllAlarmsQuery = ListQuery<View>

export function presetOf({ show }: View): (typeof ALL_PRESETS)[number] {
  return ALL_PRESETS.find((preset) => preset === show) ?? 'action'
}

/** The query of a page of the list; the same as the first call of the screen if no filter is set. */
export function queryOf(view: View): Query {
  const band = BANDS.find(({ id }) => id === view.band)
  const preset = presetOf(view)
  return {
    ...ALL_ALARMS_QUERY,
    show: preset === 'action' ? undefined : preset,
    sort: view.sort,
    order: view.order === 'asc' ? 'asc' : 'desc',
    page: pageNumber(view.page),
    q: view.q.trim(),
    customerId: view.customer,
    states: view.state,
    priorityFrom: band?.from,
    priorityTo: band?.to
  }
}

export function allAlarmsFilters(organizationId: string): Filter<View>[] {
  return [
    namedOne<View>('customer', 'customerName', 'Customer', (chosen, onChoose) => (
      <CustomerChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
    )),
    oneOf(
      'band',
      'Priority',
      'Any priority',
      BANDS.map(({ id, label, from, to }) => ({ value: id, label: `${label} (${from} to ${to})` }))
    ),
    oneOf('state', 'State', 'Any state', choicesOf(SOURCE_STATES))
  ]
}
