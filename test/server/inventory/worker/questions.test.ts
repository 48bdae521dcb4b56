// How the worker's code answers questions, tested without a thread.
import t from 'tap'
import { problems } from '#server/errors.ts'
import { createQuestions, LINES, type Questions } from '#server/inventory/worker/questions.ts'
import type { CustomerTree, Device, DevicePage, ProjectList } from '#shared/entities.ts'
import { bodyOf, pageBody } from '../../../support/fetched.ts'

const MEMORY = 64 * 2 ** 20
const QUERY = { q: '', sort: 'deviceName', order: 'asc', page: 0, size: 15 } as const
const LOST = problems.inventoryUnavailable()
const noMemory = (cause: string) => problems.inventoryUnavailable(new Error(cause))
const TOO_LARGE = noMemory('a customer needs more than half of the memory')
const NO_ROOM = noMemory('no memory for another customer')
const CUSTOMER = { id: 'c', orgName: 'C', scope: '/organizations/1/customers/c' }

const start = (memoryBytes = MEMORY) => createQuestions({ memoryBytes, pageMaxBytes: 4 * 2 ** 20 })
const json = <T>(bytes: Uint8Array | null): T => JSON.parse(Buffer.from(bytes ?? []).toString())
const device = (id: string) => ({ id, deviceUuid: `u-${id}`, projectName: 'East', systemGuid: `g-${id}` })

interface Options {
  id?: number
  previous?: number | null
  questions?: Questions
  subscriptions?: ReturnType<typeof bodyOf> | null
}

const NDS = { deviceUuid: 'u-a', offeringCode: 'NDS' }

async function assemble(ids: readonly string[], options: Options = {}) {
  const { id = 1, previous = null, questions = start(), subscriptions = bodyOf([NDS]) } = options
  const read = (rel: 'projects' | 'devices', items: object[]) =>
    questions.page({ id, customerId: 'c', rel, ...pageBody(rel, items) }).part
  const summary = await questions.assemble({
    id,
    customerId: 'c',
    projects: [read('projects', [{ id: 'p', projectName: 'East' }])],
    devices: [read('devices', ids.map(device))],
    subscriptions,
    assembledAt: `time ${id}`,
    previous
  })
  return { questions, summary }
}

async function treeOf(questions: Questions, id: number): Promise<CustomerTree> {
  const { count } = await questions.tree({ id, encoding: null })
  const numbers = Array.from({ length: count }, (_, number) => number)
  const chunks = await Promise.all(numbers.map((number) => questions.chunk({ id, encoding: null, number })))
  return json(Buffer.concat(chunks))
}

t.test('answers "unavailable" for a customer that is not stored', async (t) => {
  const { questions } = await assemble(['a'])
  questions.release({ id: 1 })
  for (const id of [1, 2]) {
    await t.rejects(questions.devices({ id, query: QUERY, nowMs: 0 }), LOST)
    t.throws(() => questions.device({ id, uuid: 'u-a' }), LOST)
    t.throws(() => questions.lines({ id, from: 0 }), LOST)
    t.throws(() => questions.owns({ id, kind: 'device', names: ['a'] }), LOST)
    t.throws(() => questions.alias({ id, as: 3 }), LOST)
  }
})

t.test('sends a tree in chunks, and devices as lines', async (t) => {
  const ids = Array.from({ length: LINES + 1 }, (_, index) => `d${index}`)
  const { questions, summary } = await assemble(ids)
  t.match(summary, { devices: LINES + 1, partial: [], tag: /./ })
  const lines = [0, LINES, 2 * LINES].map((from) => Buffer.from(questions.lines({ id: 1, from })).toString())
  const idsOf = (text: string) => [...text.matchAll(/^{"id":"(\w+)"/gm)].map(([, id]) => id)
  t.strictSame(lines.map(idsOf), [ids.slice(0, LINES), ids.slice(LINES), []])
  const { count, bytes } = await questions.tree({ id: 1, encoding: null })
  t.equal(bytes, summary.bytes)
  t.ok(count > 1)
  t.match(await treeOf(questions, 1), { customerId: 'c', assembledAt: 'time 1' })
})

t.test('returns one device, a page of devices, and the projects', async (t) => {
  const { questions } = await assemble(['a', 'b'])
  t.equal(questions.device({ id: 1, uuid: 'u-c' }), null)
  const deviceA = json<Device>(questions.device({ id: 1, uuid: 'u-a' }))
  t.match(deviceA, { id: 'a', subscriptions: [{ offeringCode: 'NDS' }] })
  const page = json<DevicePage>(await questions.devices({ id: 1, query: { ...QUERY, size: 1 }, nowMs: 0 }))
  t.match(page, { items: [{ id: 'a' }], page: { totalElements: 2 }, partial: [] })
  t.strictSame(json<ProjectList>(questions.projects({ id: 1, customer: CUSTOMER })), {
    customer: CUSTOMER,
    projects: [{ id: 'p', projectName: 'East', deviceCount: 2 }],
    totals: { projects: 1, devices: 2 },
    partial: []
  })
})

t.test('answers without unavailable subscriptions, and reports them as missing', async (t) => {
  for (const subscriptions of [null, bodyOf([NDS, { deviceUuid: 'u-a' }, null, 'x'.repeat(5 * 2 ** 20)])]) {
    const { questions, summary } = await assemble(['a'], { subscriptions })
    t.strictSame(summary.partial, ['subscriptions'])
    const { partial, projects } = await treeOf(questions, 1)
    t.strictSame(partial, ['subscriptions'])
    t.match(projects, [{ devices: [{ id: 'a', subscriptions: [] }] }])
  }
})

t.test('a device says that its subscriptions are missing, wherever it is read', async (t) => {
  const { questions } = await assemble(['a'], { subscriptions: null })
  const missing = { id: 'a', subscriptions: [], partial: ['subscriptions'] }
  t.match(json(questions.device({ id: 1, uuid: 'u-a' })), missing)
  t.match(json(await questions.devices({ id: 1, query: QUERY, nowMs: 0 })), { items: [missing] })
  t.match(await treeOf(questions, 1), { projects: [{ devices: [missing] }] })
  t.match(JSON.parse(Buffer.from(questions.lines({ id: 1, from: 0 })).toString()), missing)
  const found = await questions.search({ customers: [{ id: 1, customer: CUSTOMER }], q: 'u-a', size: 1 })
  t.notHas(found.items[0]?.device, { partial: [] }, 'search results have no subscriptions')

  const complete = await assemble(['a'])
  t.notOk('partial' in json<Device>(complete.questions.device({ id: 1, uuid: 'u-a' })))
})

t.test('a customer owns the objects of its lists that have an id', async (t) => {
  const { questions } = await assemble(['a', 'b'])
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
    t.equal(questions.owns({ id: 1, kind, names }), owns, `${kind} ${names}`)
})

t.test('keeps the version of an unchanged customer, and any version that is being read', async (t) => {
  const { questions, summary } = await assemble(['a', 'b'])
  const second = await assemble(['a', 'b'], { id: 2, previous: 1, questions })
  t.strictSame(second.summary, summary)
  questions.release({ id: 1 })
  t.equal((await treeOf(questions, 2)).assembledAt, 'time 1')
  const third = await assemble(['a'], { id: 3, previous: 2, questions })
  t.not(third.summary.tag, summary.tag)
  t.equal((await treeOf(questions, 3)).assembledAt, 'time 3')
  questions.alias({ id: 3, as: 4 })
  questions.release({ id: 3 })
  t.equal((await treeOf(questions, 4)).assembledAt, 'time 3')
})

const ids = (count: number) => Array.from({ length: count }, (_, index) => `d${index + 1000}`)
/** Returns the memory of a customer with this number of devices. */
const sizeOf = async (count: number) => (await assemble(ids(count))).summary.heapBytes

t.test('one customer may use at most half of the memory', async (t) => {
  const size = await sizeOf(100)
  t.equal((await assemble(ids(100), { questions: start(2 * size) })).summary.heapBytes, size)
  await t.rejects(assemble(ids(100), { questions: start(2 * size - 2) }), TOO_LARGE)
  const first = await assemble(['a'], { questions: start(2 * (await sizeOf(0)) + 2_000) })
  const list = bodyOf(Array.from({ length: 50 }, () => NDS))
  await t.rejects(assemble(['a'], { id: 2, questions: first.questions, subscriptions: list }), TOO_LARGE)
  t.ok(await treeOf(first.questions, 1), 'keeps the other customer')
})

t.test('all customers together may use at most the whole memory', async (t) => {
  const size = await sizeOf(100)
  const questions = start(3 * size - 1)
  await assemble(ids(100), { id: 1, questions })
  await assemble(ids(100), { id: 2, questions })
  await t.rejects(assemble(ids(100), { id: 3, questions }), NO_ROOM)
  questions.release({ id: 3 })
  t.ok(await treeOf(questions, 1))
  questions.release({ id: 1 })
  t.match(await assemble(ids(100), { id: 4, questions }), { summary: { devices: 100 } })
})

t.test('a customer that is being read uses memory until its assembly ends', async (t) => {
  const size = await sizeOf(100)
  const questions = start(3 * size - 1)
  await assemble(ids(100), { id: 1, questions })
  const second = assemble(ids(100), { id: 2, questions })
  await t.rejects(assemble(ids(100), { id: 3, questions }), NO_ROOM)
  await second
})

async function withReaders(questions: Questions, sizes: readonly number[]) {
  for (const [at, size] of sizes.entries()) {
    const id = 10 * (at + 1)
    await assemble(ids(size), { id, questions })
    questions.alias({ id, as: id + 1 })
    questions.release({ id })
  }
}

t.test('evicts as few readers of old versions as necessary, the oldest first', async (t) => {
  const size = await sizeOf(100)
  const questions = start(4 * size - 1)
  await withReaders(questions, [100, 100])
  await assemble(ids(100), { id: 1, questions })
  questions.alias({ id: 1, as: 2 })
  await assemble(ids(100), { id: 3, questions })
  await t.rejects(treeOf(questions, 11), LOST)
  t.ok(await treeOf(questions, 21))
  await assemble(ids(100), { id: 4, questions })
  await t.rejects(treeOf(questions, 21), LOST)
  await t.rejects(assemble(ids(100), { id: 5, questions }), NO_ROOM)
  t.ok(await treeOf(questions, 2), 'keeps the current version')
})

t.test('evicts no reader if the eviction would not free enough memory', async (t) => {
  const size = await sizeOf(100)
  const questions = start(5 * size - 1)
  await withReaders(questions, [100])
  for (const id of [1, 2, 3]) await assemble(ids(100), { id, questions })
  await t.rejects(assemble(ids(230), { id: 4, questions }), NO_ROOM)
  t.ok(await treeOf(questions, 11))
})

t.test('a search reports lost customers and includes all other customers', async (t) => {
  const { questions } = await assemble(['a', 'b'])
  const lostCustomer = { ...CUSTOMER, id: 'd' }
  const customers = [
    { id: 7, customer: lostCustomer },
    { id: 1, customer: CUSTOMER }
  ]
  t.match(await questions.search({ customers, q: 'u-', size: 1 }), {
    items: [{ match: 'start', device: { deviceUuid: 'u-a' }, customer: CUSTOMER }],
    total: 2,
    lost: [lostCustomer]
  })
})

t.test('a search includes a customer that is released during the search', async (t) => {
  const questions = start()
  for (const id of [1, 2]) await assemble([`a${id}`], { id, questions })
  const customers = [1, 2].map((id) => ({ id, customer: CUSTOMER }))
  const search = questions.search({ customers, q: 'u-', size: 5 })
  questions.release({ id: 2 })
  t.match(await search, { total: 2, lost: [] })
})
