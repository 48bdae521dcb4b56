// The device table of a customer (§2, §5): search, filter, sort and paging over its snapshot. Devices are never read for
// it: what is compared stands in columns, and a page is cut out of the tree.
import {
  DEVICE_SORTS,
  type DeviceFilter,
  type DeviceSort,
  type SortOrder,
  searchForm,
  unsearchableCharacters
} from '#shared/devices.ts'
import type { DevicePage } from '#shared/entities.ts'
import type { DeviceIndex } from './device-index.ts'
import type { Tree } from './tree.ts'

export interface DeviceQuery extends DeviceFilter {
  projectId?: string
  q: string
  sort: DeviceSort
  order: SortOrder
  page: number
  size: number
}

/** What is searched; a snapshot is one. */
export interface Searched {
  tree: Tree
  index: DeviceIndex
}

/** One page of the devices that match, a `DevicePage` as JSON. An unknown project has none. */
export async function queryDevices(searched: Searched, query: DeviceQuery, nowMs: number): Promise<Buffer> {
  const { rows, partial } = searched.tree
  const { page: number, size } = query
  const { order, matches } = await matching(searched, query, nowMs)
  const [from, to] = [number * size, (number + 1) * size]
  const items: Buffer[] = []
  let found = 0
  for (const row of order) {
    if (!matches(row)) continue
    if (found >= from && found < to) items.push(COMMA, rows.json(row))
    found += 1
  }
  const page: DevicePage['page'] = {
    number,
    size,
    totalPages: Math.ceil(found / size),
    totalElements: found
  }
  const end = Buffer.from(`],"page":${JSON.stringify(page)},"partial":${JSON.stringify(partial)}}`)
  return Buffer.concat([OPENING, ...items.slice(1), end])
}

const OPENING = Buffer.from('{"items":[')
const COMMA = Buffer.from(',')

interface Matching {
  /** All rows. */
  order: Uint32Array
  matches: (row: number) => boolean
}

const NOBODY: Matching = { order: new Uint32Array(0), matches: () => false }

async function matching({ tree, index }: Searched, query: DeviceQuery, nowMs: number): Promise<Matching> {
  const { rows, projects } = tree
  const wanted = searchForm(query.q)
  if (wanted !== '' && unsearchableCharacters(query.q).length > 0) return NOBODY
  const project = projects.find(({ id }) => id === query.projectId)
  if (query.projectId !== undefined && project === undefined) return NOBODY

  const order = await index.order(query.sort, query.order)
  const served = (await index.terms()).having(query, nowMs)
  const said = wanted === '' ? null : await saying(wanted, index, rows.count)
  const { from, to } = project ?? { from: 0, to: rows.count }
  return {
    order,
    matches: (row) => row >= from && row < to && served?.[row] !== 0 && said?.[row] !== 0
  }
}

/** 1 for each row that contains the search form in one of its columns, 0 for the others. */
async function saying(wanted: string, index: DeviceIndex, count: number): Promise<Uint8Array> {
  const columns = await index.columns()
  const marks = new Uint8Array(count)
  for (const sort of DEVICE_SORTS) {
    const { rows, search } = columns[sort]
    const holds = (await search())(wanted)
    if (holds === null) continue
    for (let row = 0; row < count; row += 1) if (holds[rows[row] as number] === 1) marks[row] = 1
  }
  return marks
}

/** The device as JSON. */
export function findDevice({ tree: { rows } }: Searched, deviceUuid: string): Buffer | undefined {
  const row = rows.byUuid(deviceUuid)
  return row === undefined ? undefined : rows.json(row)
}

const LINES_BYTES = 64 * 1024
const NEW_LINE = Buffer.from('\n')

/** One device a line, for readers that do not want to hold the whole tree. */
export function* deviceLines({ rows }: Tree): Generator<Buffer> {
  let lines: Buffer[] = []
  let bytes = 0
  for (let row = 0; row < rows.count; row += 1) {
    const json = rows.json(row)
    lines.push(json, NEW_LINE)
    bytes += json.length
    if (bytes < LINES_BYTES && row + 1 < rows.count) continue
    yield Buffer.concat(lines)
    lines = []
    bytes = 0
  }
}
