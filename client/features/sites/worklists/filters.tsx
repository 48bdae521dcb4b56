import { DEVICE_SERVICES } from '#shared/devices.ts'
import { WORKLIST_DAYS, type WorklistName } from '#shared/worklists.ts'
import { type Filter, namedOne, oneOf, ownLabel } from '../../../ui/list/filters/filters.tsx'
import { CustomerChoice } from '../customers/customer-choice.tsx'
import { endChoice, OFFERING_NAMES } from '../devices/service-links/device-services.ts'

/** The default values of a list's query parameters. Each list has an order of its own. */
export const FIRST_VIEW = {
  q: '',
  customerId: '',
  customerName: '',
  service: '',
  days: '',
  level: '',
  sort: '',
  order: '',
  page: '1'
}
/** The placeholder of the search of each list. */
export const SEARCHED = 'Device, Project, Customer'

export type WorklistView = typeof FIRST_VIEW

const DAYS = WORKLIST_DAYS.map(endChoice)
const SERVICES = DEVICE_SERVICES.map((service) => ({
  value: service,
  label: OFFERING_NAMES[service] ?? service
}))
const LEVELS = [
  { value: 'exceeded', label: 'Over the limit' },
  { value: 'warning', label: '80 to 100 %' }
]

const ends = oneOf<WorklistView>('days', 'End', 'Ended or ending', DAYS, ownLabel)
const service = oneOf<WorklistView>('service', 'Service', 'Any service', SERVICES)
const level = oneOf<WorklistView>('level', 'Usage', 'Near or over limit', LEVELS, ownLabel)

export function customerFilter(organizationId: string): Filter<WorklistView> {
  return namedOne('customerId', 'customerName', 'Customer', (chosen, onChoose) => (
    <CustomerChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
  ))
}

export function worklistFilters(
  name: WorklistName | 'devices',
  organizationId: string
): Filter<WorklistView>[] {
  const customer = customerFilter(organizationId)
  if (name === 'services') return [ends, customer, service]
  if (name === 'plans') return [level, customer]
  return name === 'devices' ? [customer, service] : [customer]
}
