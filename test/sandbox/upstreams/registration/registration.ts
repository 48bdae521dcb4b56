// Registering a device that shows a code, and registering a known device anew, for instance with another controller.
import type { FastifyRequest } from 'fastify'
import { audit } from '../../api/audit.ts'
import { linkField, objectBody, textField } from '../../api/body.ts'
import { malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord, SubscriptionRecord } from '../../records/sites.ts'
import { EQUIPMENT, hostId, uuid } from '../../seed/names.ts'
import { randomFrom } from '../../seed/random.ts'
import { seedOf } from '../../simulation/chance.ts'
import { now, type State } from '../../state.ts'
import { organizationOf } from '../management/organizations.ts'
import { projectOf } from '../management/projects.ts'
import { type License, licensesOf, spend } from './codes.ts'

const DEVICEMANAGEMENT = '/api/v2/devicemanagement'
const TEXT_MAX_CHARACTERS = 50
const YEAR_MS = 365 * 86_400_000
const PLAN_LIMIT_GB = 25

export const registration: Upstream = (api, state) => {
  api.get(`${DEVICEMANAGEMENT}/registration/:code`, async (request) => ({
    licenses: licensesOf(state, params(request).code ?? '')
  }))

  api.get(`${DEVICEMANAGEMENT}/reregistration/:code/deviceUuid/:deviceUuid`, async (request) => {
    const { code = '', deviceUuid = '' } = params(request)
    deviceByUuid(state, deviceUuid)
    return { licenses: licensesOf(state, code) }
  })

  api.post(`${DEVICEMANAGEMENT}/registration`, async (request, reply) => {
    const body = objectBody(request)
    const code = textField(body, 'userCode', TEXT_MAX_CHARACTERS)
    const license = licenseOf(state, code, body)
    const device = state.devices.add(readDevice(state, body))
    subscribe(state, device, license)
    spend(state, code)
    record(request, 'DEVICE_REGISTERED', device)
    return reply.code(201).send(deviceIds(device))
  })

  api.post(`${DEVICEMANAGEMENT}/reregistration`, async (request) => {
    const body = objectBody(request)
    const code = textField(body, 'userCode', TEXT_MAX_CHARACTERS)
    const device = deviceByUuid(state, textField(body, 'deviceUuid', TEXT_MAX_CHARACTERS))
    const license = licenseOf(state, code, body)
    device.hostId = hostId(randomFrom(seedOf(code)))
    subscribe(state, device, license)
    spend(state, code)
    record(request, 'DEVICE_REREGISTERED', device)
    return deviceIds(device)
  })

  function record(request: FastifyRequest, action: string, device: DeviceRecord): void {
    const resource = { type: 'DEVICE', id: device.id, name: device.deviceName }
    audit(state, request, { action, resource, organizationId: device.customerId, device })
  }
}

export function deviceByUuid(state: State, deviceUuid: string): DeviceRecord {
  for (const device of state.devices.values()) if (device.deviceUuid === deviceUuid) return device
  throw notFound(`device ${deviceUuid}`)
}

function licenseOf(state: State, code: string, body: Record<string, unknown>): License {
  const license = licensesOf(state, code).find((one) => one.licenseId === body.licenseId)
  if (!license) throw malformed('licenseId must be a licence of that code', 'licenseId')
  return license
}

function readDevice(state: State, body: Record<string, unknown>): DeviceRecord {
  const customer = organizationOf(state, linkField(body, 'customer', 'organizations'))
  const project = projectOf(state, linkField(body, 'project', 'projects'))
  if (project.customerId !== customer.id)
    throw malformed('the project belongs to another customer', 'project')
  const deviceName = textField(body, 'deviceName', TEXT_MAX_CHARACTERS)
  const location = textField(body, 'location', TEXT_MAX_CHARACTERS)
  const id = state.nextId('d')
  const random = randomFrom(seedOf(id))
  return {
    id,
    deviceUuid: uuid(random),
    deviceName,
    hostId: hostId(random),
    location,
    projectId: project.id,
    systemGuid: random.hex(24),
    createdDate: now(state),
    customerId: customer.id,
    equipment: EQUIPMENT.find((kind) => deviceName.startsWith(kind)) ?? random.pick(EQUIPMENT)
  }
}

function subscribe(state: State, { customerId, deviceUuid }: DeviceRecord, license: License): void {
  const others = (state.subscriptions.get(customerId) ?? []).filter((one) => one.deviceUuid !== deviceUuid)
  const own = license.features.subscriptions.map(
    ({ offeringCode }): SubscriptionRecord => ({
      deviceUuid,
      offeringCode,
      startDate: now(state),
      endDate: new Date(state.clock() + YEAR_MS).toISOString(),
      ...(offeringCode === 'NDS' && { planLimit: PLAN_LIMIT_GB })
    })
  )
  state.subscriptions.set(customerId, [...others, ...own])
}

function deviceIds({ id, deviceUuid, systemGuid }: DeviceRecord): object {
  return { id, deviceUuid, systemGuid }
}
