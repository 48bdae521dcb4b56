// What devices are searched, chosen and sorted by. Made of the tree when first asked for, in turns, and kept. Orders are
// those of `sortDevices`: equal rows stand by name and then uuid, whichever way the column is sorted.
import { compareTexts, DEVICE_SORTS, type DeviceSort, type SortOrder } from '#shared/devices.ts'
import type { Device } from '#shared/entities.ts'
import { sortInTurns, type Turns } from '../upstreams/turns.ts'
import { type Column, columnWriter } from './columns.ts'
import { createDeviceSearch, type DeviceSearch } from './device-search.ts'
import { type ServiceTerms, serviceTermsWriter } from './service-terms.ts'
import type { Rows } from './tree.ts'

export interface DeviceIndex {
  terms(): Promise<ServiceTerms>
  /** 1 for each row that contains the search form in one of its columns, 0 for the others. */
  containing: DeviceSearch
  /** All rows in that order. */
  order(sort: DeviceSort, order: SortOrder): Promise<Uint32Array>
  /** Makes what another one has made, and what the first search needs. */
  prepareAs(other: DeviceIndex): Promise<void>
  /** The orders that were made. */
  made(): [sort: DeviceSort, order: SortOrder][]
}

interface Read {
  columns: Record<DeviceSort, Column>
  terms: ServiceTerms
  uuids: string[]
}

export function createDeviceIndex(rows: Rows, turns: Turns): DeviceIndex {
  const orders = new Map<string, Promise<Uint32Array>>()
  let read: Promise<Read> | undefined
  let ties: Promise<Uint32Array> | undefined

  const index = () => {
    read ??= readRows(rows, turns)
    return read
  }

  async function byNameAndUuid(): Promise<Uint32Array> {
    const { columns, uuids } = await index()
    const order = Uint32Array.from(uuids, (_, row) => row)
    await sortInTurns(order, (a, b) => ((uuids[a] as string) < (uuids[b] as string) ? -1 : 1), turns)
    return byRank(order, columns.deviceName, 'asc', turns)
  }

  async function make(sort: DeviceSort, order: SortOrder): Promise<Uint32Array> {
    ties ??= byNameAndUuid()
    const before = await ties
    if (sort === 'deviceName' && order === 'asc') return before
    return byRank(before, (await index()).columns[sort], order, turns)
  }

  const own: DeviceIndex = {
    terms: async () => (await index()).terms,
    containing: createDeviceSearch(async () => (await index()).columns, rows.count),
    order(sort, order) {
      const name = `${sort} ${order}`
      const made = orders.get(name) ?? make(sort, order)
      orders.set(name, made)
      return made
    },
    made: () => [...orders.keys()].map((name) => name.split(' ') as [DeviceSort, SortOrder]),
    async prepareAs(other) {
      const made = other.made()
      for (const [sort, order] of made) await own.order(sort, order)
      if (made.length > 0) for (const sort of DEVICE_SORTS) await (await index()).columns[sort].search()
    }
  }
  return own
}

async function readRows(rows: Rows, turns: Turns): Promise<Read> {
  const writers = DEVICE_SORTS.map((sort) => ({ sort, writer: columnWriter(rows.count) }))
  const terms = serviceTermsWriter()
  const uuids: string[] = []
  await turns.each(rows.count, (row) => {
    const device: Device = JSON.parse(rows.json(row).toString())
    for (const { sort, writer } of writers) writer.add(device[sort] ?? '')
    for (const subscription of device.subscriptions) terms.add(row, subscription)
    uuids.push(device.deviceUuid)
  })
  const columns = writers.map(({ sort, writer }) => [sort, writer.finish(compareTexts, turns)])
  return { columns: Object.fromEntries(columns), terms: terms.finish(rows.count), uuids }
}

/** Keeps the order of equal ones: counts how many there are of each rank, and places them. */
async function byRank(
  before: Uint32Array,
  column: Column,
  direction: SortOrder,
  turns: Turns
): Promise<Uint32Array> {
  const ranks = await column.ranks()
  const last = ranks.reduce((most, rank) => Math.max(most, rank), 0)
  const rankOf = (row: number) => {
    const rank = ranks[column.rows[row] as number] as number
    return direction === 'asc' ? rank : last - rank
  }
  const places = new Uint32Array(last + 2)
  await turns.each(before.length, (at) => {
    const next = rankOf(before[at] as number) + 1
    places[next] = (places[next] as number) + 1
  })
  for (let rank = 1; rank < places.length; rank += 1)
    places[rank] = (places[rank] as number) + (places[rank - 1] as number)
  const after = new Uint32Array(before.length)
  await turns.each(before.length, (at) => {
    const row = before[at] as number
    const rank = rankOf(row)
    const place = places[rank] as number
    places[rank] = place + 1
    after[place] = row
  })
  return after
}
