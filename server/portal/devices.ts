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
  const found = await matching(searched, query, nowMs)
  const page: DevicePage['page'] = {
    number,
    size,
    totalPages: Math.ceil(found.length / size),
    totalElements: found.length
  }
  const items: Buffer[] = []
  for (const row of found.subarray(number * size, (number + 1) * size)) items.push(COMMA, rows.json(row))
  const end = Buffer.from(`],"page":${JSON.stringify(page)},"partial":${JSON.stringify(partial)}}`)
  return Buffer.concat([OPENING, ...items.slice(1), end])
}

const OPENING = Buffer.from('{"items":[')
const COMMA = Buffer.from(',')
const NOBODY = new Uint32Array(0)

/** The rows that match, in order. */
async function matching({ tree, index }: Searched, query: DeviceQuery, nowMs: number): Promise<Uint32Array> {
  const { rows, projects } = tree
  const wanted = searchForm(query.q)
  if (wanted !== '' && unsearchableCharacters(query.q).length > 0) return NOBODY
  const project = projects.find(({ id }) => id === query.projectId)
  if (query.projectId !== undefined && project === undefined) return NOBODY

  const order = await index.order(query.sort, query.order)
  const marks = (await index.terms()).having(query, nowMs)
  const all = await index.columns()
  const columns = wanted === '' ? [] : DEVICE_SORTS.map((sort) => all[sort])
  const holding = await Promise.all(columns.map((column) => column.holding(wanted)))
  if (project === undefined && marks === null && columns.length === 0) return order

  const { from, to } = project ?? { from: 0, to: rows.count }
  const found = new Uint32Array(order.length)
  let count = 0
  for (const row of order) {
    if (row < from || row >= to || marks?.[row] === 0) continue
    const holds = (column: { rows: Uint32Array }, at: number) =>
      holding[at]?.[column.rows[row] as number] === 1
    if (columns.length === 0 || columns.some(holds)) found[count++] = row
  }
  return found.subarray(0, count)
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
