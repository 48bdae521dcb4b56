// Saved reports and exports: many at the largest customer, with an export in every status; a few at other customers.
import type { DeviceRecord } from '../records/sites.ts'
import type { ExportRecord } from '../records/work.ts'
import { SAMPLE_MS } from '../simulation/histories.ts'
import { firstRecordedPoints } from '../simulation/points.ts'
import type { State } from '../state.ts'
import { NOTABLE } from './notable.ts'
import { type Random, randomFrom } from './random.ts'
import { startOfDay } from './sites.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const REPORTS = [
  'Supply temperatures',
  "Night manager's view",
  'Chilled water, week by week',
  'Fan speeds',
  'Energy & demand',
  'CO2 in the wards',
  'Heating season',
  'Setpoint review',
  'Operating theatres'
]
const FILTERS = ['Month-To-Date', 'Last 7 Days', 'Yesterday', 'Custom Range', 'Last Month']
const PEOPLE: [id: string, name: string][] = [
  ['u-partner-admin', 'Paula Andersson'],
  ['u-customer-admin', 'Carla Almeida'],
  ['u-partner-user', 'Peter Umarov']
]

type Draft = Pick<ExportRecord, 'exportName' | 'queuedForMs' | 'runsForMs' | 'failureReason'> & {
  hoursAgo: number
  cancelledAfterMs?: number
}

const draft = (exportName: string, hoursAgo: number, overrides: Partial<Draft> = {}): Draft => ({
  exportName,
  hoursAgo,
  queuedForMs: 2000,
  runsForMs: 40_000,
  failureReason: null,
  ...overrides
})

// The first export stays queued all day, the second stays running.
const EXPORTS: Draft[] = [
  draft('All meters, last year', 1, { queuedForMs: 3 * DAY_MS }),
  draft('Air handling, quarter', 8, { runsForMs: 3 * DAY_MS }),
  draft('Chilled water 2026', 20),
  draft('Ward temperatures', 50),
  draft('Fan hours', 75),
  draft('Boilers, heating season', 90, { failureReason: 'The history of one point could not be read' }),
  draft('Night setback', 100, { cancelledAfterMs: 9000 }),
  draft('Humidity audit', 200),
  draft('CO2 study', 400)
]

interface CustomerScene {
  state: State
  customerId: string
  devices: readonly DeviceRecord[]
  random: Random
}

export function addReportsAndExports(state: State): void {
  const random = randomFrom(1337)
  const sizes: [customerId: string, reports: number, exports: number][] = [
    [NOTABLE.northwind, REPORTS.length, EXPORTS.length],
    ...[...NOTABLE.multi, NOTABLE.custom[1], NOTABLE.otherPartnersCustomer].map(
      (id): [string, number, number] => [id, 2, 4]
    )
  ]
  for (const [customerId, reports, exports] of sizes) {
    const scene = { state, customerId, devices: state.devices.of(customerId), random }
    for (let index = 0; index < reports; index++) addReport(scene, index)
    for (const exportDraft of EXPORTS.slice(-exports)) addExport(scene, exportDraft)
  }
}

function addReport({ state, customerId, devices, random }: CustomerScene, index: number): void {
  const today = startOfDay(state.clock())
  const createdMs = today - (5 + random.below(300)) * DAY_MS
  const selectedDateFilter = FILTERS[index % FILTERS.length] as string
  const isFixed = selectedDateFilter === 'Custom Range'
  const selectedPoints = [random.pick(devices), random.pick(devices)].flatMap((device) =>
    firstRecordedPoints(device, 1 + random.below(4)).map((point) => ({
      device: device.deviceUuid,
      point: point.cloudId
    }))
  )
  state.reports.add({
    id: `r-${customerId.replace('c-', '')}-${index + 1}`,
    reportName: REPORTS[index] as string,
    customerId,
    reportDetails: { selectedDateFilter, selectedPoints },
    startTime: isFixed ? new Date(today - 40 * DAY_MS).toISOString() : null,
    endTime: isFixed ? new Date(today - 10 * DAY_MS).toISOString() : null,
    createdBy: random.pick(PEOPLE)[1],
    createdDate: new Date(createdMs).toISOString(),
    lastModifiedDate: new Date(createdMs + random.below(4) * DAY_MS).toISOString()
  })
}

function addExport(scene: CustomerScene, { hoursAgo, cancelledAfterMs, ...fields }: Draft): void {
  const { state, customerId, devices, random } = scene
  const createdMs = startOfDay(state.clock()) - hoursAgo * HOUR_MS
  const endMs = Math.floor(createdMs / SAMPLE_MS) * SAMPLE_MS
  const [createdById, createdBy] = random.pick(PEOPLE)
  const selectedPoints = [random.pick(devices), random.pick(devices)].map((device) => ({
    systemGuid: device.systemGuid,
    pointIds: firstRecordedPoints(device, 2 + random.below(4)).map((point) => point.telemetryId)
  }))
  state.exports.add({
    id: `ex-${customerId.replace('c-', '')}-${state.exports.of(customerId).length + 1}`,
    ...fields,
    customerId,
    format: random.below(4) === 0 ? 'JSON' : 'CSV',
    timeZone: random.pick(['UTC', 'Europe/Berlin', 'America/New_York']),
    startTime: new Date(endMs - (3 + random.below(20)) * DAY_MS).toISOString(),
    endTime: new Date(endMs).toISOString(),
    selectedPoints,
    createdById,
    createdBy,
    createdMs,
    cancelledMs: cancelledAfterMs === undefined ? null : createdMs + cancelledAfterMs
  })
}
