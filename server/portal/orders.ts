// The orders that a device table can be in: made when first asked for, in turns, and kept. As `sortDevices` has it:
// equal rows stand by name and then uuid, whichever way the column is sorted.
import { DEVICE_SORTS, type DeviceSort, type SortOrder } from '#shared/devices.ts'
import { sortInTurns, type Turns } from '../upstreams/turns.ts'
import type { Rows } from './tree.ts'

export interface Orders {
  /** All rows in that order. */
  of(sort: DeviceSort, order: SortOrder): Promise<Uint32Array>
  /** Makes those that another one has made, and what their search needs. */
  prepareAs(other: Orders): Promise<void>
  made(): [sort: DeviceSort, order: SortOrder][]
}

export function createOrders(rows: Rows, turns: Turns): Orders {
  const known = new Map<string, Promise<Uint32Array>>()
  let ties: Promise<Uint32Array> | undefined

  async function byNameAndUuid(): Promise<Uint32Array> {
    const order = Uint32Array.from({ length: rows.count }, (_, row) => row)
    await sortInTurns(order, (a, b) => (rows.uuidOf(a) < rows.uuidOf(b) ? -1 : 1), turns)
    return byRank(order, 'deviceName', 'asc')
  }

  /** Keeps the order of equal ones: counts how many there are of each rank, and places them. */
  async function byRank(before: Uint32Array, sort: DeviceSort, direction: SortOrder): Promise<Uint32Array> {
    const column = rows.columns[sort]
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

  async function make(sort: DeviceSort, order: SortOrder): Promise<Uint32Array> {
    ties ??= byNameAndUuid()
    const before = await ties
    return sort === 'deviceName' && order === 'asc' ? before : byRank(before, sort, order)
  }

  const orders: Orders = {
    of(sort, order) {
      const name = `${sort} ${order}`
      const made = known.get(name) ?? make(sort, order)
      known.set(name, made)
      return made
    },
    made: () => [...known.keys()].map((name) => name.split(' ') as [DeviceSort, SortOrder]),
    async prepareAs(other) {
      for (const [sort, order] of other.made()) await orders.of(sort, order)
      if (other.made().length > 0) for (const sort of DEVICE_SORTS) await rows.columns[sort].prepareSearch()
    }
  }
  return orders
}
