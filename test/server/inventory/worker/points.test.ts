// The points of a customer's devices in the worker: what is stored of them, and how they are filtered, sorted and summed up.
import t from 'tap'
import { problems } from '#server/errors.ts'
import type { PointFilter } from '#server/inventory/point-query.ts'
import { createCalls } from '#server/inventory/worker/calls.ts'
import { createPointStore } from '#server/inventory/worker/point-store.ts'
import { itemOf, pointTable } from '#server/inventory/worker/point-table.ts'
import { inOneGo } from '#server/sort-in-steps.ts'
import { bodyOf, fetchedDevice, pageBody } from '../../../support/fetched.ts'

const MB = 2 ** 20
const TOO_LARGE = new Error('502 upstream_too_large')
const UNAVAILABLE = problems.inventoryUnavailable()
const NO_ROOM = problems.inventoryUnavailable(new Error('no memory for the points of a customer'))
const devices = ['a', 'b', 'c'].map((id) => fetchedDevice(id, null, { systemGuid: `guid-${id}` }))
const guidOf = (id: string) => devices.find((device) => device.id === id)?.systemGuid ?? 'foreign'

const FILTER: PointFilter = { name: '', match: 'equals', sort: 'device', order: 'asc' }

interface Model {
  device: string
  name?: string
  out?: string
  units?: string
  tags?: object
  cloudId?: string
}
const numeric = { dataType: 'Numeric' }
const model = ({
  device,
  name = 'Temp',
  out = '20.5 {ok}',
  units = '°C',
  tags = numeric,
  cloudId
}: Model) => ({
  displayName: name,
  cloudId: cloudId ?? `${device} ${name}`,
  systemGuid: guidOf(device),
  outValue: out,
  facets: { units },
  tags
})

function start(reserveHeap: (bytes: number) => void = () => {}) {
  const store = createPointStore(4 * MB, reserveHeap)
  const read = (models: unknown[], readAt = 1000, more = {}) =>
    store.page({ id: 1, customerId: 'c', readAt, ...pageBody('pointModels', models), ...more })
  const table = (filter: Partial<PointFilter> = {}) =>
    inOneGo(pointTable(store.get(1), devices, { ...FILTER, ...filter }))
  const listed = (filter: Partial<PointFilter> = {}) => table(filter).rows.map(({ point }) => point.cloudId)
  return { store, read, table, listed }
}

/** The calls of a worker that has the customer 1 with the devices, and the points 2. */
async function startCalls(memoryBytes = 64 * MB) {
  const calls = createCalls({ memoryBytes, pageMaxBytes: 4 * MB })
  const page = (rel: 'projects' | 'devices', items: object[]) =>
    calls.page({ id: 1, customerId: 'c', rel, ...pageBody(rel, items) }).part
  await calls.assemble({
    id: 1,
    customerId: 'c',
    projects: [page('projects', [])],
    devices: [page('devices', devices)],
    subscriptions: bodyOf(
      devices.map(({ deviceUuid }) => ({
        deviceUuid,
        offeringCode: 'NDS',
        startDate: '2020-01-01',
        endDate: '2100-01-01'
      }))
    ),
    assembledAt: '',
    previous: null
  })
  const read = (models: unknown[], readAt = 1000, id = 2) =>
    calls.pointPage({ id, customerId: 'c', readAt, ...pageBody('pointModels', models) })
  const progress = { waiting: [], failed: [], total: null, isReading: false, readAt: 1000 }
  const subject = { id: 2, customer: 1, nowMs: Date.now(), progress }
  const open = (readerId: number, filter: Partial<PointFilter> = {}) =>
    calls.openPoints({ ...subject, readerId, query: { ...FILTER, ...filter } })
  const textOf = (readerId: number) => calls.pointTexts({ readerId, format: 'application/x-ndjson', from: 0 })
  return { calls, read, subject, open, textOf }
}

t.test('refuses malformed pages, and pages above a limit', async (t) => {
  const { store, read } = start()
  const malformed = bodyOf({ _embedded: { pointModels: {} } })
  await t.rejects(store.page({ id: 1, customerId: 'c', readAt: 1, ...malformed }), problems.upstreamGarbled())
  await t.rejects(read(Array.from({ length: 1001 }, () => ({}))), TOO_LARGE)
  await t.rejects(read([model({ device: 'a', tags: { deep: Array(100_001).fill(0) } })]), TOO_LARGE)
  t.equal(store.get(1).count, 0)
})

t.test('refuses points for which there is no memory, and keeps the others', async (t) => {
  let free = 1_000
  const { store, read } = start((bytes) => {
    if (bytes > free) throw problems.inventoryUnavailable()
    free -= bytes
  })
  const models = ['1', '2', '3', '4'].map((name) => model({ device: 'a', name }))
  await t.rejects(read(models), UNAVAILABLE)
  t.ok(store.get(1).count >= 1 && store.get(1).count < 4)
  t.equal(store.heapBytes(), 1_000 - free)
})

t.test('refuses more than 200,000 points', async (t) => {
  const { store, read } = start()
  const pageAt = (number: number) =>
    Array.from({ length: 1_000 }, (_, index) => ({ systemGuid: 'g', cloudId: `${number} ${index}` }))
  for (let number = 0; number < 200; number += 1) await read(pageAt(number))
  await read(pageAt(0))
  await t.rejects(read(pageAt(200)), TOO_LARGE)
  t.equal(store.get(1).count, 200_000)
})

t.test(
  'ignores points without an id, and those of another system than the one that was searched',
  async (t) => {
    const { read, store } = start()
    await read([model({ device: 'a' }), model({ device: 'b' }), { systemGuid: guidOf('a') }, null, 7], 1000, {
      systemGuid: guidOf('a')
    })
    t.same([...store.get(1).systems.keys()], [guidOf('a')])
    t.equal(store.get(1).count, 1)
  }
)

t.test('shortens long texts, and drops properties that are neither texts nor numbers', async (t) => {
  const { read, table } = start()
  const tags = Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => [`tag ${index}`, 'x'.repeat(9_000)])
  )
  await read([model({ device: 'a', out: 'y'.repeat(9_000), tags: { list: [1], ...tags } })])
  const { rows, medians } = table()
  const { point } = itemOf(rows[0] as never, medians)
  t.equal(point.outValue?.length, 2_000)
  t.equal(Object.keys(point.tags ?? {}).length, 49)
  t.ok(Object.values(point.tags ?? {}).every((text) => String(text).length === 2_000))
})

t.test('keeps the known flags of a status, and two others', async (t) => {
  const { read, table } = start()
  const others = Array.from({ length: 300 }, (_, index) => `x${index}`)
  const long = 'y'.repeat(200)
  const texts = [`20 {${[...others, 'fault', 'overridden'].join(',')}}`, `20 {${long}}`]
  await read(texts.map((out, index) => model({ device: 'a', name: String(index), out })))
  t.same(
    table().rows.map(({ point }) => point.flags),
    [['fault', 'overridden', ...others.slice(0, 8)], [long.slice(0, 100)]]
  )
})

t.test('frees a released customer, and rejects its late pages', async (t) => {
  const { store, read } = start()
  await read([model({ device: 'a' })])
  t.ok(store.heapBytes() > 0)
  store.release(1)
  t.equal(store.heapBytes(), 0)
  await t.rejects(read([model({ device: 'a' })]), UNAVAILABLE)
})

t.test('drops points that do not come again, and keeps since when a status is known', async (t) => {
  const { store, read, table } = start()
  await read(
    [model({ device: 'a', name: '1' }), model({ device: 'a', name: '2' }), model({ device: 'b' })],
    1000
  )
  await read(
    [model({ device: 'a', name: '1', out: '21 {ok}' }), model({ device: 'b', out: '9 {fault}' })],
    2000
  )
  store.dropOlder(1, 2000)
  t.same(
    table().rows.map(({ point }) => [point.cloudId, point.readAt, point.noticedAt]),
    [
      ['a 1', 2000, 1000],
      ['b Temp', 2000, 2000]
    ]
  )
  store.dropOlder(1, 3000, guidOf('a'))
  t.equal(store.get(1).count, 1)
})

t.test('an unknown status and the flag "null" are different statuses', async (t) => {
  const { read, table } = start()
  await read([model({ device: 'a', out: '1' })], 1000)
  await read([model({ device: 'a', out: '1 {null}' })], 2000)
  t.equal(table().rows[0]?.point.noticedAt, 2000)
})

const VALUES: [
  outValue: string,
  tags: object,
  number: number | null,
  text: string | null,
  isValid: boolean
][] = [
  ['21.5 {ok}', numeric, 21.5, null, true],
  ['21.5 {alarm,overridden} @ 8', numeric, 21.5, null, true],
  ['21.5 {down,stale}', numeric, 21.5, null, false],
  ['nan {ok}', numeric, null, null, false],
  ['', numeric, null, null, false],
  ['true {ok}', { dataType: 'Boolean', trueText: 'On' }, null, 'On', true],
  ['Off {fault}', { dataType: 'Boolean', falseText: 'Off' }, null, 'Off', false],
  ['2 {ok}', { dataType: 'Enum', range: '1=Auto,2=Hand' }, null, 'Hand', true],
  ['7 {ok}', { dataType: 'Enum', range: '1=Auto,2=Hand' }, null, '7', true],
  ['4.14 {ok}', { dataType: 'String' }, null, '4.14', true],
  [' {ok}', { dataType: 'String' }, null, null, false]
]
for (const [out, tags, number, text, isValid] of VALUES)
  t.test(`reads ${out || 'a missing value'} of ${JSON.stringify(tags)}`, async (t) => {
    const { read, table } = start()
    await read([model({ device: 'a', out, tags })])
    const { rows, medians } = table()
    t.match(itemOf(rows[0] as never, medians), { number, text, isValid })
  })

t.test('sums up valid numbers by units, and counts states', async (t) => {
  const { read, table } = start()
  const outs = ['20 {ok}', '30 {ok}', '22 {alarm}', '90 {fault}', '{ok}', '21 {ok}']
  await read([
    ...outs.map((out, index) => model({ device: 'a', cloudId: `${index}`, out })),
    model({ device: 'b', cloudId: 'F', out: '70 {ok}', units: '°F' }),
    model({ device: 'b', cloudId: 'on', out: 'On {ok}', tags: { dataType: 'Boolean' } }),
    model({ device: 'b', cloudId: 'other', name: 'Other', out: '500 {ok}' })
  ])
  const { described, rows, medians } = table({ name: 'temp', sort: 'fromMedian', order: 'desc' })
  t.same(described.summary, {
    numbers: [
      { units: '°C', count: 4, lowest: 20, median: 21.5, highest: 30, spread: 1 },
      { units: '°F', count: 1, lowest: 70, median: 70, highest: 70, spread: 0 }
    ],
    states: [{ text: 'On', count: 1 }]
  })
  t.same(
    rows.map((row) => [row.point.cloudId, itemOf(row, medians).fromMedian]),
    [
      ['1', 8.5],
      ['0', -1.5],
      ['2', 0.5],
      ['5', -0.5],
      ['F', 0],
      ['3', null],
      ['4', null],
      ['on', null]
    ],
    'points without a distance come last'
  )
})

t.test('the median of the largest numbers is a number', async (t) => {
  const { read, table } = start()
  await read(['a', 'b'].map((device) => model({ device, out: '1.7e308 {ok}' })))
  t.match(table().described.summary.numbers, [{ median: 1.7e308, spread: 0 }])
})

t.test('counts names and exceptions of all points, and flags of those with the name', async (t) => {
  const { read, table } = start()
  await read([
    model({ device: 'a', out: '1 {down,stale}' }),
    model({ device: 'b', out: '1 {overridden} @ 8' }),
    model({ device: 'c', out: '1' }),
    model({ device: 'c', name: 'Fan', out: '1 {fault}' }),
    model({ device: 'gone', out: '1 {fault}' })
  ])
  const { described } = table({ name: 'Temp', status: 'down' })
  t.same(described.names, [
    { name: 'Temp', count: 3 },
    { name: 'Fan', count: 1 }
  ])
  t.equal(described.exceptions, 3)
  t.same(described.statuses, [
    { flag: 'down', count: 1 },
    { flag: 'stale', count: 1 },
    { flag: 'overridden', count: 1 }
  ])
})

t.test('filters by a name or a part of it, and by status', async (t) => {
  const { read, listed } = start()
  await read([
    model({ device: 'a', name: 'Supply Temp', out: '1 {alarm,overridden}' }),
    model({ device: 'a', name: 'supply temp setpoint' }),
    model({ device: 'b', name: 'Supply Temp', out: '1' })
  ])
  t.same(listed({ name: ' supply TEMP ' }), ['a Supply Temp', 'b Supply Temp'])
  t.equal(listed({ name: 'temp', match: 'contains' }).length, 3)
  t.same(listed({ status: 'exception' }), ['a Supply Temp'])
  t.same(listed({ status: 'overridden' }), ['a Supply Temp'])
  t.same(listed({ status: 'ok' }), ['a supply temp setpoint'])
})

t.test('every name and flag that is listed is one that the filters take', async (t) => {
  const { read, table, listed } = start()
  await read([
    model({ device: 'a', name: 'Zone Temp ', out: '1 {maintenance}' }),
    model({ device: 'b', name: 'ZONE TEMP', out: '1 {ok}' }),
    model({ device: 'b', name: 'Fan', out: '1 {ok}' })
  ])
  const { described } = table()
  t.same(described.names, [
    { name: 'Zone Temp ', count: 2 },
    { name: 'Fan', count: 1 }
  ])
  for (const { name, count } of described.names) t.equal(listed({ name }).length, count, name)
  for (const { flag, count } of described.statuses) t.equal(listed({ status: flag }).length, count, flag)
  t.ok(described.statuses.some(({ flag }) => flag === 'maintenance'))
})

t.test('points of unknown status come last in both orders', async (t) => {
  const { read, listed } = start()
  await read([
    model({ device: 'a', out: '1' }),
    model({ device: 'b', out: '1 {ok}' }),
    model({ device: 'c', out: '1 {fault}' })
  ])
  t.same(listed({ sort: 'status' }), ['c Temp', 'b Temp', 'a Temp'])
  t.same(listed({ sort: 'status', order: 'desc' }), ['b Temp', 'c Temp', 'a Temp'])
})

t.test('points of equal order are in the order of their devices and names', async (t) => {
  const { read, listed } = start()
  const unsorted = ['b Fan 10', 'b Fan 2', 'a Temp', 'a Mode']
  await read(unsorted.map((id) => model({ device: id.slice(0, 1), name: id.slice(2), cloudId: id })))
  const sorted = ['a Mode', 'a Temp', 'b Fan 2', 'b Fan 10']
  for (const order of ['asc', 'desc'] as const) t.same(listed({ sort: 'status', order }), sorted, order)
  t.same(listed({ sort: 'device' }), sorted)
  t.same(listed({ sort: 'device', order: 'desc' }), ['b Fan 2', 'b Fan 10', 'a Mode', 'a Temp'])
})

t.test('sorts by each field', async (t) => {
  const { read, listed } = start()
  await read([model({ device: 'b', name: 'AHU 10', out: '3 {ok}' })], 3000)
  await read([model({ device: 'a', name: 'AHU 2', out: '1 {overridden}' })], 1000)
  await read([model({ device: 'c', name: 'Mode', out: 'Auto {fault}', tags: { dataType: 'String' } })], 2000)
  const [two, ten, mode] = ['a AHU 2', 'b AHU 10', 'c Mode']
  t.same(listed({ sort: 'name' }), [two, ten, mode])
  t.same(listed({ sort: 'device', order: 'desc' }), [mode, ten, two])
  t.same(listed({ sort: 'value' }), [two, ten, mode], 'texts follow numbers')
  t.same(listed({ sort: 'value', order: 'desc' }), [mode, ten, two])
  t.same(listed({ sort: 'status' }), [mode, two, ten])
  t.same(listed({ sort: 'readAt' }), [two, mode, ten])
  t.same(listed({ sort: 'noticedAt', order: 'desc' }), [ten, mode, two])
})

t.test('answers "unavailable" for points that were never stored, or by another worker', async (t) => {
  const { calls, read, subject, open } = await startCalls()
  await read([model({ device: 'a' })])
  const other = { ...subject, id: 9 }
  await t.rejects(calls.points({ ...other, query: { ...FILTER, page: 0, size: 15 } }), UNAVAILABLE)
  await t.rejects(calls.findPoints({ ...other, q: 'temp', size: 15 }), UNAVAILABLE)
  t.throws(() => calls.dropPoints({ id: 9, readAt: 2000 }), UNAVAILABLE)
  t.strictSame(
    await calls.pointSystems(other),
    devices.map(({ systemGuid }) => systemGuid),
    'a read begins'
  )
  t.ok(await open(3))
})

t.test(
  'counts the rows of readers, with the points that only they keep, until they are released',
  async (t) => {
    const { store, read, table } = start()
    await read([model({ device: 'a' }), model({ device: 'b' })])
    const siteBytes = store.heapBytes()
    const rows = table()
    store.addReader(2, rows)
    const rowBytes = store.heapBytes() - siteBytes
    t.ok(rowBytes > 0 && rowBytes < siteBytes / 2, `${rowBytes} of ${siteBytes} bytes`)
    await read([model({ device: 'a' })], 2000)
    t.equal(store.heapBytes(), 1.5 * siteBytes + rowBytes, 'and one replaced point')
    store.dropOlder(1, 2000)
    t.equal(store.heapBytes(), 1.5 * siteBytes + rowBytes, 'and a dropped one')
    store.release(1)
    t.equal(store.heapBytes(), siteBytes + rowBytes)
    store.release(2)
    t.equal(store.heapBytes(), 0)
  }
)

t.test('a released reader gets no further rows, and no end either', async (t) => {
  const { calls, read, open, textOf } = await startCalls()
  await read([model({ device: 'a' })])
  t.match(await open(3), { devices: { read: 3 }, points: { read: 1 } })
  t.match(textOf(3), /a Temp/)
  t.throws(() => textOf(4), UNAVAILABLE)
  calls.release({ id: 3 })
  t.throws(() => textOf(3), UNAVAILABLE)
})

t.test('points that need memory take that of the oldest readers, if that is enough', async (t) => {
  const { store, read, table } = start()
  await read([model({ device: 'a' })])
  for (const readerId of [2, 3, 4]) store.addReader(readerId, table())
  const rowBytes = table().heapBytes()
  t.throws(() => store.releaseTables(3 * rowBytes + 1), NO_ROOM)
  t.ok(store.reader(2))
  store.releaseTables(rowBytes + 1)
  for (const readerId of [2, 3]) t.throws(() => store.reader(readerId), UNAVAILABLE)
  t.ok(store.reader(4))
  t.ok(store.releaseOldest() && store.get(1).count === 1, 'readers are freed before points')
})

t.test(
  'the points of a customer may use half of the memory, with those that only readers keep',
  async (t) => {
    const models = Array.from({ length: 40 }, (_, index) => model({ device: 'a', name: `${index}` }))
    const { calls, read, open, textOf } = await startCalls(64 * 1024)
    await read(models)
    await open(3)
    calls.release({ id: 2 })
    t.match(textOf(3), /a 39/)
    await read(models, 2000, 4)
    t.throws(() => textOf(3), UNAVAILABLE)
    await t.rejects(read(models, 2000, 5), NO_ROOM)
  }
)

t.test(
  'filters and sorts the points of a customer once at a time, and those of others meanwhile',
  async (t) => {
    const { read, subject, calls, open } = await startCalls()
    for (const [index, device] of ['a', 'b', 'c'].entries())
      await read(Array.from({ length: 1_000 }, (_, number) => model({ device, name: `${index} ${number}` })))
    await read([model({ device: 'a' })], 1000, 5)
    const ended: string[] = []
    const query = { ...FILTER, page: 0, size: 15 }
    await Promise.all([
      open(3, { sort: 'name' }).then(() => ended.push('all')),
      open(4, { name: 'none' }).then(() => ended.push('none')),
      calls.points({ ...subject, id: 5, query }).then(() => ended.push('other'))
    ])
    t.strictSame(ended, ['other', 'all', 'none'])
  }
)

t.test('equal calls share a table until the points, the devices or the filter change', async (t) => {
  const models = Array.from({ length: 40 }, (_, index) => model({ device: 'a', name: `${index}` }))
  const { calls, read, subject, open, textOf } = await startCalls(64 * 1024)
  await read(models)
  for (let readerId = 10; readerId < 30; readerId += 1) await open(readerId)
  t.ok(textOf(10), 'the memory has no room for twenty tables')
  await read([model({ device: 'a', name: '7', out: '99 {ok}' })], 2000)
  await open(30)
  t.match(textOf(30), /"number":99/)
  t.match(await open(31, { name: '7' }), { summary: { numbers: [{ count: 1 }] } })
  t.equal(textOf(31).split('\n').length, 2)
  const query = { ...FILTER, name: '7', page: 0, size: 15, projectId: 'none' }
  const { body } = await calls.points({ ...subject, query })
  t.match(JSON.parse(Buffer.from(body).toString()), { items: [] })
})
