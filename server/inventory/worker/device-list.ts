// Lists the devices of several customers in one order: merges the sorted devices of each customer as far as a page needs.
import type { CustomerName, Device } from '#shared/answers/customers.ts'
import type { DeviceRow } from '#shared/answers/worklists.ts'
import type { CsvColumn } from '#shared/csv.ts'
import { END_SORT } from '#shared/devices.ts'
import { compareTexts } from '#shared/text-order.ts'
import { positionOf } from '../../sort-in-steps.ts'
import { nextStep } from '../../steps.ts'
import type { DeviceListQuery, DeviceQuery } from '../device-query.ts'
import { type Customer, prepareOrder } from './customers.ts'
import { comparing, preparedOrder } from './device-table.ts'
import { firstEnds, termsOf } from './terms.ts'

/** Rows between two pauses: about a millisecond. */
const ROWS_PER_STEP = 200

/** A customer that the worker stores. */
export interface ListedCustomer {
  customer: CustomerName
  stored: Customer
}

/** The devices of a customer that match, in order, with the next one. */
interface Cursor {
  customer: CustomerName
  stored: Customer
  indexes: readonly number[]
  at: number
}

type Key = string | number

export interface DeviceList {
  total: number
  /** Skips rows. */
  skip(count: number): Promise<void>
  take(count: number): Promise<DeviceRow[]>
  /** How many devices of each customer, in the order of the customers, have been taken or skipped. */
  positions(): number[]
}

/** @param positions where to continue, see `positions` */
export async function listDevices(
  customers: readonly ListedCustomer[],
  query: DeviceListQuery,
  nowMs: number,
  positions: readonly number[] | null = null
): Promise<DeviceList> {
  const cursors: Cursor[] = []
  for (const [number, { customer, stored }] of customers.entries()) {
    const ownQuery = tableQuery(query, customer)
    await prepareOrder(stored.table, ...preparedOrder(ownQuery))
    const indexes = stored.table.matching(ownQuery, nowMs)
    cursors.push({ customer, stored, indexes, at: positions?.[number] ?? 0 })
    await nextStep()
  }
  const compare = comparingCursors(query, nowMs)
  const isOpen = ({ indexes, at }: Cursor) => at < indexes.length
  const open = cursors.filter(isOpen).sort(compare)

  /** The next device of all. */
  function next(): { device: Device; customer: CustomerName } | null {
    const first = open.shift()
    if (first === undefined) return null
    const found = { device: deviceAt(first), customer: first.customer }
    first.at += 1
    if (isOpen(first)) open.splice(positionOf(first, open, compare), 0, first)
    return found
  }

  return {
    total: cursors.reduce((sum, { indexes }) => sum + indexes.length, 0),
    async skip(count) {
      for (let skipped = 1; skipped <= count && next() !== null; skipped += 1)
        if (skipped % ROWS_PER_STEP === 0) await nextStep()
    },
    async take(count) {
      const rows: DeviceRow[] = []
      while (rows.length < count) {
        const found = next()
        if (found === null) break
        const { device, customer } = found
        const endMs = nearestEnd(device, nowMs)
        const isEnding = endMs !== Number.POSITIVE_INFINITY
        rows.push({ ...device, customer, nearestEnd: isEnding ? new Date(endMs).toISOString() : null })
        if (rows.length % ROWS_PER_STEP === 0) await nextStep()
      }
      return rows
    },
    positions: () => cursors.map(({ at }) => at)
  }
}

/** The query of the table of one customer. */
function tableQuery({ q, service, sort, order }: DeviceListQuery, { orgName }: CustomerName): DeviceQuery {
  const [ownSort, ownOrder] = sort === 'customer' ? (['deviceName', 'asc'] as const) : [sort, order]
  return {
    q,
    match: 'words',
    customerName: orgName,
    service,
    sort: ownSort,
    order: ownOrder,
    page: 0,
    size: 0
  }
}

const deviceAt = ({ stored, indexes, at }: Cursor) => stored.devices[indexes[at] as number] as Device
const nearestEnd = (device: Device, nowMs: number) => firstEnds(termsOf([device]), 1, nowMs)[0] as number

/** Compares the next devices of customers as the table of a customer sorts its own. */
function comparingCursors({ sort, order }: DeviceListQuery, nowMs: number) {
  const direction = order === 'desc' ? -1 : 1
  const keys = new WeakMap<Cursor, { at: number; key: Key }>()

  function keyOf(cursor: Cursor): Key {
    const known = keys.get(cursor)
    if (known?.at === cursor.at) return known.key
    const device = deviceAt(cursor)
    const key = keyFor(cursor, device)
    keys.set(cursor, { at: cursor.at, key })
    return key
  }

  function keyFor({ customer }: Cursor, device: Device): Key {
    if (sort === 'customer') return customer.orgName
    return sort === END_SORT ? nearestEnd(device, nowMs) : (device[sort] ?? '')
  }

  const compareKeys = sort === 'customer' || sort === END_SORT ? compareTexts : comparing(sort)

  return (a: Cursor, b: Cursor): number => {
    const [first, second] = [keyOf(a), keyOf(b)]
    if (typeof first === 'number' && typeof second === 'number') {
      if (first !== second) {
        const isLast = first === Number.POSITIVE_INFINITY || second === Number.POSITIVE_INFINITY
        return isLast ? first - second : direction * (first - second)
      }
    } else {
      const difference = compareKeys(String(first), String(second))
      if (difference !== 0) return direction * difference
    }
    const [device, other] = [deviceAt(a), deviceAt(b)]
    return (
      compareTexts(device.deviceName, other.deviceName) || (device.deviceUuid < other.deviceUuid ? -1 : 1)
    )
  }
}

const servicesOf = ({ subscriptions }: Device) =>
  subscriptions.map(({ offeringCode, endDate }) => `${offeringCode} until ${endDate.slice(0, 10)}`).join('; ')

/** The columns of the list as CSV. */
export const DEVICE_COLUMNS: readonly CsvColumn<DeviceRow>[] = [
  { header: 'Customer', value: ({ customer }) => customer.orgName },
  { header: 'Device', value: ({ deviceName }) => deviceName },
  { header: 'Host ID', value: ({ hostId }) => hostId },
  { header: 'Project', value: ({ projectName }) => projectName },
  { header: 'Location', value: ({ location }) => location },
  { header: 'Services', value: servicesOf },
  { header: 'Nearest end', value: ({ nearestEnd }) => nearestEnd },
  { header: 'Device UUID', value: ({ deviceUuid }) => deviceUuid }
]
