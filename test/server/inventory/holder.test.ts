// What the worker answers, asked without a thread.
import t from 'tap'
import { problems } from '#server/errors.ts'
import { createHolder, type Holder, LINES } from '#server/inventory/holder.ts'
import type { CustomerTree, Device, DevicePage, ProjectList } from '#shared/entities.ts'
import { piecesOf } from '../../support/fetched.ts'

const MEMORY = 64 * 2 ** 20
const QUERY = { q: '', sort: 'deviceName', order: 'asc', page: 0, size: 15 } as const

const json = <T>(bytes: Uint8Array | null): T => JSON.parse(Buffer.from(bytes ?? []).toString())
const device = (id: string, projectName = 'East') => ({
  id,
  deviceUuid: `u-${id}`,
  projectName,
  systemGuid: `g-${id}`
})

async function held(
  ids: string[],
  { id = 1, previous = null as number | null, holder = createHolder(MEMORY) } = {}
) {
  const projects = holder.page({
    id,
    rel: 'projects',
    pieces: piecesOf({ _embedded: { projects: [{ id: 'p', projectName: 'East' }] } })
  })
  // The pages come in another order than they are listed in.
  const half = Math.ceil(ids.length / 2)
  const [second, first] = [ids.slice(half), ids.slice(0, half)].map((some) =>
    holder.page({
      id,
      rel: 'devices',
      pieces: piecesOf({ _embedded: { devices: some.map((one) => device(one)) } })
    })
  )
  const summary = await holder.assemble({
    id,
    customerId: 'c',
    projects: [projects.part],
    devices: [first?.part ?? -1, second?.part ?? -1],
    subscriptions: holder.subscriptions({
      id,
      pieces: piecesOf([{ deviceUuid: 'u-a', offeringCode: 'NDS' }])
    }),
    assembledAt: `time ${id}`,
    previous
  })
  return { holder, summary }
}

/** Put together of its chunks. */
async function treeOf(holder: Holder, id: number): Promise<CustomerTree> {
  const { count } = await holder.tree({ id, encoding: null })
  const numbers = Array.from({ length: count }, (_, number) => number)
  const chunks = await Promise.all(numbers.map((number) => holder.chunk({ id, encoding: null, number })))
  return json(Buffer.concat(chunks))
}

t.test('nothing is told of a customer that is not there, or not any more', async (t) => {
  const { holder } = await held(['a'])
  holder.release({ id: 1 })
  for (const id of [1, 2]) {
    const gone = problems.inventoryUnavailable()
    t.throws(() => holder.devices({ id, query: QUERY, nowMs: 0 }), gone)
    t.throws(() => holder.device({ id, uuid: 'u-a' }), gone)
    t.throws(() => holder.lines({ id, from: 0 }), gone)
    t.throws(() => holder.owns({ id, kind: 'device', names: ['a'] }), gone)
    t.throws(() => holder.alias({ id, as: 3 }), gone)
  }
})

t.test('lists are put together in their own order, whenever their pages came', async (t) => {
  const { holder, summary } = await held(['a', 'b', 'c', 'd'])
  t.match(summary, { devices: 4, partial: [], tag: /./ })
  const lines = Buffer.from(holder.lines({ id: 1, from: 0 })).toString()
  t.strictSame(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Device).id),
    ['a', 'b', 'c', 'd']
  )
  const { count, bytes } = await holder.tree({ id: 1, encoding: null })
  t.equal(bytes, summary.bytes)
  t.ok(count > 1)
  t.match(await treeOf(holder, 1), { customerId: 'c', assembledAt: 'time 1' })
})

t.test('lines come some at a time', async (t) => {
  const { holder } = await held(Array.from({ length: LINES + 1 }, (_, index) => `d${index}`))
  const count = (from: number) =>
    Buffer.from(holder.lines({ id: 1, from }))
      .toString()
      .split('\n').length - 1
  t.equal(count(0), LINES)
  t.equal(count(LINES), 1)
  t.equal(count(2 * LINES), 0)
})

t.test('one device, a page of them, and the projects', async (t) => {
  const { holder } = await held(['a', 'b'])
  t.equal(holder.device({ id: 1, uuid: 'u-c' }), null)
  t.match(json<Device>(holder.device({ id: 1, uuid: 'u-a' })), {
    id: 'a',
    subscriptions: [{ offeringCode: 'NDS' }]
  })
  t.match(json<DevicePage>(holder.devices({ id: 1, query: { ...QUERY, size: 1 }, nowMs: 0 })), {
    items: [{ id: 'a' }],
    page: { totalElements: 2 },
    partial: []
  })
  const customer = { id: 'c', orgName: 'C', scope: '/' }
  t.strictSame(json<ProjectList>(holder.projects({ id: 1, customer })), {
    customer,
    projects: [{ id: 'p', projectName: 'East', deviceCount: 2 }],
    totals: { projects: 1, devices: 2 },
    partial: []
  })
})

t.test('a customer has what it was told to have, and nothing without a name', async (t) => {
  const { holder } = await held(['a', 'b'])
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
    t.equal(holder.owns({ id: 1, kind, names }), owns, `${kind} ${names}`)
})

t.test('what says the same as before stays what it was; another name holds it on', async (t) => {
  const { holder, summary } = await held(['a', 'b'])
  holder.devices({ id: 1, query: { ...QUERY, sort: 'hostId' }, nowMs: 0 })
  const again = await held(['a', 'b'], { id: 2, previous: 1, holder })
  t.strictSame(again.summary, summary)
  holder.release({ id: 1 })
  t.equal((await treeOf(holder, 2)).assembledAt, 'time 1')
  const other = await held(['a'], { id: 3, previous: 2, holder })
  t.not(other.summary.tag, summary.tag)
  t.equal((await treeOf(holder, 3)).assembledAt, 'time 3')
  holder.alias({ id: 3, as: 4 })
  holder.release({ id: 3 })
  t.equal((await treeOf(holder, 4)).assembledAt, 'time 3')
})

t.test('what is held takes memory that nothing else is read into until it is released', async (t) => {
  const memory = 100_000
  const { holder, summary } = await held(['a', 'b'], { holder: createHolder(memory) })
  const characters = Math.floor((memory - summary.bytes) / 8)
  const read = () => holder.subscriptions({ id: 2, pieces: piecesOf(`[${' '.repeat(characters - 2)}]`) })
  t.throws(read, problems.inventoryUnavailable())
  holder.release({ id: 1 })
  t.equal(read(), 0)
})

t.test('readers of former versions make room, the oldest first, and no others', async (t) => {
  const memory = 100_000
  const holder = createHolder(memory)
  const lost = problems.inventoryUnavailable()
  const versions = [['a'], ['a', 'b'], ['a', 'b', 'c']]
  for (const [at, ids] of versions.entries()) {
    const id = 10 * (at + 1)
    await held(ids, { id, holder })
    holder.alias({ id, as: id + 1 })
    if (at < 2) holder.release({ id })
  }
  const sizes = await Promise.all(
    [11, 21, 31].map(async (id) => (await holder.tree({ id, encoding: null })).bytes)
  )
  const [, second = 0, third = 0] = sizes
  const read = (id: number, beside: number) => {
    const characters = Math.floor((memory - 2 * beside) / 8)
    holder.subscriptions({ id, pieces: piecesOf(`[${' '.repeat(characters - 2)}]`) })
    holder.release({ id })
  }
  read(1, second + third)
  await t.rejects(treeOf(holder, 11), lost, 'the oldest')
  t.ok(await treeOf(holder, 21))
  read(2, third)
  await t.rejects(treeOf(holder, 21), lost, 'the next')
  t.throws(() => read(3, 0), lost, 'what others are given, too, is held on')
  t.ok(await treeOf(holder, 31))
})

t.test('customers that are not held any more are told, and the others are searched', async (t) => {
  const { holder } = await held(['a', 'b'])
  const customer = { id: 'c', orgName: 'C', scope: '/organizations/1/customers/c' }
  const other = { ...customer, id: 'd' }
  const asked = [
    { id: 7, customer: other },
    { id: 1, customer }
  ]
  t.match(await holder.search({ customers: asked, q: 'u-', size: 1 }), {
    items: [{ match: 'start', device: { deviceUuid: 'u-a' }, customer }],
    total: 2,
    lost: [other]
  })
})

t.test('what is released while it is searched was asked for before', async (t) => {
  const holder = createHolder(MEMORY)
  for (const id of [1, 2]) await held([`a${id}`], { id, holder })
  const customer = { id: 'c', orgName: 'C', scope: '/organizations/1/customers/c' }
  const customers = [1, 2].map((id) => ({ id, customer }))
  const search = holder.search({ customers, q: 'u-', size: 5 })
  holder.release({ id: 2 })
  t.match(await search, { total: 2, lost: [] })
})
