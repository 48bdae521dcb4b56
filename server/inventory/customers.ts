// The assembled customers of the worker, by numbers of the main thread, within a memory limit.
import type { DeviceSort, SortOrder } from '#shared/devices.ts'
import type { Device } from '#shared/entities.ts'
import { createDeviceTable, type DeviceTable } from '#shared/search/device-table.ts'
import { problems } from '../errors.ts'
import type { Assembled } from './assemble.ts'
import type { Serialized } from './serialize.ts'
import { createRepresentations } from './serialize.ts'
import { turn } from './turn.ts'

/** Projects by id, devices by id or uuid, systems by guid. */
export type OwnedKind = 'project' | 'device' | 'system'

export interface Customer extends Assembled {
  serialized: Serialized
  table: DeviceTable
  representation: ReturnType<typeof createRepresentations>
  /** Bytes of the heap. */
  heapBytes: number
  /** Created at the first question. */
  names?: Record<OwnedKind, ReadonlySet<string>>
  bySystem?: ReadonlyMap<string, Device>
}

/** @param previous its sort orders are prepared in advance, because people use them */
export async function createCustomer(
  assembled: Assembled,
  serialized: Serialized,
  heapBytes: number,
  previous?: Customer
): Promise<Customer> {
  const table = createDeviceTable(assembled.devices)
  for (const order of previous?.table.orders() ?? []) await prepareOrder(table, ...order)
  return { ...assembled, serialized, heapBytes, table, representation: createRepresentations(serialized) }
}

export function namesOf(customer: Customer): Record<OwnedKind, ReadonlySet<string>> {
  const { tree, devices, byUuid } = customer
  customer.names ??= {
    project: new Set(tree.projects.map(({ id }) => id)),
    device: new Set([...devices.map(({ id }) => id), ...byUuid.keys()]),
    system: new Set(devices.map(({ systemGuid }) => systemGuid))
  }
  return customer.names
}

/** Sorting a large customer takes seconds: other questions are answered between the steps. */
export async function prepareOrder(table: DeviceTable, sort: DeviceSort, order: SortOrder): Promise<void> {
  for (const _step of table.prepare(sort, order)) await turn()
}

/**
 * @param memoryBytes for customers and readings
 * @param readingBytes the part that readings use
 */
export function createCustomers(memoryBytes: number, readingBytes: () => number) {
  const customers = new Map<number, Customer>()
  /** Names under which a slow reader keeps a customer, the oldest first. */
  const readers = new Set<number>()

  function release(id: number): void {
    customers.delete(id)
    readers.delete(id)
  }

  function get(id: number): Customer {
    const customer = customers.get(id)
    if (customer === undefined) throw problems.inventoryUnavailable()
    return customer
  }

  /** Old versions that only readers keep, by their oldest reader. */
  function former(): Set<Customer> {
    const current = new Set([...customers].filter(([id]) => !readers.has(id)).map(([, customer]) => customer))
    return new Set([...readers].map(get).filter((customer) => !current.has(customer)))
  }

  return {
    get,
    find: (id: number | null) => (id === null ? undefined : customers.get(id)),
    set: (id: number, customer: Customer) => void customers.set(id, customer),
    release,
    /** Gives a customer a second number for a reader, while there is memory. */
    alias(id: number, as: number): void {
      customers.set(as, get(id))
      readers.add(as)
    },
    /**
     * Makes room by ending readers of old versions, the oldest first, but only if that is enough. Throws a 503 problem
     * otherwise.
     */
    makeRoom(bytes: number): void {
      const evictable = former()
      let lacking = readingBytes() + sizeOf(customers.values()) + bytes - memoryBytes
      if (lacking > sizeOf(evictable))
        throw problems.inventoryUnavailable(new Error('no memory for another customer'))
      for (const customer of evictable) {
        if (lacking <= 0) return
        lacking -= customer.heapBytes
        for (const [id, one] of customers) if (one === customer) release(id)
      }
    }
  }
}

export type Customers = ReturnType<typeof createCustomers>

/** A customer may have several numbers. */
function sizeOf(customers: Iterable<Customer>): number {
  return [...new Set(customers)].reduce((sum, { heapBytes }) => sum + heapBytes, 0)
}
