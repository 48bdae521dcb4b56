// Devices of a customer: list, rename, move to another project, delete; and their subscriptions.
import { type AuditChange, aboutDevice, changesBetween, recorderOf } from '../../api/audit.ts'
import { linkField, objectBody, textField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { found, malformed } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import type { State } from '../../state.ts'
import { organizationOf } from './organizations.ts'
import { projectOf } from './projects.ts'

const TEXT_MAX_CHARACTERS = 50

export const devices: Upstream = (api, state) => {
  const toBody = (device: DeviceRecord): object => deviceBody(state, device)
  const record = deviceRecorder(state)

  api.get(`${MANAGEMENT}/organizations/:id/devices`, async (request) => {
    const { id } = organizationOf(state, params(request).id)
    const items = state.devices.of(id)
    const searched = (record: DeviceRecord): string[] => [
      record.deviceName,
      record.hostId,
      record.location,
      projectName(state, record)
    ]
    return halPage(request, { rel: 'devices', items, toBody, searched })
  })

  api.patch(`${MANAGEMENT}/devices/:id`, async (request) => {
    const device = deviceOf(state, params(request).id)
    const changes = changeDevice(state, device, objectBody(request))
    const isMoved = changes.some((change) => change.field === 'projectName')
    record(request, isMoved ? 'DEVICE_MOVED' : 'DEVICE_UPDATED', device, changes)
    return toBody(device)
  })

  api.delete(`${MANAGEMENT}/devices/:id`, async (request, reply) => {
    const device = deviceOf(state, params(request).id)
    state.devices.remove(device.id)
    const otherSubscriptions = state.subscriptions
      .get(device.customerId)
      ?.filter((other) => other.deviceUuid !== device.deviceUuid)
    state.subscriptions.set(device.customerId, otherSubscriptions ?? [])
    record(request, 'DEVICE_DELETED', device)
    return reply.code(204).send()
  })

  api.get('/api/v1/subscription/customers/:id', async (request) => {
    const customer = organizationOf(state, params(request).id)
    return state.subscriptions.get(customer.id) ?? []
  })
}

export function deviceOf(state: State, id: string): DeviceRecord {
  return found(state.devices.get(id), `device ${id}`)
}

export const deviceRecorder = (state: State) =>
  recorderOf(state, 'DEVICE', (record: DeviceRecord) => aboutDevice(record, record.id, record.deviceName))

function changeDevice(state: State, device: DeviceRecord, body: Record<string, unknown>): AuditChange[] {
  const project = body.project === undefined ? null : projectOf(state, linkField(body, 'project', 'projects'))
  if (project && project.customerId !== device.customerId)
    throw malformed('the project belongs to another customer', 'project')
  const before = { ...device, projectName: projectName(state, device) }
  for (const field of ['deviceName', 'location'] as const)
    if (body[field] !== undefined) device[field] = textField(body, field, TEXT_MAX_CHARACTERS)
  device.projectId = project?.id ?? device.projectId
  const after = { ...device, projectName: projectName(state, device) }
  return changesBetween(before, after, ['deviceName', 'location', 'projectName'])
}

function projectName(state: State, device: DeviceRecord): string {
  return state.projects.get(device.projectId)?.projectName ?? ''
}

function deviceBody(state: State, device: DeviceRecord): object {
  const { customerId, equipment: _equipment, ...fields } = device
  return {
    ...fields,
    projectName: projectName(state, device),
    _links: {
      self: { href: `${MANAGEMENT}/devices/${device.id}` },
      project: { href: `/projects/${device.projectId}` },
      customer: { href: `/organizations/${customerId}` }
    }
  }
}
