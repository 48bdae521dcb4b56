// Reads live values, writes values and clears writes. A write takes effect 2 s later.
import type { FastifyRequest } from 'fastify'
import { aboutDevice, recorderOf } from '../../api/audit.ts'
import { objectBody, objectList, priorityField, textField, textList } from '../../api/body.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import { seedOf } from '../../simulation/chance.ts'
import type { Template } from '../../simulation/equipment.ts'
import { type Point, type PointValue, pointsOf } from '../../simulation/points.ts'
import { isOffline, valuesOf, valueText } from '../../simulation/values.ts'
import { now, type State } from '../../state.ts'
import { deviceOf } from '../management/devices.ts'
import { statusOf } from './entity-model.ts'

const EFFECTIVE_AFTER_MS = 2000
const COMMANDS = '/api/v1/control/devices/:id/commands'

class Refused extends Error {}

export const pointCommands: Upstream = (api, state) => {
  const record = recorderOf(state, 'POINT', (point: Point) =>
    aboutDevice(point.device, point.cloudId, point.displayName)
  )

  // `readAll` names the priority differently, and reads all points if the call names no points.
  for (const [command, priority] of [
    ['read', 'requestProcessingPriority'],
    ['readAll', 'priority']
  ] as const)
    api.post(`${COMMANDS}/${command}`, async (request) => {
      const device = deviceOf(state, params(request).id)
      const body = objectBody(request)
      priorityField(body, priority)
      const cloudIds = textList(body, 'cloudIds')
      const isAll = command === 'readAll' && cloudIds.length === 0
      return read(state, device, isAll ? pointsOf(device).map((point) => point.cloudId) : cloudIds)
    })

  for (const command of ['write', 'clear'] as const)
    api.post(`${COMMANDS}/${command}`, async (request) => {
      const device = deviceOf(state, params(request).id)
      const body = objectBody(request)
      priorityField(body, 'requestProcessingPriority')
      const items = objectList(body, 'points').map((item) => ({
        cloudId: textField(item, 'cloudId', 100),
        value: item.value
      }))
      return items.map(({ cloudId, value }) => {
        const point = pointsOf(device).find((candidate) => candidate.cloudId === cloudId)
        try {
          if (!point) throw new Refused('no such point')
          if (isOffline(seedOf(device.deviceUuid))) throw new Refused('the device is offline')
          if (!point.template.writable) throw new Refused('the point is not writable')
          apply(request, point, command === 'clear' ? null : checkedValue(point.template, value))
          return { cloudId, status: 'OK' }
        } catch (error) {
          if (!(error instanceof Refused)) throw error
          return { cloudId, status: 'FAILED', error: error.message }
        }
      })
    })

  function apply(request: FastifyRequest, point: Point, value: PointValue | null): void {
    const { cloudId, displayName: field, template } = point
    const before = valueText(template, valuesOf(state.pointWrites, point)(state.clock()))
    const after = value === null ? null : valueText(template, value)
    const writes = state.pointWrites.get(cloudId) ?? []
    state.pointWrites.set(cloudId, [...writes, { fromMs: state.clock() + EFFECTIVE_AFTER_MS, value }])
    record(request, value === null ? 'POINT_CLEARED' : 'POINT_WRITTEN', point, [{ field, before, after }])
  }
}

function read(state: State, device: DeviceRecord, cloudIds: string[]): object[] {
  const points = new Map(pointsOf(device).map((point) => [point.cloudId, point]))
  const timeMs = state.clock()
  return cloudIds.map((cloudId) => {
    const point = points.get(cloudId)
    const timestamp = now(state)
    if (!point) return { cloudId, value: null, status: 'unknown', timestamp, error: 'no such point' }
    const value = valuesOf(state.pointWrites, point)(timeMs)
    const status = statusOf(state, point, timeMs).join(',')
    const isUnreachable = isOffline(seedOf(device.deviceUuid))
    return { cloudId, value, status, timestamp, ...(isUnreachable && { error: 'the device is offline' }) }
  })
}

function checkedValue(template: Template, value: unknown): PointValue {
  if (template.kind === 'Numeric') {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new Refused('the value must be a number')
    if (value < template.low || value > template.high)
      throw new Refused(`the value must lie between ${template.low} and ${template.high}`)
    return value
  }
  if (template.kind === 'Boolean') {
    if (typeof value === 'boolean') return value
    if (value === template.trueText || value === template.falseText) return value === template.trueText
    throw new Refused(`the value must be true or false`)
  }
  if (template.kind === 'Enum') {
    const ordinal = typeof value === 'string' ? template.texts.indexOf(value) : value
    if (typeof ordinal === 'number' && template.texts[ordinal] !== undefined) return ordinal
    throw new Refused(`the value must be one of ${template.texts.join(', ')}`)
  }
  throw new Refused('the point is not writable')
}
