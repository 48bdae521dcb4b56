// Alarms of a customer (§7, A-7). Rows only. The colon of `alarms:search` is doubled, as the router wants it.
import type { ProxyRow } from '../table.ts'

const ALARMS = '/api/v1/alarms/customers/:customerId'
const query = { action: 'alarms:query', upstream: 'ALARMS' } as const

export const alarms: readonly ProxyRow[] = [
  { ...query, id: 'alarms.search', method: 'POST', path: `${ALARMS}/alarms::search`, scope: 'customer', check: 'systems' },
  { ...query, id: 'alarms.count', method: 'GET', path: `${ALARMS}/devices/:deviceId/alarms/count`, scope: 'customer-device', check: 'source-is-device' }
]
