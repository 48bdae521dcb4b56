// The device table of a customer (§2, §5): search, filter, sort and paging over its snapshot. Devices are never read for
// it: what is compared stands in columns, and a page is cut out of the tree.
import {
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
  const marks = await matching(searched, query, nowMs)
  const totalElements = marks === null ? rows.count : marked(marks)
  const page: DevicePage['page'] = {
    number,
    size,
    totalPages: Math.ceil(totalElements / size),
    totalElements
  }
  const from = Math.min(number * size, totalElements)
  const order = await searched.index.order(query.sort, query.order)
  const items: Buffer[] = []
  for (const row of pageOfMarked(order, marks, from, Math.min(from + size, totalElements)))
    items.push(COMMA, rows.json(row))
  const end = Buffer.from(`],"page":${JSON.stringify(page)},"partial":${JSON.stringify(partial)}}`)
  return Buffer.concat([OPENING, ...items.slice(1), end])
}

const OPENING = Buffer.from('{"items":[')
const COMMA = Buffer.from(',')
const NOBODY = new Uint8Array(0)

/** 1 for each row that matches, 0 for the others; null when all do. */
async function matching(
  { tree, index }: Searched,
  query: DeviceQuery,
  nowMs: number
): Promise<Uint8Array | null> {
  const { rows, projects } = tree
  const wanted = searchForm(query.q)
  if (wanted !== '' && unsearchableCharacters(query.q).length > 0) return NOBODY
  const project = projects.find(({ id }) => id === query.projectId)
  if (query.projectId !== undefined && project === undefined) return NOBODY

  const served = (await index.terms()).having(query, nowMs)
  const said = wanted === '' ? null : await index.containing(wanted)
  const conditions = [served, said].filter((one) => one !== null)
  if (project === undefined && conditions.length < 2) return conditions[0] ?? null
  const { from, to } = project ?? { from: 0, to: rows.count }
  const marks = new Uint8Array(rows.count).fill(1, from, to)
  for (const condition of conditions)
    for (let row = from; row < to; row += 1) if (condition[row] === 0) marks[row] = 0
  return marks
}

function marked(marks: Uint8Array): number {
  let count = 0
  for (let row = 0; row < marks.length; row += 1) count += marks[row] as number
  return count
}

/** In order, the marked rows from one number to another, exclusive. Nothing after them is looked at. */
function pageOfMarked(order: Uint32Array, marks: Uint8Array | null, from: number, to: number): Uint32Array {
  if (marks === null) return order.subarray(from, to)
  const page = new Uint32Array(to - from)
  for (let at = 0, found = 0; found < to; at += 1) {
    const row = order[at] as number
    if (marks[row] === 0) continue
    if (found >= from) page[found - from] = row
    found += 1
  }
  return page
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
