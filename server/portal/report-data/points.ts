// Finds the points of a saved report: their devices at the customer, and their types and histories in the entity model.

import type { Device } from '#shared/answers/customers.ts'
import type { ReportDataPoint, ReportGap } from '#shared/answers/report-data.ts'
import { isState, type PointType, pointTypeOf, stateTexts, textsOf } from '#shared/history/point-type.ts'
import type { ReportPoint } from '#shared/history/report.ts'
import type { CustomerHandle } from '../../inventory/customer-handle.ts'
import type { CustomerSource } from '../../upstreams/client.ts'
import { excerpt } from '../../upstreams/fields.ts'
import { fetchPointsById } from '../../upstreams/points.ts'

export interface FoundPoint {
  deviceUuid: string
  cloudId: string
  deviceName: string
  pointName: string
  type: PointType
  /** The system and the telemetry id; null for a point without records. */
  source: { systemGuid: string; pointId: string } | null
  missing: ReportGap | null
}

const NO_TYPE = pointTypeOf({})

/** Finds the points, in the order of the report. Throws the upstream's problem. */
export async function findReportPoints(
  source: CustomerSource,
  customer: CustomerHandle,
  points: readonly ReportPoint[]
): Promise<FoundPoint[]> {
  const found = new Map<ReportPoint, FoundPoint>()
  for (const [deviceUuid, devicePoints] of Map.groupBy(points, (point) => point.deviceUuid)) {
    source.signal?.throwIfAborted()
    const device = await customer.device(deviceUuid)
    if (device === null) for (const point of devicePoints) found.set(point, lacking(point, 'device'))
    else await addPointsOf(JSON.parse(device.toString()), devicePoints)
  }
  return points.flatMap((point) => found.get(point) ?? [])

  async function addPointsOf({ systemGuid, deviceName }: Device, devicePoints: readonly ReportPoint[]) {
    // A search without a system would find points of all systems.
    if (systemGuid === '') {
      for (const point of devicePoints) found.set(point, lacking({ ...point, deviceName }, 'point'))
      return
    }
    const cloudIds = devicePoints.map(({ cloudId }) => cloudId)
    const models = await fetchPointsById({ ...source, systemGuid }, cloudIds)
    for (const point of devicePoints) {
      const model = models.get(point.cloudId)
      const { telemetryId: pointId, historyName } = textsOf(model?.tags)
      found.set(point, {
        ...lacking({ ...point, deviceName }, model ? 'history' : 'point'),
        ...(model && { pointName: model.displayName || point.cloudId, type: pointTypeOf(model) }),
        ...(model && pointId && historyName && { source: { systemGuid, pointId }, missing: null })
      })
    }
  }
}

/** A point without records, with the names that it had when the report was saved. */
function lacking(
  { deviceUuid, cloudId, deviceName, pointName }: ReportPoint,
  missing: ReportGap
): FoundPoint {
  const names = { deviceName: excerpt(deviceName ?? deviceUuid), pointName: excerpt(pointName ?? cloudId) }
  return { deviceUuid, cloudId, ...names, type: NO_TYPE, source: null, missing }
}

/** The point as answers describe it. */
export function describedPoint({ type, missing, source: _source, ...names }: FoundPoint): ReportDataPoint {
  const states = isState(type) ? stateTexts(type) : []
  return {
    ...names,
    units: type.units,
    kind: type.kind,
    states: states.map(({ ordinal, text }) => ({ value: ordinal, text })),
    partial: missing === null ? [] : [missing]
  }
}
