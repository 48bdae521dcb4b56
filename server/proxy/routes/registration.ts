// Device registration and re-registration (§7, A-12, A-13). Rows and what they take.
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, link, opaqueId, optional, text } from '../../schemas.ts'
import type { ProxyRow } from '../table.ts'

const BASE = '/api/v2/devicemanagement'
const shared = { action: 'devices:register', upstream: 'DEVICEMANAGEMENT' } as const

const license = { userCode: optional(id('The code that the device shows: 8 characters.', 'AB12CD34')), licenseId: optional(opaqueId('One of the licenses behind the code.', 'lic-1')) }
const newDevice = closed({ ...license, customer: link('organizations'), project: link('projects'), deviceName: optional(text(DEVICE_NAME_MAX_CHARACTERS)), location: optional(text(LOCATION_MAX_CHARACTERS)) }, { $id: 'NewDevice' })
const reregistration = closed({ ...license, deviceUuid: id('Uuid of the device.') }, { $id: 'Reregistration' })

export const registration: readonly ProxyRow[] = [
  { ...shared, id: 'registration.licenses', method: 'GET', path: `${BASE}/registration/:code`, scope: 'anywhere', upstreamProves: ['code'] },
  { ...shared, id: 'registration.register', method: 'POST', path: `${BASE}/registration`, scope: 'body-organization', check: 'placement', body: newDevice, upstreamProves: ['userCode', 'licenseId'], changesInventory: true },
  { ...shared, id: 'reregistration.licenses', method: 'GET', path: `${BASE}/reregistration/:code/deviceUuid/:deviceUuid`, scope: 'device-uuid', upstreamProves: ['code'] },
  { ...shared, id: 'reregistration.reregister', method: 'POST', path: `${BASE}/reregistration`, scope: 'body-device', body: reregistration, upstreamProves: ['userCode', 'licenseId'], changesInventory: true }
]
