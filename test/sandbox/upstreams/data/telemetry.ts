// Recorded histories of points. An answer has a limited number of records; the remaining records begin at `nextStartTime`.
import { objectBody, textField, textList, timeField } from '../../api/body.ts'
import { found, malformed } from '../../api/problems.ts'
import type { Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import { historyOf, SAMPLE_MS } from '../../simulation/histories.ts'
import { pointsOf } from '../../simulation/points.ts'
import type { State } from '../../state.ts'

const LIMIT_DEFAULT = 10_000
const LIMIT_MAX = 50_000
const POINTS_MAX = 100

export const telemetry: Upstream = (api, state) => {
  api.post('/api/v1/egress/telemetry', async (request) => {
    const body = objectBody(request)
    const device = deviceBySystemGuid(state, textField(body, 'systemGuid', 100))
    const pointIds = [...new Set(textList(body, 'pointIds'))]
    if (pointIds.length === 0 || pointIds.length > POINTS_MAX)
      throw malformed(`pointIds must have 1 to ${POINTS_MAX} items`, 'pointIds')
    const startMs = timeField(body, 'startTime')
    const endMs = timeField(body, 'endTime')
    if (startMs >= endMs) throw malformed('startTime must lie before endTime', 'startTime')

    const fromMs = Math.max(startMs, Date.parse(device.createdDate))
    const toMs = Math.min(endMs, state.clock() + 1)
    // A point has at most one record per sampling interval.
    const intervals = Math.max(1, Math.floor(readLimit(body) / pointIds.length))
    const untilMs = Math.min(toMs, fromMs + intervals * SAMPLE_MS)
    const points = pointsOf(device)
    return {
      systemGuid: device.systemGuid,
      pointDetails: pointIds.map((pointId) => {
        const point = points.find((candidate) => candidate.telemetryId === pointId)
        return {
          pointId,
          historyRecords: point ? historyOf(state.pointWrites, point, fromMs, untilMs) : []
        }
      }),
      ...(untilMs < toMs && { nextStartTime: new Date(untilMs).toISOString() })
    }
  })
}

export function deviceBySystemGuid(state: State, systemGuid: string): DeviceRecord {
  return found(
    [...state.devices.values()].find((device) => device.systemGuid === systemGuid),
    `system ${systemGuid}`
  )
}

function readLimit(body: Record<string, unknown>): number {
  const { limit = LIMIT_DEFAULT } = body
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    throw malformed('limit must be a whole number above 0', 'limit')
  return Math.min(limit, LIMIT_MAX)
}
