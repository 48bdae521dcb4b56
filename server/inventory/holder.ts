// What the worker holds, and how it answers: the lists of customers that are being fetched, and customers put together. Both
// are named by numbers that the other side gives.
import { setImmediate as turn } from 'node:timers/promises'
import { compareTexts, createDeviceTable, type DeviceQuery, type DeviceTable } from '#shared/devices.ts'
import type { CustomerName, Device, DevicePage, FoundDevice, Missing, ProjectList } from '#shared/entities.ts'
import { mergeFound } from '#shared/found-devices.ts'
import { problems } from '../errors.ts'
import { type Assembled, assemble } from './assemble.ts'
import { type DueServices, dueServicesOf } from './due-services.ts'
import { createParsedLists, type Lists } from './parsed-lists.ts'
import { createRepresentations, type Encoding } from './representations.ts'
import { type Serialized, serializeTree } from './serialize.ts'

interface Held extends Assembled {
  serialized: Serialized
  table: DeviceTable
  representation: ReturnType<typeof createRepresentations>
  /** Made with the first question for one. */
  names?: Record<OwnedKind, ReadonlySet<string>>
  bySystem?: ReadonlyMap<string, Device>
}

/** Projects by id, devices by id or uuid, systems by guid. */
export type OwnedKind = 'project' | 'device' | 'system'

interface AssembleGiven extends Lists {
  id: number
  customerId: string
  assembledAt: string
  /** One that may say the same. */
  previous: number | null
}

interface DevicesGiven {
  id: number
  query: DeviceQuery
  nowMs: number
  /** What the query could not take into account. */
  missing?: readonly Missing[] | undefined
}

interface DueGiven extends Pick<AssembleGiven, 'id' | 'devices' | 'subscriptions'> {
  nowMs: number
}

interface TreeGiven {
  id: number
  encoding: Encoding | null
}

export interface Summary {
  partial: Missing[]
  /** The same for the same data. */
  tag: string
  devices: number
  /** Of its JSON. */
  bytes: number
}

interface SearchGiven {
  customers: readonly { id: number; customer: CustomerName }[]
  q: string
  size: number
}

/** What was found in several customers. */
export interface Found {
  /** The best of all. */
  items: readonly FoundDevice[]
  total: number
  /** Customers that are not held any more. */
  lost: CustomerName[]
}

/** Devices of one answer of lines. */
export const LINES = 500

/** @param memoryBytes of the heap, at most */
export function createHolder(memoryBytes: number) {
  const customers = new Map<number, Held>()
  /** Names under which somebody reads a customer on, the oldest first. */
  const readers = new Set<number>()
  const lists = createParsedLists(memoryBytes, heldBytes, letGo)

  /** Of JSON. */
  function heldBytes(): number {
    return [...new Set(customers.values())].reduce((sum, { serialized }) => sum + serialized.bytes, 0)
  }

  /** Breaks off the oldest reader of what nobody else holds any more: one who reads slowly takes no memory from others. */
  function letGo(): boolean {
    const current = new Set([...customers].filter(([id]) => !readers.has(id)).map(([, held]) => held))
    const held = [...readers].map((id) => customers.get(id)).find((read) => read && !current.has(read))
    for (const [id, one] of customers) if (one === held) release(id)
    return held !== undefined
  }

  function release(id: number): void {
    lists.release(id)
    customers.delete(id)
    readers.delete(id)
  }

  function heldOf(id: number): Held {
    const held = customers.get(id)
    if (held === undefined) throw problems.inventoryUnavailable()
    return held
  }

  return {
    page: lists.page,
    subscriptions: lists.subscriptions,

    /** Puts together what was read. What says the same as the previous one becomes that one. */
    async assemble(given: AssembleGiven): Promise<Summary> {
      const { id, customerId, assembledAt } = given
      const assembled = assemble({ customerId, assembledAt, ...lists.take(id, given) })
      const serialized = await serializeTree(assembled.tree)
      const previous = given.previous === null ? undefined : customers.get(given.previous)
      const isSame = previous?.serialized.tag === serialized.tag
      const held = previous && isSame ? previous : await hold(assembled, serialized, previous)
      customers.set(id, held)
      const { tag, bytes } = held.serialized
      return { tag, bytes, partial: held.tree.partial, devices: held.devices.length }
    },

    /** What is due of the services that were read. */
    dueServices({ id, devices, subscriptions, nowMs }: DueGiven): DueServices {
      const read = lists.take(id, { projects: [], devices, subscriptions })
      return dueServicesOf(assemble({ customerId: '', assembledAt: '', ...read }).devices, nowMs)
    },

    /** Another name for a customer, under which it is held on for a reader, as long as there is memory. */
    alias({ id, as }: { id: number; as: number }): void {
      customers.set(as, heldOf(id))
      readers.add(as)
    },

    /** Nothing more is asked of it. */
    release: ({ id }: { id: number }): void => release(id),

    /** A `ProjectList`. */
    projects({ id, customer }: { id: number; customer: ProjectList['customer'] }): Uint8Array {
      const { tree, devices } = heldOf(id)
      const projects = tree.projects
        .map(({ devices: own, ...project }) => ({ ...project, deviceCount: own.length }))
        .sort((a, b) => compareTexts(a.projectName, b.projectName))
      const totals = { projects: projects.length, devices: devices.length }
      return jsonOf({ customer, projects, totals, partial: tree.partial } satisfies ProjectList)
    },

    /** A `DevicePage`. */
    devices({ id, query, nowMs, missing = [] }: DevicesGiven): Uint8Array {
      const { table, tree } = heldOf(id)
      return jsonOf({
        ...table.page(query, nowMs),
        partial: [...tree.partial, ...missing]
      } satisfies DevicePage)
    },

    /** The devices of several customers that a keyword finds. Other questions get their turn between any two customers. */
    async search({ customers: asked, q, size }: SearchGiven): Promise<Found> {
      const found: Found = { items: [], total: 0, lost: [] }
      // All at once: what is released meanwhile was asked for before.
      for (const [customer, held] of asked.map((one) => [one.customer, customers.get(one.id)] as const)) {
        if (held === undefined) {
          found.lost.push(customer)
          continue
        }
        const { total, items } = held.table.find(q, size)
        const more = items.map(({ match, device }) => ({ match, device: fieldsOf(device), customer }))
        found.total += total
        found.items = mergeFound(found.items, more, size)
        await turn()
      }
      return found
    },

    /** The devices of these systems. */
    systems({ id, guids }: { id: number; guids: readonly string[] }): FoundDevice['device'][] {
      const held = heldOf(id)
      held.bySystem ??= new Map(held.devices.map((device) => [device.systemGuid, device]))
      return [...new Set(guids)].flatMap((guid) => {
        const device = held.bySystem?.get(guid)
        return device ? [fieldsOf(device)] : []
      })
    },

    /** A `Device`; null when there is none of that uuid. */
    device({ id, uuid }: { id: number; uuid: string }): Uint8Array | null {
      const device = heldOf(id).byUuid.get(uuid)
      return device === undefined ? null : jsonOf(device)
    },

    /** How large a `CustomerTree` is in that encoding, and of how many chunks. */
    async tree({ id, encoding }: TreeGiven): Promise<{ bytes: number; count: number }> {
      const { bytes, chunks } = await heldOf(id).representation(encoding)
      return { bytes, count: chunks.length }
    },

    /** One of its chunks. */
    async chunk({ id, encoding, number }: TreeGiven & { number: number }): Promise<Uint8Array> {
      const { chunks } = await heldOf(id).representation(encoding)
      // A copy: what is answered is given away.
      return new Uint8Array(chunks[number] ?? [])
    },

    /** Some devices in the order of the tree, one a line. */
    lines({ id, from }: { id: number; from: number }): Uint8Array {
      const devices = heldOf(id).devices.slice(from, from + LINES)
      return new TextEncoder().encode(devices.map((device) => `${JSON.stringify(device)}\n`).join(''))
    },

    /** Whether all of them are the customer's. */
    owns({ id, kind, names }: { id: number; kind: OwnedKind; names: readonly string[] }): boolean {
      const held = heldOf(id)
      held.names ??= namesOf(held)
      const known = held.names[kind]
      return names.every((name) => name !== '' && known.has(name))
    }
  }
}

export type Holder = ReturnType<typeof createHolder>

/** With the orders that the previous one was asked for: whoever looks at it goes on to. */
async function hold(assembled: Assembled, serialized: Serialized, previous?: Held): Promise<Held> {
  const table = createDeviceTable(assembled.devices)
  for (const [sort, order] of previous?.table.orders() ?? []) {
    table.prepare(sort, order)
    await turn()
  }
  return { ...assembled, serialized, table, representation: createRepresentations(serialized) }
}

function fieldsOf({ subscriptions: _, ...fields }: Device): FoundDevice['device'] {
  return fields
}

function namesOf({ tree, devices, byUuid }: Assembled): Record<OwnedKind, ReadonlySet<string>> {
  return {
    project: new Set(tree.projects.map(({ id }) => id)),
    device: new Set([...devices.map(({ id }) => id), ...byUuid.keys()]),
    system: new Set(devices.map(({ systemGuid }) => systemGuid))
  }
}

function jsonOf(body: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body))
}
