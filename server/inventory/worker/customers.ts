// The assembled customers of the worker, by the ids that the main thread gives them.
import type { Device, Project } from '#shared/answers/customers.ts'
import { problems } from '../../errors.ts'
import { nextStep } from '../../steps.ts'
import type { DeviceSort, SortOrder } from '../device-query.ts'
import type { Assembled } from './assemble.ts'
import { createDeviceTable, type DeviceTable } from './device-table.ts'
import type { Serialized } from './serialize.ts'
import { createRepresentations } from './serialize.ts'

/** Projects by id, devices by id or uuid, systems by guid. */
export type OwnedKind = 'project' | 'device' | 'system'

export interface Customer extends Assembled {
  serialized: Serialized
  table: DeviceTable
  representation: ReturnType<typeof createRepresentations>
  /** Estimated by heap-size.ts. */
  heapBytes: number
  /** Created when an object is first asked for. */
  objects?: OwnedObjects
}

/** What a customer owns, by the names of `OwnedKind`. */
interface OwnedObjects extends Record<OwnedKind, ReadonlyMap<string, Project | Device>> {
  project: ReadonlyMap<string, Project>
  device: ReadonlyMap<string, Device>
  system: ReadonlyMap<string, Device>
}

/** @param previous the previous version, whose sort orders are prepared in advance, because people use them */
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

export function objectsOf(customer: Customer): OwnedObjects {
  const { tree, devices, byUuid } = customer
  customer.objects ??= {
    project: new Map(tree.projects.map((project) => [project.id, project])),
    device: new Map([...byUuid, ...devices.map((device) => [device.id, device] as const)]),
    system: new Map(devices.map((device) => [device.systemGuid, device]))
  }
  return customer.objects
}

/** Sorts in steps: a large customer takes seconds, and the worker answers other calls between two steps. */
export async function prepareOrder(table: DeviceTable, sort: DeviceSort, order: SortOrder): Promise<void> {
  for (const _step of table.prepare(sort, order)) await nextStep()
}

export function createCustomers() {
  const customers = new Map<number, Customer>()
  /** Ids that keep a customer in memory while a slow caller reads it, the oldest first. */
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

  /** Old versions that only `readers` keep in memory, in the order of their oldest reader. */
  function oldVersions(): Set<Customer> {
    const currentVersions = new Set(
      [...customers].filter(([id]) => !readers.has(id)).map(([, customer]) => customer)
    )
    return new Set([...readers].map(get).filter((customer) => !currentVersions.has(customer)))
  }

  return {
    get,
    find: (id: number | null) => (id === null ? undefined : customers.get(id)),
    set: (id: number, customer: Customer) => void customers.set(id, customer),
    release,
    /** Gives a customer a second id for a reader, valid until its memory is needed. */
    addReader(id: number, readerId: number): void {
      customers.set(readerId, get(id))
      readers.add(readerId)
    },
    heapBytes: () => heapBytesOf(customers.values()),
    /**
     * Frees heap by releasing old versions, those with the oldest readers first. Throws a 503 problem and releases nothing
     * if that does not free enough.
     */
    releaseOldVersions(neededBytes: number): void {
      const candidates = oldVersions()
      if (neededBytes > heapBytesOf(candidates))
        throw problems.inventoryUnavailable(new Error('no memory for another customer'))
      let freedBytes = 0
      for (const customer of candidates) {
        if (freedBytes >= neededBytes) return
        freedBytes += customer.heapBytes
        for (const [id, stored] of customers) if (stored === customer) release(id)
      }
    }
  }
}

export type Customers = ReturnType<typeof createCustomers>

/** Counts a customer with several ids once. */
function heapBytesOf(customers: Iterable<Customer>): number {
  return [...new Set(customers)].reduce((sum, { heapBytes }) => sum + heapBytes, 0)
}
