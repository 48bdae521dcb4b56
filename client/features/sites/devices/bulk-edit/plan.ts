// Compares the rows of a file with the present devices, and plans the changes.
import type { Device } from '#shared/answers/customers.ts'
import { deviceName, location, type Rule } from '../../../../lib/validation.ts'
import type { DeviceChange } from '../api.ts'
import {
  COLUMNS,
  comparable,
  isVersion,
  type ProjectNames,
  textOfCell,
  versionOf,
  versionOfDevice
} from './device-file.ts'
import { BULK_EDIT } from './messages.ts'
import { pause } from './pause.ts'
import type { FileRow } from './read-file.ts'

/** A field as it is and as the file wants it. */
export interface Difference {
  /** Null if the device is unknown. */
  before: string | null
  /** Null if the file does not change the field. */
  after: string | null
}

export const FIELDS = ['deviceName', 'location', 'project'] as const
export type Field = (typeof FIELDS)[number]

export interface PlannedRow extends Record<Field, Difference> {
  number: number
  deviceUuid: string
  device: Device | null
  /** Null if nothing will change. */
  change: DeviceChange | null
  /** Why the row is refused, as sentences; empty if it is not. */
  refusals: readonly string[]
}

export interface PlanOptions {
  rows: readonly FileRow[]
  /** All devices of the customer, as they are now. */
  devices: readonly Device[]
  projects: ProjectNames
  mayMove: boolean
}

const ROWS_PER_PIECE = 100

/** Plans the rows with pauses in which the page can react. */
export async function planInPieces(options: PlanOptions): Promise<PlannedRow[]> {
  const plan = plannerOf(options)
  const planned: PlannedRow[] = []
  for (let from = 0; from < options.rows.length; from += ROWS_PER_PIECE) {
    await pause()
    planned.push(...options.rows.slice(from, from + ROWS_PER_PIECE).map(plan))
  }
  return planned
}

function plannerOf({ rows, devices, projects, mayMove }: PlanOptions): (row: FileRow) => PlannedRow {
  const deviceByUuid = new Map(devices.map((device) => [device.deviceUuid.toLowerCase(), device]))
  const numbersByUuid = Map.groupBy(rows, ({ deviceUuid }) => deviceUuid.toLowerCase())
  return (row) => {
    const device = deviceByUuid.get(row.deviceUuid.toLowerCase()) ?? null
    const differences = differencesOf(row, device, projects)
    const planned = { number: row.number, deviceUuid: row.deviceUuid, device, ...differences }
    const sameDevice = numbersByUuid.get(row.deviceUuid.toLowerCase()) ?? []
    const refusal = refusalOf(row, device, sameDevice)
    if (refusal !== null || device === null) return { ...planned, change: null, refusals: [refusal ?? ''] }
    if (!isEdited(row, device, projects)) return { ...planned, ...unchanged(device, projects) }
    if (!isVersion(row.version)) return { ...planned, change: null, refusals: [BULK_EDIT.versionLost] }
    if (row.version !== versionOfDevice(device, projects))
      return { ...planned, change: null, refusals: [BULK_EDIT.changedSince] }
    const { change, refusals } = changeOf(differences, { device, projects, mayMove })
    if (change === null && refusals.length === 0) return { ...planned, ...unchanged(device, projects) }
    return { ...planned, change, refusals }
  }
}

/** Why the row names no device. */
function refusalOf(row: FileRow, device: Device | null, sameDevice: readonly FileRow[]): string | null {
  if (row.problem !== null) return row.problem
  if (row.deviceUuid === '') return BULK_EDIT.uuidEmpty
  if (sameDevice.length > 1) return BULK_EDIT.duplicate(sameDevice.map(({ number }) => number))
  return device === null ? BULK_EDIT.unknownUuid : null
}

function textsOf(device: Device, { nameOf }: ProjectNames): Record<Field, string> {
  return { deviceName: device.deviceName, location: device.location, project: nameOf(device) }
}

/** A row that cannot be read has no differences: its cells may belong to other columns. */
function differencesOf(row: FileRow, device: Device | null, projects: ProjectNames) {
  const before = device && textsOf(device, projects)
  function difference(field: Field): Difference {
    const isSame = before && comparable(before[field]) === comparable(row[field])
    const after = isSame || row.problem !== null ? null : textOfCell(row[field])
    return { before: before?.[field] ?? null, after }
  }
  return {
    deviceName: difference('deviceName'),
    location: difference('location'),
    project: difference('project')
  }
}

/**
 * Whether the person has edited the row so that it differs from the device. A row as it was in the file is not edited, even if
 * the device has changed since: the change of somebody else stays.
 */
function isEdited(row: FileRow, device: Device, projects: ProjectNames): boolean {
  const texts = textsOf(device, projects)
  const differs = FIELDS.some((field) => comparable(texts[field]) !== comparable(row[field]))
  return differs && versionOf({ ...row, deviceUuid: device.deviceUuid }) !== row.version
}

function unchanged(device: Device, projects: ProjectNames) {
  const { deviceName, location, project } = textsOf(device, projects)
  const same = (before: string): Difference => ({ before, after: null })
  return {
    deviceName: same(deviceName),
    location: same(location),
    project: same(project),
    change: null,
    refusals: []
  }
}

type Rights = Pick<PlanOptions, 'projects' | 'mayMove'> & { device: Device }

/** The change that the person may make, or the reasons against it. */
function changeOf(
  differences: Record<Field, Difference>,
  { device, projects, mayMove }: Rights
): Pick<PlannedRow, 'change' | 'refusals'> {
  const refusals: string[] = []
  const change: DeviceChange = {}
  const refuse = (field: Field, reason: string) => void refusals.push(`${COLUMNS[field]}: ${reason}`)
  function checkText(field: 'deviceName' | 'location', rule: Rule, emptyText: string) {
    const text = differences[field].after
    if (text === null) return
    const problem = text === '' ? emptyText : rule(text)
    if (problem === null) change[field] = text
    else refuse(field, problem)
  }
  checkText('deviceName', deviceName, BULK_EDIT.nameEmpty)
  checkText('location', location, BULK_EDIT.locationEmpty)
  const projectCell = differences.project.after
  if (projectCell !== null) {
    const matching = projects.matching(projectCell)
    const [project] = matching
    if (!mayMove) refuse('project', BULK_EDIT.mayNotMove)
    else if (projectCell === '') refuse('project', BULK_EDIT.projectEmpty)
    else if (!project) refuse('project', BULK_EDIT.unknownProject)
    else if (matching.length > 1) refuse('project', BULK_EDIT.ambiguousProject(matching.map(projects.withId)))
    else if (project.id !== device.projectId)
      change.project = { id: project.id, projectName: project.projectName }
  }
  const isChange = refusals.length === 0 && Object.keys(change).length > 0
  return { change: isChange ? change : null, refusals }
}
