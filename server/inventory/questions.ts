// The questions that the worker answers: reading a customer's pages, assembling it, and what is asked of it then. Readings
// and customers are named by numbers that the main thread gives.
import { compareTexts, type DeviceQuery, keptOrder } from '#shared/devices.ts'
import type { CustomerName, Device, DevicePage, FoundDevice, Missing, ProjectList } from '#shared/entities.ts'
import { mergeFound } from '#shared/search/found-devices.ts'
import { Problem, problems } from '../errors.ts'
import type { Body } from '../upstreams/client.ts'
import { type Assembled, assemble } from './assemble.ts'
import {
  type Customers,
  createCustomer,
  createCustomers,
  namesOf,
  type OwnedKind,
  prepareOrder
} from './customers.ts'
import { type DueServices, dueServicesOf } from './due-services.ts'
import { createParsedLists, type Pages } from './parsed-lists.ts'
import { type Encoding, serializeTree } from './serialize.ts'
import { turn } from './turn.ts'

interface AssembleGiven extends Pages {
  id: number
  customerId: string
  assembledAt: string
  /** Null when they could not be fetched: the devices then have none. */
  subscriptions: Body | null
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

interface DueGiven extends Pick<AssembleGiven, 'id' | 'customerId' | 'devices'> {
  subscriptions: Body
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
  /** Of the worker's heap, at most. */
  heapBytes: number
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
  /** Customers that are not stored any more. */
  lost: CustomerName[]
}

/** Devices of one answer of lines. */
export const LINES = 500

export interface QuestionLimits {
  /** Of the heap, for all customers; one takes at most half of it, so that it can be read again while it is shown. */
  memoryBytes: number
  /** Of a page of projects or devices, decoded. */
  pageMaxBytes: number
}

export function createQuestions({ memoryBytes, pageMaxBytes }: QuestionLimits) {
  const lists = createParsedLists(pageMaxBytes, reserve)
  const customers = createCustomers(memoryBytes, lists.bytes)

  function reserve(bytes: number, taken: number): void {
    if (taken + bytes > memoryBytes / 2)
      throw problems.inventoryUnavailable(new Error('a customer needs more than half of the memory'))
    customers.makeRoom(bytes)
  }

  /** Subscriptions that were not fetched, or are no list, are missing. Throws a 503 problem when there is no memory. */
  async function addSubscriptions(id: number, body: Body | null, { tree, byUuid }: Assembled): Promise<void> {
    try {
      if (body) await lists.subscriptions(id, body, byUuid)
      else tree.partial.push('subscriptions')
    } catch (error) {
      if (!(error instanceof Problem && error.status === 502)) throw error
      tree.partial.push('subscriptions')
    }
  }

  return {
    page: lists.page,

    /** Assembles what was read. What says the same as the previous one becomes that one. */
    async assemble({
      id,
      customerId,
      assembledAt,
      subscriptions,
      ...given
    }: AssembleGiven): Promise<Summary> {
      try {
        const assembled = assemble({ customerId, assembledAt, ...lists.take(id, given) })
        await addSubscriptions(id, subscriptions, assembled)
        await turn()
        const serialized = await serializeTree(assembled.tree)
        let customer = customers.find(given.previous)
        if (customer?.serialized.tag !== serialized.tag)
          customer = await createCustomer(assembled, serialized, lists.bytesOf(id), customer)
        customers.set(id, customer)
        const { tree, devices, heapBytes } = customer
        const { tag, bytes } = customer.serialized
        return { tag, bytes, heapBytes, partial: tree.partial, devices: devices.length }
      } finally {
        lists.release(id)
      }
    },

    /** What is due of the services that were read. */
    async dueServices({ id, devices, subscriptions, nowMs }: DueGiven): Promise<DueServices> {
      const read = assemble({ customerId: '', assembledAt: '', ...lists.take(id, { projects: [], devices }) })
      await lists.subscriptions(id, subscriptions, read.byUuid)
      return dueServicesOf(read.devices, nowMs)
    },

    /** Another name for a customer, under which a reader keeps it as long as there is memory. */
    alias: ({ id, as }: { id: number; as: number }): void => customers.alias(id, as),

    /** Nothing more is asked of it. */
    release({ id }: { id: number }): void {
      lists.release(id)
      customers.release(id)
    },

    search: (given: SearchGiven): Promise<Found> => search(customers, given),
    ...customerQuestions(customers)
  }
}

export type Questions = ReturnType<typeof createQuestions>

/** The questions about one customer. Each throws a 503 problem when it is not stored any more. */
function customerQuestions(customers: Customers) {
  return {
    /** A `ProjectList`. */
    projects({ id, customer }: { id: number; customer: ProjectList['customer'] }): Uint8Array {
      const { tree, devices } = customers.get(id)
      const projects = tree.projects
        .map(({ devices: own, ...project }) => ({ ...project, deviceCount: own.length }))
        .sort((a, b) => compareTexts(a.projectName, b.projectName))
      const totals = { projects: projects.length, devices: devices.length }
      return jsonOf({ customer, projects, totals, partial: tree.partial } satisfies ProjectList)
    },

    /** A `DevicePage`. */
    async devices({ id, query, nowMs, missing = [] }: DevicesGiven): Promise<Uint8Array> {
      const { table, tree } = customers.get(id)
      await prepareOrder(table, ...keptOrder(query))
      return jsonOf({
        ...table.page(query, nowMs),
        partial: [...tree.partial, ...missing]
      } satisfies DevicePage)
    },

    /** The devices of these systems. */
    systems({ id, guids }: { id: number; guids: readonly string[] }): FoundDevice['device'][] {
      const customer = customers.get(id)
      customer.bySystem ??= new Map(customer.devices.map((device) => [device.systemGuid, device]))
      return [...new Set(guids)].flatMap((guid) => {
        const device = customer.bySystem?.get(guid)
        return device ? [fieldsOf(device)] : []
      })
    },

    /** A `Device`; null when there is none of that uuid. */
    device({ id, uuid }: { id: number; uuid: string }): Uint8Array | null {
      const device = customers.get(id).byUuid.get(uuid)
      return device === undefined ? null : jsonOf(device)
    },

    /** How large a `CustomerTree` is in that encoding, and of how many chunks. */
    async tree({ id, encoding }: TreeGiven): Promise<{ bytes: number; count: number }> {
      const { bytes, chunks } = await customers.get(id).representation(encoding)
      return { bytes, count: chunks.length }
    },

    /** One of its chunks. */
    async chunk({ id, encoding, number }: TreeGiven & { number: number }): Promise<Uint8Array> {
      const { chunks } = await customers.get(id).representation(encoding)
      // A copy: what is answered is given away.
      return new Uint8Array(chunks[number] ?? [])
    },

    /** Some devices in the order of the tree, one a line. */
    lines({ id, from }: { id: number; from: number }): Uint8Array {
      const devices = customers.get(id).devices.slice(from, from + LINES)
      return new TextEncoder().encode(devices.map((device) => `${JSON.stringify(device)}\n`).join(''))
    },

    /** Whether all of them are the customer's. */
    owns({ id, kind, names }: { id: number; kind: OwnedKind; names: readonly string[] }): boolean {
      const known = namesOf(customers.get(id))[kind]
      return names.every((name) => name !== '' && known.has(name))
    }
  }
}

/** The devices of several customers that a keyword finds. Other questions get their turn between any two customers. */
async function search(customers: Customers, { customers: asked, q, size }: SearchGiven): Promise<Found> {
  const found: Found = { items: [], total: 0, lost: [] }
  // Look all of them up first: some may be released during the search.
  for (const [customer, stored] of asked.map((one) => [one.customer, customers.find(one.id)] as const)) {
    if (stored === undefined) {
      found.lost.push(customer)
      continue
    }
    const { orgName } = customer
    if (stored.table.finds(q, orgName)) await prepareOrder(stored.table, 'deviceName', 'asc')
    const { total, items } = stored.table.find(q, size, orgName)
    const more = items.map(({ match, device }) => ({ match, device: fieldsOf(device), customer }))
    found.total += total
    found.items = mergeFound(found.items, more, size)
    await turn()
  }
  return found
}

function fieldsOf({ subscriptions: _, ...fields }: Device): FoundDevice['device'] {
  return fields
}

function jsonOf(body: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body))
}
