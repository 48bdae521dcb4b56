import { ENDED_DAYS } from '#shared/devices.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { type Filter, oneOf, ownLabel } from '../../../ui/list/filters/filters.tsx'
import type { DeviceView } from './device-view.ts'
import { endChoice, OFFERING_NAMES } from './service-links/device-services.ts'

const SERVICES = Object.entries(OFFERING_NAMES).map(([value, label]) => ({ value, label }))
const ENDS = [EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS, ENDED_DAYS].map(endChoice)
const USAGES = [
  { value: 'warning', label: 'Usage close to the plan limit' },
  { value: 'exceeded', label: 'Usage above the plan limit' }
]

export const DEVICE_FILTERS: readonly Filter<DeviceView>[] = [
  oneOf('service', 'Service', 'All services', SERVICES, ownLabel),
  oneOf('expires', 'Subscription ends', 'Ends any time', ENDS, ownLabel),
  oneOf('plan', 'Data usage', 'Any data usage', USAGES, ownLabel)
]
