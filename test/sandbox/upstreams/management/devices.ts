// Devices of a customer: listing, renaming, moving to another project, deleting.
import type { FastifyRequest } from 'fastify'
import { type AuditChange, audit } from '../../api/audit.ts'
import { linkField, objectBody, textField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { malformed, notFound } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import type { State } from '../../state.ts'
import { organizationOf } from './organizations.ts'
import { projectOf } from './projects.ts'

const TEXT_MAX_CHARACTERS = 50

export const devices: Upstream = (api, state) => {
  const toBody = (device: DeviceRecord): object => deviceBody(state, device)

  api.get(`${MANAGEMENT}/organizations/:id/devices`, async (request) => {
    const { id } = organizationOf(state, params(request).id)
    const items = state.devices.of(id)
    const searched = (one: DeviceRecord): string[] => [
      one.deviceName,
      one.hostId,
      one.location,
      projectName(state, one)
    ]
    return halPage(request, { rel: 'devices', items, toBody, searched })
  })

  api.patch(`${MANAGEMENT}/devices/:id`, async (request) => {
    const device = deviceOf(state, params(request).id)
    const changes = changeDevice(state, device, objectBody(request))
    const moved = changes.some((change) => change.field === 'projectName')
    record(request, moved ? 'DEVICE_MOVED' : 'DEVICE_UPDATED', device, changes)
    return toBody(device)
  })

  api.delete(`${MANAGEMENT}/devices/:id`, async (request, reply) => {
    const device = deviceOf(state, params(request).id)
    state.devices.remove(device.id)
    const kept = state.subscriptions
      .get(device.customerId)
      ?.filter((one) => one.deviceUuid !== device.deviceUuid)
    state.subscriptions.set(device.customerId, kept ?? [])
    record(request, 'DEVICE_DELETED', device)
    return reply.code(204).send()
  })

  function record(
    request: FastifyRequest,
    action: string,
    device: DeviceRecord,
    changes: AuditChange[] = []
  ): void {
    const resource = { type: 'DEVICE', id: device.id, name: device.deviceName }
    audit(state, request, { action, resource, organizationId: device.customerId, device, changes })
  }
}

export function deviceOf(state: State, id: string): DeviceRecord {
  const device = state.devices.get(id)
  if (!device) throw notFound(`device ${id}`)
  return device
}

function changeDevice(state: State, device: DeviceRecord, body: Record<string, unknown>): AuditChange[] {
  const project = body.project === undefined ? null : projectOf(state, linkField(body, 'project', 'projects'))
  if (project && project.customerId !== device.customerId)
    throw malformed('the project belongs to another customer', 'project')
  const wanted = {
    deviceName:
      body.deviceName === undefined ? device.deviceName : textField(body, 'deviceName', TEXT_MAX_CHARACTERS),
    location:
      body.location === undefined ? device.location : textField(body, 'location', TEXT_MAX_CHARACTERS),
    projectName: project?.projectName ?? projectName(state, device)
  }
  const before = { ...device, projectName: projectName(state, device) }
  device.deviceName = wanted.deviceName
  device.location = wanted.location
  device.projectId = project?.id ?? device.projectId
  return (['deviceName', 'location', 'projectName'] as const)
    .filter((field) => before[field] !== wanted[field])
    .map((field) => ({ field, before: before[field], after: wanted[field] }))
}

function projectName(state: State, device: DeviceRecord): string {
  return state.projects.get(device.projectId)?.projectName ?? ''
}

function deviceBody(state: State, device: DeviceRecord): object {
  const { customerId, equipment: _equipment, ...shown } = device
  return {
    ...shown,
    projectName: projectName(state, device),
    _links: {
      self: { href: `${MANAGEMENT}/devices/${device.id}` },
      project: { href: `/projects/${device.projectId}` },
      customer: { href: `/organizations/${customerId}` }
    }
  }
}
