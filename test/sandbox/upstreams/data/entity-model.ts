// Searches the points of a device or of all devices of a customer, by name, or by tag names or values.
import { objectBody, oneOf, textField, textList } from '../../api/body.ts'
import { halBody, searchPage } from '../../api/hal.ts'
import { found, malformed } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import { chance, seedOf } from '../../simulation/chance.ts'
import { type Point, pointsOf, unitsOf } from '../../simulation/points.ts'
import { isOffline, valuesOf, valueText, writeInForce } from '../../simulation/values.ts'
import type { State } from '../../state.ts'
import { organizationOf } from '../management/organizations.ts'
import { openAlarmsOf } from './alarm-records.ts'

const SEARCH_TYPES = ['pointNames', 'tagNames', 'tagValues'] as const
type SearchType = (typeof SEARCH_TYPES)[number]

const COMPARISONS: Record<string, (text: string, item: string) => boolean> = {
  CONTAINS: (text, item) => text.includes(item),
  STARTS_WITH: (text, item) => text.startsWith(item),
  EQUALS: (text, item) => text === item
}

export const entityModel: Upstream = (api, state) => {
  api.post('/api/v1/entitymodel/customers/:id/:searchType', async (request) => {
    const { id, searchType = '' } = params(request)
    const devices = state.devices.of(organizationOf(state, id).id)
    const body = objectBody(request)
    const type = oneOf({ searchType }, 'searchType', SEARCH_TYPES)
    if (body.searchType !== type) throw malformed('searchType must equal the type in the path', 'searchType')
    const rel = 'pointModels'
    if (body.systemGuid === undefined && state.asksForSystem)
      throw malformed('systemGuid is required', 'systemGuid')
    if (body.systemGuid === undefined)
      return halBody(request, {
        rel,
        items: pointsOfAll(devices, matcher(sharedTextsOf, type, body)),
        toBody: ({ device, index }) => pointBody(state, pointsOf(device)[index] as Point)
      })
    const systemGuid = textField(body, 'systemGuid', 100)
    const device = found(
      devices.find((device) => device.systemGuid === systemGuid),
      `system ${systemGuid}`
    )
    return searchPage(request, {
      rel,
      items: pointsOf(device).filter(matcher(textsOf, type, body)),
      toBody: (point) => pointBody(state, point)
    })
  })
}

/**
 * The matching points, sorted by name. Devices of the same equipment and number of units have the same points except for
 * identifiers, which a search ignores. So only one device of each kind is searched.
 */
function pointsOfAll(devices: readonly DeviceRecord[], matches: (point: Point) => boolean) {
  const kinds = Map.groupBy(devices, (device) => `${device.equipment} ${unitsOf(device)}`)
  return [...kinds.values()]
    .flatMap((similarDevices) =>
      pointsOf(similarDevices[0] as DeviceRecord).flatMap((point, index) =>
        matches(point) ? [{ name: point.displayName, index, similarDevices }] : []
      )
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ index, similarDevices }) => similarDevices.map((device) => ({ device, index })))
}

// Matches points with any of the items, ignoring case; without items, matches all.
function matcher(
  textsOf: (point: Point, type: SearchType) => string[],
  type: SearchType,
  body: Record<string, unknown>
): (point: Point) => boolean {
  const comparison = body.comparisonType ?? 'CONTAINS'
  const compare = COMPARISONS[oneOf({ comparison }, 'comparison', Object.keys(COMPARISONS))]
  const items = textList(body, 'searchItems').map((item) => item.trim().toLowerCase())
  if (!compare || items.every((item) => item === '')) return () => true
  return (point) =>
    textsOf(point, type).some((text) =>
      items.some((item) => item !== '' && compare(text.toLowerCase(), item))
    )
}

function sharedTextsOf(point: Point, type: SearchType): string[] {
  if (type === 'pointNames') return [point.displayName]
  const { telemetryId, historyName, floor, ...tags } = tagsOf(point)
  return type === 'tagNames' ? Object.keys(tagsOf(point)) : Object.values(tags)
}

function textsOf(point: Point, type: SearchType): string[] {
  if (type === 'pointNames') return [point.displayName, point.cloudId]
  const tags = tagsOf(point)
  return type === 'tagNames' ? Object.keys(tags) : Object.values(tags)
}

function pointBody(state: State, point: Point): object {
  const { template, device } = point
  const nowMs = state.clock()
  const value = valueText(template, valuesOf(state.pointWrites, point)(nowMs))
  return {
    displayName: point.displayName,
    cloudId: point.cloudId,
    systemGuid: device.systemGuid,
    outValue: `${value} {${statusOf(state, point, nowMs).join(',')}}`,
    facets: facetsOf(point),
    links: { device: `/devices/${device.id}`, customer: `/organizations/${device.customerId}` },
    tags: tagsOf(point)
  }
}

function facetsOf({ template }: Point): object {
  const writable = template.writable === true
  if (template.kind !== 'Numeric') return { writable }
  const { units, precision, low: min, high: max } = template
  return { writable, units, precision, min, max }
}

function tagsOf(point: Point): Record<string, string> {
  const { template, telemetryId, slotPath, historyName } = point
  const { kind } = template
  return {
    telemetryId,
    slotPath,
    dataType: kind,
    type: `control:${kind}${template.writable ? 'Writable' : 'Point'}`,
    ...(historyName !== null && { historyName }),
    ...(kind === 'Numeric' && {
      ...(template.units !== '' && { units: template.units }),
      range: `${template.low}..${template.high}`
    }),
    ...(kind === 'Boolean' && { trueText: template.trueText, falseText: template.falseText }),
    ...(kind === 'Enum' && { range: template.texts.map((text, ordinal) => `${ordinal}=${text}`).join(',') }),
    equip: point.device.equipment,
    floor: String(seedOf(point.device.id) % 12),
    ...template.tags
  }
}

/** The status flags of the station: `ok`, or all that apply. */
export function statusOf(state: State, point: Point, timeMs: number): string[] {
  const { seed, device, displayName, cloudId } = point
  const alarms = openAlarmsOf(state, device, timeMs).filter((alarm) => alarm.sourceName === displayName)
  const flags = [
    ...(chance(seed, 31) < 0.004 ? ['fault'] : []),
    ...(isOffline(seedOf(device.deviceUuid)) ? ['down', 'stale'] : []),
    ...(alarms.some((alarm) => alarm.sourceState !== 'normal') ? ['alarm'] : []),
    ...(alarms.some((alarm) => alarm.ackState !== 'acked') ? ['unackedAlarm'] : []),
    ...(writeInForce(state.pointWrites, cloudId, timeMs) === null ? [] : ['overridden'])
  ]
  return flags.length > 0 ? flags : ['ok']
}
