// The calls of the main thread that the worker answers. It parses a customer's pages, assembles the customer and answers
// queries about it. Each `id`, from the main thread, identifies a fetch and the resulting version.

import type {
  CustomerName,
  Device,
  DevicePage,
  FoundDevice,
  Missing,
  Project,
  ProjectList
} from '#shared/answers/customers.ts'
import type { OrganizationDevices } from '#shared/answers/worklists.ts'
import { csvHeader } from '#shared/csv.ts'
import { mergeFound } from '#shared/found-devices.ts'
import { compareTexts } from '#shared/text-order.ts'
import { Problem, problems } from '../../errors.ts'
import { type RowFormat, rowText } from '../../row-text.ts'
import { nextStep } from '../../steps.ts'
import type { Body } from '../../upstreams/client.ts'
import type { DeviceListQuery, DeviceQuery } from '../device-query.ts'
import { type Encoding, LINES_PER_CALL, type ListPage, type WorkerLimits } from '../worker-messages.ts'
import { type Assembled, assemble } from './assemble.ts'
import {
  type Customers,
  createCustomer,
  createCustomers,
  type OwnedKind,
  objectsOf,
  prepareOrder
} from './customers.ts'
import { DEVICE_COLUMNS, type ListedCustomer, listDevices } from './device-list.ts'
import { preparedOrder } from './device-table.ts'
import { type DueServices, dueServicesOf } from './due-services.ts'
import { createParsedLists, type Pages } from './parsed-lists.ts'
import { pointCalls } from './point-calls.ts'
import { createPointStore } from './point-store.ts'
import { serializeTree } from './serialize.ts'

/** The points of customers may use half of the memory: that of six customers with 50,000 points. */
const POINTS_PART = 2

interface AssembleParams extends Pages {
  id: number
  customerId: string
  assembledAt: string
  /** Null if the subscriptions could not be fetched: the devices then have none. */
  subscriptions: Body | null
  /** Id of the previous version, which is reused if its data is the same. */
  previous: number | null
}

interface DevicesParams {
  id: number
  query: DeviceQuery
  nowMs: number
  /** Data that was not available for the query. */
  missing?: readonly Missing[] | undefined
}

interface DueServicesParams extends Pick<AssembleParams, 'id' | 'customerId' | 'devices'> {
  subscriptions: Body
  nowMs: number
}

interface TreeParams {
  id: number
  encoding: Encoding | null
}

interface ObjectParams {
  id: number
  kind: Exclude<OwnedKind, 'system'>
  name: string
}

export interface Summary {
  partial: Missing[]
  /** Equal for versions with equal data. */
  tag: string
  devices: number
  /** Size of the tree as JSON. */
  bytes: number
  /** Upper bound of the heap that the customer uses in the worker. */
  heapBytes: number
}

interface SearchParams {
  customers: readonly { id: number; customer: CustomerName }[]
  q: string
  size: number
}

interface ListParams {
  customers: SearchParams['customers']
  query: DeviceListQuery
  nowMs: number
}

interface ListPageParams extends ListParams {
  page: number
  size: number
  /** What the answer says about the customers. */
  summary: Omit<OrganizationDevices, 'items' | 'page'>
}

interface ListTextParams extends ListParams {
  format: RowFormat
  /** The positions after the previous text; null for the first text. */
  positions: readonly number[] | null
}

/** Found devices of several customers. */
export interface SearchResult {
  /** The best matches. */
  items: readonly FoundDevice[]
  total: number
  /** Customers that were not searched because the worker no longer stores them. */
  lost: CustomerName[]
}

export function createCalls({ memoryBytes, pageMaxBytes }: WorkerLimits) {
  const lists = createParsedLists(pageMaxBytes, reserveHeap)
  const customers = createCustomers()
  const points = createPointStore(pageMaxBytes, reserveForPoints)
  const freeBytes = () => memoryBytes - lists.heapBytes() - customers.heapBytes() - points.heapBytes()

  function reserveHeap(bytes: number, fetchBytes: number): void {
    if (fetchBytes + bytes > memoryBytes / 2)
      throw problems.inventoryUnavailable(new Error('a customer needs more than half of the memory'))
    // Customers are needed more than points, which are read again.
    while (bytes > freeBytes() && points.releaseOldest()) {}
    if (bytes > freeBytes()) customers.releaseOldVersions(bytes - freeBytes())
  }

  function reserveForPoints(bytes: number): void {
    const missingBytes = Math.max(points.heapBytes() + bytes - memoryBytes / POINTS_PART, bytes - freeBytes())
    if (missingBytes > 0) points.releaseTables(missingBytes)
  }

  /** Reports subscriptions as missing if they were not fetched or are not a list. Throws a 503 problem if memory is full. */
  async function addSubscriptions(id: number, body: Body | null, assembled: Assembled): Promise<void> {
    try {
      if (body) await lists.subscriptions(id, body, assembled.byUuid)
      else reportMissingSubscriptions(assembled)
    } catch (error) {
      if (!(error instanceof Problem && error.status === 502)) throw error
      reportMissingSubscriptions(assembled)
    }
  }

  return {
    page: lists.page,

    /** Assembles the parsed pages to a customer. Reuses the previous version if its data is the same. */
    async assemble({ id, subscriptions, ...params }: AssembleParams): Promise<Summary> {
      try {
        const assembled = assemble({ ...params, ...lists.take(id, params) })
        await addSubscriptions(id, subscriptions, assembled)
        await nextStep()
        const serialized = await serializeTree(assembled.tree)
        let customer = customers.find(params.previous)
        if (customer?.serialized.tag !== serialized.tag)
          customer = await createCustomer(assembled, serialized, lists.heapBytesOf(id), customer)
        customers.set(id, customer)
        const { tree, devices, heapBytes } = customer
        const { tag, bytes } = customer.serialized
        return { tag, bytes, heapBytes, partial: tree.partial, devices: devices.length }
      } finally {
        lists.release(id)
      }
    },

    /** Finds the due services of the devices in the parsed pages. */
    async dueServices({ id, devices, subscriptions, nowMs }: DueServicesParams): Promise<DueServices> {
      const parsed = lists.take(id, { projects: [], devices })
      const assembled = assemble({ customerId: '', assembledAt: '', ...parsed })
      await lists.subscriptions(id, subscriptions, assembled.byUuid)
      return dueServicesOf(assembled.devices, nowMs)
    },

    /** Stores a customer under a second id for a reader, until its memory is needed. */
    addReader: ({ id, readerId }: { id: number; readerId: number }): void =>
      customers.addReader(id, readerId),

    /** Frees the parsed pages, the customer, the points, and the rows of a reader of points. */
    release({ id }: { id: number }): void {
      lists.release(id)
      customers.release(id)
      points.release(id)
    },

    search: (params: SearchParams): Promise<SearchResult> => search(customers, params),

    /** Returns the JSON of an `OrganizationDevices`: a page of the devices of several customers. */
    async list({
      customers: entries,
      query,
      nowMs,
      page: number,
      size,
      summary
    }: ListPageParams): Promise<ListPage> {
      const stored = storedOf(customers, entries)
      const list = await listDevices(stored.found, query, nowMs)
      await list.skip(number * size)
      const items = await list.take(size)
      const { total } = list
      const page = { number, size, totalPages: Math.ceil(total / size), totalElements: total }
      const { read, of } = summary.customers
      const partialIds = new Set(summary.partial.map(({ id }) => id))
      const lost = stored.lost.filter(({ id }) => !partialIds.has(id))
      const partial = [...summary.partial, ...lost]
      const json = jsonOf({
        items,
        page,
        ...summary,
        customers: { read: read - lost.length, of },
        partial
      } satisfies OrganizationDevices)
      return { json, partialCount: partial.length }
    },

    /** Returns the next devices of several customers as text, first the header of CSV. Throws a 503 problem if one is lost. */
    async listText({ customers: entries, query, nowMs, format, positions }: ListTextParams) {
      const { found, lost } = storedOf(customers, entries)
      if (lost.length > 0) throw problems.inventoryUnavailable()
      const list = await listDevices(found, query, nowMs, positions)
      const rows = await list.take(LINES_PER_CALL)
      const head = positions === null && format === 'text/csv' ? csvHeader(DEVICE_COLUMNS) : ''
      const text = head + rowText(rows, format, DEVICE_COLUMNS)
      return { text, positions: rows.length < LINES_PER_CALL ? null : list.positions() }
    },
    ...customerCalls(customers),
    ...pointCalls(points, customers)
  }
}

export type WorkerCalls = ReturnType<typeof createCalls>

/** Marks each device too: a device without subscriptions also appears where the rest of the customer does not. */
function reportMissingSubscriptions({ tree, devices }: Assembled): void {
  const partial: Device['partial'] = ['subscriptions']
  tree.partial = [...partial]
  for (const device of devices) device.partial = partial
}

/** The calls about one customer. Each throws a 503 problem if the customer is no longer stored. */
function customerCalls(customers: Customers) {
  return {
    /** Returns a `ProjectList`. */
    projects({ id, customer }: { id: number; customer: ProjectList['customer'] }): Uint8Array {
      const { tree, devices } = customers.get(id)
      const projects = tree.projects
        .map(({ devices: own, ...project }) => ({ ...project, deviceCount: own.length }))
        .sort((a, b) => compareTexts(a.projectName, b.projectName))
      const totals = { projects: projects.length, devices: devices.length }
      return jsonOf({ customer, projects, totals, partial: tree.partial } satisfies ProjectList)
    },

    /** Returns a `DevicePage`. */
    async devices({ id, query, nowMs, missing = [] }: DevicesParams): Promise<Uint8Array> {
      const { table, tree } = customers.get(id)
      await prepareOrder(table, ...preparedOrder(query))
      return jsonOf({
        ...table.page(query, nowMs),
        partial: [...tree.partial, ...missing]
      } satisfies DevicePage)
    },

    /** Returns the devices of these systems. */
    systems({ id, guids }: { id: number; guids: readonly string[] }): FoundDevice['device'][] {
      const { system } = objectsOf(customers.get(id))
      return [...new Set(guids)].flatMap((guid) => {
        const device = system.get(guid)
        return device ? [fieldsOf(device)] : []
      })
    },

    /** Returns a `Device`, or null if no device has this uuid. */
    device({ id, uuid }: { id: number; uuid: string }): Uint8Array | null {
      const device = customers.get(id).byUuid.get(uuid)
      return device === undefined ? null : jsonOf(device)
    },

    /** Returns the size of the encoded `CustomerTree` and its number of chunks. */
    async tree({ id, encoding }: TreeParams): Promise<{ bytes: number; count: number }> {
      const { bytes, chunks } = await customers.get(id).representation(encoding)
      return { bytes, count: chunks.length }
    },

    /** Returns one chunk of the encoded tree. */
    async chunk({ id, encoding, number }: TreeParams & { number: number }): Promise<Uint8Array> {
      const { chunks } = await customers.get(id).representation(encoding)
      // Copy the chunk: the worker transfers the memory of its answers to the main thread.
      return new Uint8Array(chunks[number] ?? [])
    },

    /** Returns up to LINES_PER_CALL devices in tree order, one per line. */
    lines({ id, from }: { id: number; from: number }): Uint8Array {
      const devices = customers.get(id).devices.slice(from, from + LINES_PER_CALL)
      return new TextEncoder().encode(devices.map((device) => `${JSON.stringify(device)}\n`).join(''))
    },

    /** Whether the customer owns everything named. */
    owns({ id, kind, names }: { id: number; kind: OwnedKind; names: readonly string[] }): boolean {
      const objects = objectsOf(customers.get(id))[kind]
      return names.every((name) => name !== '' && objects.has(name))
    },

    /** Returns the fields of a project or device; null if the customer has none of this name. */
    object({ id, kind, name }: ObjectParams): Project | FoundDevice['device'] | null {
      const objects = objectsOf(customers.get(id))
      if (kind === 'device') {
        const device = objects.device.get(name)
        return device === undefined ? null : fieldsOf(device)
      }
      const project = objects.project.get(name)
      return project === undefined ? null : { id: project.id, projectName: project.projectName }
    }
  }
}

/** Searches the devices of several customers. The worker answers other calls between two customers. */
async function search(
  customers: Customers,
  { customers: entries, q, size }: SearchParams
): Promise<SearchResult> {
  const { found, lost } = storedOf(customers, entries)
  const result: SearchResult = { items: [], total: 0, lost }
  for (const { customer, stored } of found) {
    const { orgName } = customer
    if (stored.table.finds(q, orgName)) await prepareOrder(stored.table, 'deviceName', 'asc')
    const { total, items } = stored.table.find(q, size, orgName)
    const matches = items.map(({ match, device }) => ({ match, device: fieldsOf(device), customer }))
    result.total += total
    result.items = mergeFound(result.items, matches, size)
    await nextStep()
  }
  return result
}

/** Looks up all customers at once, because some may be released during the work. */
function storedOf(customers: Customers, entries: SearchParams['customers']) {
  const found: ListedCustomer[] = []
  const lost: CustomerName[] = []
  for (const { customer, id } of entries) {
    const stored = customers.find(id)
    if (stored === undefined) lost.push(customer)
    else found.push({ customer, stored })
  }
  return { found, lost }
}

export function fieldsOf({ subscriptions: _, partial: _partial, ...fields }: Device): FoundDevice['device'] {
  return fields
}

export function jsonOf(body: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body))
}
