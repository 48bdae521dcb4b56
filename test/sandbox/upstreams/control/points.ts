// Live values: reading points, writing to them and ending what was written. The device needs a moment to obey.
import type { FastifyRequest } from 'fastify'
import { audit } from '../../api/audit.ts'
import { objectBody, objectList, textField, textList } from '../../api/body.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import { seedOf } from '../../simulation/chance.ts'
import { type Point, type PointValue, pointsOf } from '../../simulation/points.ts'
import { isOffline, valuesOf, valueText } from '../../simulation/values.ts'
import { now, type State } from '../../state.ts'
import { statusOf } from '../data/point-status.ts'
import { deviceOf } from '../management/devices.ts'
import { requirePriority } from './priority.ts'
import { Refused, readValue } from './written-value.ts'

const OBEYED_AFTER_MS = 2000
const COMMANDS = '/api/v1/control/devices/:id/commands'

export const pointCommands: Upstream = (api, state) => {
  api.post(`${COMMANDS}/read`, async (request) => {
    const device = deviceOf(state, params(request).id)
    const body = objectBody(request)
    requirePriority(body, 'requestProcessingPriority')
    return read(state, device, textList(body, 'cloudIds'))
  })

  // This one names its priority differently, and without ids it reads everything.
  api.post(`${COMMANDS}/readAll`, async (request) => {
    const device = deviceOf(state, params(request).id)
    const body = objectBody(request)
    requirePriority(body, 'priority')
    const cloudIds = textList(body, 'cloudIds')
    return read(state, device, cloudIds.length > 0 ? cloudIds : pointsOf(device).map((one) => one.cloudId))
  })

  for (const command of ['write', 'clear'] as const)
    api.post(`${COMMANDS}/${command}`, async (request) => {
      const device = deviceOf(state, params(request).id)
      const body = objectBody(request)
      requirePriority(body, 'requestProcessingPriority')
      const items = objectList(body, 'points').map((item) => ({
        cloudId: textField(item, 'cloudId', 100),
        value: item.value
      }))
      return items.map((item) => change(state, request, device, command, item))
    })
}

function read(state: State, device: DeviceRecord, cloudIds: string[]): object[] {
  const points = new Map(pointsOf(device).map((one) => [one.cloudId, one]))
  const timeMs = state.clock()
  return cloudIds.map((cloudId) => {
    const point = points.get(cloudId)
    const timestamp = now(state)
    if (!point) return { cloudId, value: null, status: 'unknown', timestamp, error: 'no such point' }
    const value = valuesOf(state.pointWrites, point)(timeMs)
    const status = statusOf(state, point, timeMs).join(',')
    const offline = isOffline(seedOf(device.deviceUuid))
    return { cloudId, value, status, timestamp, ...(offline && { error: 'the device is offline' }) }
  })
}

function change(
  state: State,
  request: FastifyRequest,
  device: DeviceRecord,
  command: 'write' | 'clear',
  { cloudId, value }: { cloudId: string; value: unknown }
): object {
  const point = pointsOf(device).find((one) => one.cloudId === cloudId)
  try {
    if (!point) throw new Refused('no such point')
    if (isOffline(seedOf(device.deviceUuid))) throw new Refused('the device is offline')
    if (!point.template.writable) throw new Refused('the point is not writable')
    apply(state, request, point, command === 'clear' ? null : readValue(point.template, value))
    return { cloudId, status: 'OK' }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { cloudId, status: 'FAILED', error: error.message }
  }
}

function apply(state: State, request: FastifyRequest, point: Point, value: PointValue | null): void {
  const { cloudId, displayName, template, device } = point
  const valueAt = valuesOf(state.pointWrites, point)
  const before = valueText(template, valueAt(state.clock()))
  const writes = state.pointWrites.get(cloudId) ?? []
  state.pointWrites.set(cloudId, [...writes, { fromMs: state.clock() + OBEYED_AFTER_MS, value }])
  const after = value === null ? null : valueText(template, value)
  audit(state, request, {
    action: value === null ? 'POINT_CLEARED' : 'POINT_WRITTEN',
    resource: { type: 'POINT', id: cloudId, name: displayName },
    organizationId: device.customerId,
    device,
    changes: [{ field: displayName, before, after }]
  })
}
