// Rows for device registration and re-registration, with their request schemas.
import Type from 'typebox'
import { License } from '#shared/answers/management.ts'
import { texts } from '#shared/answers/parts.ts'
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, link, opaqueId, text } from '../../schemas.ts'
import { created, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'

const BASE = '/api/v2/devicemanagement'
const area = { name: 'Device registration', description: 'A device shows a code. A call with the code and a license registers the device in a project.' }
const common = { area, action: 'devices:register' } as const

const license = { userCode: id('The code that the device shows: 8 characters.', 'AB12CD34'), licenseId: opaqueId('One of the licenses that the code offers.', 'lic-1') }
const newDevice = closed({ ...license, customer: link('organizations'), project: link('projects'), deviceName: text(DEVICE_NAME_MAX_CHARACTERS), location: text(LOCATION_MAX_CHARACTERS) }, { $id: 'NewDevice' })
const reregistration = closed({ ...license, deviceUuid: id('Uuid of the device.') }, { $id: 'Reregistration' })

const deviceIds = Type.Object(texts('id', 'deviceUuid', 'systemGuid'))
const licenses = ok(Type.Object({ licenses: Type.Array(License) }), 'The licenses that the code offers.')

export const registration: readonly ProxyRow[] = [
  { ...common, id: 'registration.licenses', method: 'GET', path: `${BASE}/registration/:code`, scope: 'anywhere', upstreamProves: ['code'], secretParams: ['code'], summary: 'Look up the licenses for a code', answers: licenses },
  {
    ...common,
    id: 'registration.register',
    method: 'POST',
    path: `${BASE}/registration`,
    scope: 'body-organization',
    check: 'placement',
    body: newDevice,
    recorded: ['licenseId', 'customer', 'project', 'deviceName', 'location'],
    upstreamProves: ['userCode', 'licenseId'],
    changes: 'inventory',
    summary: 'Register a device',
    answers: created(deviceIds)
  },
  {
    ...common,
    id: 'reregistration.licenses',
    method: 'GET',
    path: `${BASE}/reregistration/:code/deviceUuid/:deviceUuid`,
    scope: 'device-uuid',
    upstreamProves: ['code'],
    secretParams: ['code'],
    summary: 'Look up the licenses for a code, for a known device',
    answers: licenses
  },
  {
    ...common,
    id: 'reregistration.reregister',
    method: 'POST',
    path: `${BASE}/reregistration`,
    scope: 'body-device',
    body: reregistration,
    recorded: ['licenseId', 'deviceUuid'],
    upstreamProves: ['userCode', 'licenseId'],
    changes: 'inventory',
    summary: 'Register a known device again',
    answers: ok(deviceIds)
  }
]
