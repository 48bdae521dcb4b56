// Device registration and re-registration (§7, A-12, A-13). Rows only.
import type { ProxyRow } from '../table.ts'

const BASE = '/api/v2/devicemanagement'
const shared = { action: 'devices:register', upstream: 'DEVICEMANAGEMENT' } as const

export const registration: readonly ProxyRow[] = [
  { ...shared, id: 'registration.licenses', method: 'GET', path: `${BASE}/registration/:code`, scope: 'anywhere' },
  {
    ...shared,
    id: 'registration.register',
    method: 'POST',
    path: `${BASE}/registration`,
    scope: 'body-organization',
    check: 'placement',
    changesInventory: true,
    accepts: ['userCode', 'licenseId', 'customer', 'project', 'deviceName', 'location']
  },
  { ...shared, id: 'reregistration.licenses', method: 'GET', path: `${BASE}/reregistration/:code/deviceUuid/:deviceUuid`, scope: 'device-uuid' },
  { ...shared, id: 'reregistration.reregister', method: 'POST', path: `${BASE}/reregistration`, scope: 'body-device', changesInventory: true }
]
