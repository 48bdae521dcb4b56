// The file in which people edit devices: its columns, and the texts of its cells.

import type { Device } from '#shared/answers/customers.ts'
import { csvOf, withFormulas, withoutFormulas } from '#shared/csv.ts'
import type { ProjectEntry } from '../../customers/customer.tsx'

/** The texts of a device that the file contains, by the names of its columns. */
export const COLUMNS = {
  deviceUuid: 'Device UUID',
  deviceName: 'Name',
  location: 'Location',
  project: 'Project',
  version: 'Version'
} as const

export type ColumnId = keyof typeof COLUMNS
export const COLUMN_IDS = Object.keys(COLUMNS) as ColumnId[]

type NamedProject = Pick<ProjectEntry, 'id' | 'projectName'>
type DeviceTexts = Pick<Device, 'deviceUuid' | 'deviceName' | 'location' | 'projectId' | 'projectName'>

/** The names by which a file means projects. */
export interface ProjectNames {
  /** The project's name; with its id if another project has the same name, or if the name is empty. */
  nameOf: (device: Pick<Device, 'projectId' | 'projectName'>) => string
  /** The projects that a cell may mean: several if the cell has only a name that several projects have. */
  matching: (cell: string) => readonly NamedProject[]
  withId: (project: NamedProject) => string
}

/**
 * Projects of different integrators may have the same name. The file then names them "Garage [p-2]": square brackets are not
 * allowed in the names of projects, and the id stays the same when a project is renamed.
 */
export function projectNames(projects: readonly NamedProject[]): ProjectNames {
  const withId = ({ id, projectName }: NamedProject) => `${projectName.trim()} [${id}]`.trim()
  const byName = Map.groupBy(projects, ({ projectName }) => comparable(projectName))
  const byId = Map.groupBy(projects, ({ id }) => id)
  const byNameAndId = Map.groupBy(projects, (project) => comparable(withId(project)))
  return {
    withId,
    nameOf({ projectId, projectName }) {
      const project = byId.get(projectId ?? '')?.[0]
      if (!project) return projectName ?? ''
      const isUnique = byName.get(comparable(project.projectName))?.length === 1
      return isUnique && project.projectName.trim() !== '' ? project.projectName : withId(project)
    },
    matching: (cell) => byNameAndId.get(comparable(cell)) ?? byName.get(comparable(cell)) ?? []
  }
}

/** Numbers, dates and truth values, which a spreadsheet would rewrite: "007" as 7, "1-2" as a day, "true" as TRUE. */
const REWRITTEN = [
  /^(?=.*\d)[\d\s.,:/+\-%eE]+$/,
  /^(?:\d{1,4}[\s./-]*)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s./-]*\d{0,4}$/i,
  /^(?:true|false)$/i
]
const isRewritten = (text: string) => REWRITTEN.some((pattern) => pattern.test(text))

/** The text with apostrophes that keep a spreadsheet from running or rewriting it. */
function cellOf(text: string): string {
  return withoutFormulas(isRewritten(text.trim()) ? `'${text.trim()}` : text)
}

/** The text that a cell means. Some spreadsheets have removed the apostrophes that `cellOf` adds. */
export function textOfCell(cell: string): string {
  const text = cell.trim()
  return withFormulas(text.startsWith("'") && isRewritten(text.slice(1)) ? text.slice(1) : text)
}

/** Equal for texts that a spreadsheet does not tell apart, and for a text and its cell. */
export function comparable(text: string): string {
  return cellOf(text.normalize('NFC').replace(/\r\n?/g, '\n').trim())
}

/**
 * A fingerprint of a device's texts. It tells which rows a person has edited, and which devices have changed since the file was
 * taken, without a second copy of all texts in the file. It begins with a letter, so that no spreadsheet reads a number.
 */
export function versionOf(texts: Record<Exclude<ColumnId, 'version'>, string>): string {
  const { deviceUuid, deviceName, location, project } = texts
  const text = JSON.stringify([deviceUuid, deviceName, location, project].map(comparable))
  // FNV-1a.
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return `v${hash.toString(36).padStart(7, '0')}`
}

export const isVersion = (text: string) => /^v[0-9a-z]{7}$/.test(text)

export function versionOfDevice(device: DeviceTexts, { nameOf }: ProjectNames): string {
  return versionOf({ ...device, project: nameOf(device) })
}

interface FileDevice {
  device: DeviceTexts
  /** The device in the portal, if the file contains other texts. */
  present?: DeviceTexts
}

export function deviceFile(devices: readonly FileDevice[], projects: ProjectNames): string {
  const columns: Record<ColumnId, (row: FileDevice) => string> = {
    deviceUuid: ({ device }) => device.deviceUuid,
    deviceName: ({ device }) => cellOf(device.deviceName),
    location: ({ device }) => cellOf(device.location),
    project: ({ device }) => cellOf(projects.nameOf(device)),
    version: ({ device, present = device }) => versionOfDevice(present, projects)
  }
  return csvOf(
    COLUMN_IDS.map((id) => ({ header: COLUMNS[id], value: columns[id] })),
    devices
  )
}
