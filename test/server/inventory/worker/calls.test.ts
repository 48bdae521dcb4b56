// How the worker answers calls, tested without a thread.
import t from 'tap'
import { problems } from '#server/errors.ts'
import { createCalls, type WorkerCalls } from '#server/inventory/worker/calls.ts'
import { LINES_PER_CALL } from '#server/inventory/worker-messages.ts'
import type { CustomerTree, Device, DevicePage, ProjectList } from '#shared/answers/customers.ts'
import type { OrganizationDevices } from '#shared/answers/worklists.ts'
import { bodyOf, pageBody } from '../../../support/fetched.ts'

const MEMORY = 64 * 2 ** 20
const QUERY = { q: '', sort: 'deviceName', order: 'asc', page: 0, size: 15 } as const
const LOST = problems.inventoryUnavailable()
const noMemory = (cause: string) => problems.inventoryUnavailable(new Error(cause))
const TOO_LARGE = noMemory('a customer needs more than half of the memory')
const NO_ROOM = noMemory('no memory for another customer')
const CUSTOMER = { id: 'c', orgName: 'C', scope: '/organizations/1/customers/c' }

const start = (memoryBytes = MEMORY) => createCalls({ memoryBytes, pageMaxBytes: 4 * 2 ** 20 })
const json = <T>(bytes: Uint8Array | null): T => JSON.parse(Buffer.from(bytes ?? []).toString())
const device = (id: string) => ({ id, deviceUuid: `u-${id}`, projectName: 'East', systemGuid: `g-${id}` })

interface Options {
  id?: number
  previous?: number | null
  calls?: WorkerCalls
  subscriptions?: ReturnType<typeof bodyOf> | null
}

const NDS = { deviceUuid: 'u-a', offeringCode: 'NDS' }

async function assemble(ids: readonly string[], options: Options = {}) {
  const { id = 1, previous = null, calls = start(), subscriptions = bodyOf([NDS]) } = options
  const read = (rel: 'projects' | 'devices', items: object[]) =>
    calls.page({ id, customerId: 'c', rel, ...pageBody(rel, items) }).part
  const summary = await calls.assemble({
    id,
    customerId: 'c',
    projects: [read('projects', [{ id: 'p', projectName: 'East' }])],
    devices: [read('devices', ids.map(device))],
    subscriptions,
    assembledAt: `time ${id}`,
    previous
  })
  return { calls, summary }
}

async function treeOf(calls: WorkerCalls, id: number): Promise<CustomerTree> {
  const { count } = await calls.tree({ id, encoding: null })
  const numbers = Array.from({ length: count }, (_, number) => number)
  const chunks = await Promise.all(numbers.map((number) => calls.chunk({ id, encoding: null, number })))
  return json(Buffer.concat(chunks))
}

t.test('answers "unavailable" for a customer that is not stored', async (t) => {
  const { calls } = await assemble(['a'])
  calls.release({ id: 1 })
  for (const id of [1, 2]) {
    await t.rejects(calls.devices({ id, query: QUERY, nowMs: 0 }), LOST)
    t.throws(() => calls.device({ id, uuid: 'u-a' }), LOST)
    t.throws(() => calls.lines({ id, from: 0 }), LOST)
    t.throws(() => calls.owns({ id, kind: 'device', names: ['a'] }), LOST)
    t.throws(() => calls.addReader({ id, readerId: 3 }), LOST)
  }
})

t.test('sends a tree in chunks, and devices as lines', async (t) => {
  const ids = Array.from({ length: LINES_PER_CALL + 1 }, (_, index) => `d${index}`)
  const { calls, summary } = await assemble(ids)
  t.match(summary, { devices: LINES_PER_CALL + 1, partial: [], tag: /./ })
  const lines = [0, LINES_PER_CALL, 2 * LINES_PER_CALL].map((from) =>
    Buffer.from(calls.lines({ id: 1, from })).toString()
  )
  const idsOf = (text: string) => [...text.matchAll(/^{"id":"(\w+)"/gm)].map(([, id]) => id)
  t.strictSame(lines.map(idsOf), [ids.slice(0, LINES_PER_CALL), ids.slice(LINES_PER_CALL), []])
  const { count, bytes } = await calls.tree({ id: 1, encoding: null })
  t.equal(bytes, summary.bytes)
  t.ok(count > 1)
  t.match(await treeOf(calls, 1), { customerId: 'c', assembledAt: 'time 1' })
})

t.test('returns one device, a page of devices, and the projects', async (t) => {
  const { calls } = await assemble(['a', 'b'])
  t.equal(calls.device({ id: 1, uuid: 'u-c' }), null)
  const deviceA = json<Device>(calls.device({ id: 1, uuid: 'u-a' }))
  t.match(deviceA, { id: 'a', subscriptions: [{ offeringCode: 'NDS' }] })
  const page = json<DevicePage>(await calls.devices({ id: 1, query: { ...QUERY, size: 1 }, nowMs: 0 }))
  t.match(page, { items: [{ id: 'a' }], page: { totalElements: 2 }, partial: [] })
  t.strictSame(json<ProjectList>(calls.projects({ id: 1, customer: CUSTOMER })), {
    customer: CUSTOMER,
    projects: [{ id: 'p', projectName: 'East', deviceCount: 2 }],
    totals: { projects: 1, devices: 2 },
    partial: []
  })
})

t.test('answers without unavailable subscriptions, and reports them as missing', async (t) => {
  for (const subscriptions of [null, bodyOf([NDS, { deviceUuid: 'u-a' }, null, 'x'.repeat(5 * 2 ** 20)])]) {
    const { calls, summary } = await assemble(['a'], { subscriptions })
    t.strictSame(summary.partial, ['subscriptions'])
    const { partial, projects } = await treeOf(calls, 1)
    t.strictSame(partial, ['subscriptions'])
    t.match(projects, [{ devices: [{ id: 'a', subscriptions: [] }] }])
  }
})

t.test('a device says that its subscriptions are missing, wherever it is read', async (t) => {
  const { calls } = await assemble(['a'], { subscriptions: null })
  const missing = { id: 'a', subscriptions: [], partial: ['subscriptions'] }
  t.match(json(calls.device({ id: 1, uuid: 'u-a' })), missing)
  t.match(json(await calls.devices({ id: 1, query: QUERY, nowMs: 0 })), { items: [missing] })
  t.match(await treeOf(calls, 1), { projects: [{ devices: [missing] }] })
  t.match(JSON.parse(Buffer.from(calls.lines({ id: 1, from: 0 })).toString()), missing)
  const found = await calls.search({ customers: [{ id: 1, customer: CUSTOMER }], q: 'u-a', size: 1 })
  t.notHas(found.items[0]?.device, { partial: [] }, 'search results have no subscriptions')

  const complete = await assemble(['a'])
  t.notOk('partial' in json<Device>(complete.calls.device({ id: 1, uuid: 'u-a' })))
})

t.test('a customer owns the objects of its lists that have an id', async (t) => {
  const { calls } = await assemble(['a', 'b'])
  const cases: [kind: 'project' | 'device' | 'system', names: string[], owns: boolean][] = [
    ['device', ['c'], false],
    ['device', ['a', 'c'], false],
    ['device', [''], false],
    ['device', ['g-a'], false],
    ['device', ['p'], false],
    ['project', ['East'], false],
    ['project', ['p', ''], false],
    ['system', ['a'], false],
    ['device', ['a', 'u-b'], true],
    ['project', ['p'], true],
    ['system', ['g-a', 'g-b'], true],
    ['system', [], true]
  ]
  for (const [kind, names, owns] of cases)
    t.equal(calls.owns({ id: 1, kind, names }), owns, `${kind} ${names}`)
})

t.test('gives the fields of a project or device by each of its ids', async (t) => {
  const { calls } = await assemble(['a'])
  t.match(calls.object({ id: 1, kind: 'device', name: 'a' }), { deviceUuid: 'u-a' })
  t.match(calls.object({ id: 1, kind: 'device', name: 'u-a' }), { id: 'a' })
  t.strictSame(Object.keys(calls.object({ id: 1, kind: 'project', name: 'p' }) ?? {}), ['id', 'projectName'])
  t.equal(calls.object({ id: 1, kind: 'project', name: 'a' }), null)
})

t.test('reuses the version of an unchanged customer', async (t) => {
  const { calls, summary } = await assemble(['a', 'b'])
  const second = await assemble(['a', 'b'], { id: 2, previous: 1, calls })
  t.strictSame(second.summary, summary)
  calls.release({ id: 1 })
  t.equal((await treeOf(calls, 2)).assembledAt, 'time 1')
})

t.test('stores a changed customer as a new version', async (t) => {
  const { calls, summary } = await assemble(['a', 'b'])
  const second = await assemble(['a'], { id: 2, previous: 1, calls })
  t.not(second.summary.tag, summary.tag)
  t.equal((await treeOf(calls, 2)).assembledAt, 'time 2')
})

t.test('keeps a released version for its reader', async (t) => {
  const { calls } = await assemble(['a'])
  calls.addReader({ id: 1, readerId: 2 })
  calls.release({ id: 1 })
  t.equal((await treeOf(calls, 2)).assembledAt, 'time 1')
})

const ids = (count: number) => Array.from({ length: count }, (_, index) => `d${index + 1000}`)
/** Returns the memory of a customer with this number of devices. */
const sizeOf = async (count: number) => (await assemble(ids(count))).summary.heapBytes

t.test('one customer may use at most half of the memory', async (t) => {
  const size = await sizeOf(100)
  t.equal((await assemble(ids(100), { calls: start(2 * size) })).summary.heapBytes, size)
  await t.rejects(assemble(ids(100), { calls: start(2 * size - 2) }), TOO_LARGE)
  const first = await assemble(['a'], { calls: start(2 * (await sizeOf(0)) + 2_000) })
  const list = bodyOf(Array.from({ length: 50 }, () => NDS))
  await t.rejects(assemble(['a'], { id: 2, calls: first.calls, subscriptions: list }), TOO_LARGE)
  t.ok(await treeOf(first.calls, 1), 'keeps the other customer')
})

t.test('all customers together may use at most the whole memory', async (t) => {
  const size = await sizeOf(100)
  const calls = start(3 * size - 1)
  await assemble(ids(100), { id: 1, calls })
  await assemble(ids(100), { id: 2, calls })
  await t.rejects(assemble(ids(100), { id: 3, calls }), NO_ROOM)
  calls.release({ id: 3 })
  t.ok(await treeOf(calls, 1))
  calls.release({ id: 1 })
  t.match(await assemble(ids(100), { id: 4, calls }), { summary: { devices: 100 } })
})

t.test('a customer that is being read uses memory until its assembly ends', async (t) => {
  const size = await sizeOf(100)
  const calls = start(3 * size - 1)
  await assemble(ids(100), { id: 1, calls })
  const second = assemble(ids(100), { id: 2, calls })
  await t.rejects(assemble(ids(100), { id: 3, calls }), NO_ROOM)
  await second
})

async function withReaders(calls: WorkerCalls, sizes: readonly number[]) {
  for (const [at, size] of sizes.entries()) {
    const id = 10 * (at + 1)
    await assemble(ids(size), { id, calls })
    calls.addReader({ id, readerId: id + 1 })
    calls.release({ id })
  }
}

t.test('evicts as few readers of old versions as necessary, the oldest first', async (t) => {
  const size = await sizeOf(100)
  const calls = start(4 * size - 1)
  await withReaders(calls, [100, 100])
  await assemble(ids(100), { id: 1, calls })
  calls.addReader({ id: 1, readerId: 2 })
  await assemble(ids(100), { id: 3, calls })
  await t.rejects(treeOf(calls, 11), LOST)
  t.ok(await treeOf(calls, 21))
  await assemble(ids(100), { id: 4, calls })
  await t.rejects(treeOf(calls, 21), LOST)
  await t.rejects(assemble(ids(100), { id: 5, calls }), NO_ROOM)
  t.ok(await treeOf(calls, 2), 'keeps the current version')
})

t.test('evicts no reader if the eviction would not free enough memory', async (t) => {
  const size = await sizeOf(100)
  const calls = start(5 * size - 1)
  await withReaders(calls, [100])
  for (const id of [1, 2, 3]) await assemble(ids(100), { id, calls })
  await t.rejects(assemble(ids(230), { id: 4, calls }), NO_ROOM)
  t.ok(await treeOf(calls, 11))
})

t.test('a search reports lost customers and includes all other customers', async (t) => {
  const { calls } = await assemble(['a', 'b'])
  const lostCustomer = { ...CUSTOMER, id: 'd' }
  const customers = [
    { id: 7, customer: lostCustomer },
    { id: 1, customer: CUSTOMER }
  ]
  t.match(await calls.search({ customers, q: 'u-', size: 1 }), {
    items: [{ match: 'start', device: { deviceUuid: 'u-a' }, customer: CUSTOMER }],
    total: 2,
    lost: [lostCustomer]
  })
})

t.test('a list names lost customers, and counts them', async (t) => {
  const { calls } = await assemble(['a', 'b'])
  const lostCustomer = { ...CUSTOMER, id: 'd' }
  const unread = { ...CUSTOMER, id: 'e' }
  const lostPart = { ...CUSTOMER, id: 'f' }
  const { json: list, partialCount } = await calls.list({
    customers: [
      { id: 7, customer: lostCustomer },
      { id: 8, customer: lostPart },
      { id: 1, customer: CUSTOMER }
    ],
    query: { q: '', sort: 'deviceName', order: 'asc' },
    nowMs: 0,
    page: 0,
    size: 1,
    summary: { customers: { read: 2, of: 4 }, partial: [unread, lostPart], readAt: null }
  })
  t.match(json<OrganizationDevices>(list), {
    page: { totalElements: 2 },
    customers: { read: 1, of: 4 },
    partial: [unread, lostPart, lostCustomer]
  })
  t.equal(partialCount, 3)
})

t.test('a search includes a customer that is released during the search', async (t) => {
  const calls = start()
  for (const id of [1, 2]) await assemble([`a${id}`], { id, calls })
  const customers = [1, 2].map((id) => ({ id, customer: CUSTOMER }))
  const search = calls.search({ customers, q: 'u-', size: 5 })
  calls.release({ id: 2 })
  t.match(await search, { total: 2, lost: [] })
})
