import t from 'tap'
import { problems } from '#server/errors.ts'
import { createParsedLists } from '#server/inventory/worker/parsed-lists.ts'
import { toDevice, toProject, toSubscription } from '#server/inventory/worker/records.ts'
import type { Body } from '#server/upstreams/client.ts'
import { ID_MAX_CHARACTERS } from '#shared/scopes.ts'
import { bodyOf, fetchedDevice, pageBody } from '../../../support/fetched.ts'

const PAGE_MAX_BYTES = 300_000
const TOO_LARGE = new Error('502 upstream_too_large')
const GARBLED = problems.upstreamGarbled()

const start = (reserveHeap: (bytes: number, fetchBytes: number) => void = () => {}) => {
  const lists = createParsedLists(PAGE_MAX_BYTES, reserveHeap)
  return {
    ...lists,
    devices: (body: Body) => lists.page({ id: 1, customerId: 'c', rel: 'devices', ...body }),
    projects: (body: Body) => lists.page({ id: 1, customerId: 'c', rel: 'projects', ...body })
  }
}
const page = (items: unknown[], more?: object) => pageBody('devices', items, more)
const repeat = (count: number, item: unknown = {}) => Array.from({ length: count }, () => item)

function startWith(...ids: string[]) {
  const byUuid = new Map(ids.map((id) => [`uuid-${id}`, fetchedDevice(id, null)]))
  const lists = start()
  lists.devices(page([]))
  const codes = () => [...byUuid.values()].map((item) => item.subscriptions.map((sub) => sub.offeringCode))
  return { lists, codes, read: (body: Body) => lists.subscriptions(1, body, byUuid) }
}
const subscription = (id: string, offeringCode = 'NDS') => ({ deviceUuid: `uuid-${id}`, offeringCode })

t.test('refuses a malformed page', async (t) => {
  for (const body of ['', '<h1>', '[', 'null', '[]', '{"_embedded":{"devices":{}}}'])
    t.throws(() => start().devices(bodyOf(body)), GARBLED, body)
})

t.test('reads a page up to its limits of bytes, records, values and depth', async (t) => {
  const emptyPage = JSON.stringify({ _embedded: { devices: [] } })
  const nest = (levels: number) =>
    `{"_embedded":{"devices":[${'['.repeat(levels - 3)}${']'.repeat(levels - 3)}]}}`
  const gzip = (text: string) => bodyOf(text, { isGzip: true })
  const values = (count: number) => page([repeat(count - 3, 0)])
  const cases: [name: string, fits: Body, exceeds: Body][] = [
    ['bytes', bodyOf(emptyPage.padEnd(PAGE_MAX_BYTES)), bodyOf(emptyPage.padEnd(PAGE_MAX_BYTES + 1))],
    ['unzipped bytes', gzip(emptyPage.padEnd(PAGE_MAX_BYTES)), gzip(emptyPage.padEnd(PAGE_MAX_BYTES + 1))],
    ['records', page(repeat(1000)), page(repeat(1001))],
    ['values', values(100_000), values(100_001)],
    ['depth', bodyOf(nest(32)), bodyOf(nest(33))]
  ]
  for (const [name, fits, exceeds] of cases) {
    t.match(start().devices(fits), { part: 0 }, name)
    t.throws(() => start().devices(exceeds), TOO_LARGE, name)
  }
})

t.test('limits the devices and projects of a customer', async (t) => {
  const lists = start()
  for (const [read, pages] of [
    [lists.devices, 200],
    [lists.projects, 20]
  ] as const) {
    const rel = read === lists.devices ? 'devices' : 'projects'
    for (let number = 0; number < pages; number += 1) read(pageBody(rel, repeat(1000)))
    t.throws(() => read(pageBody(rel, [{}])), TOO_LARGE)
  }
})

t.test('reads a compressed page, and refuses a truncated page', async (t) => {
  const { pieces } = bodyOf('{}', { isGzip: true, bytes: 1 })
  t.match(start().devices({ pieces, isGzip: true }), { part: 0 })
  const truncatedPieces = bodyOf('{}', { isGzip: true, bytes: 1 }).pieces.slice(0, -9)
  for (const body of [
    { pieces: truncatedPieces, isGzip: true },
    { ...bodyOf('{}'), isGzip: true }
  ])
    t.throws(() => start().devices(body), GARBLED)
})

t.test('joins characters that are split across pieces', async (t) => {
  const lists = start()
  const { part } = lists.devices(bodyOf('\ufeff{"_embedded":{"devices":[{"id":"東京 🏢"}]}}', { bytes: 1 }))
  t.match(lists.take(1, { projects: [], devices: [part] }), { devices: [{ id: '東京 🏢' }] })
})

t.test('joins pages in list order, regardless of their order of arrival', async (t) => {
  const lists = start()
  const second = lists.devices(page([{ id: 'c' }]))
  const first = lists.devices(page([{ id: 'a' }, { id: 'b' }]))
  const pages = { projects: [], devices: [first.part, second.part] }
  t.equal(
    lists
      .take(1, pages)
      .devices.map(({ id }) => id)
      .join(''),
    'abc'
  )
  lists.release(1)
  t.throws(() => lists.take(1, pages), problems.inventoryUnavailable())
})

t.test('reads the next link of each page', async (t) => {
  t.match(start().devices(page([])), { totalPages: 0, next: null })
  const more = { page: { totalPages: 7 }, _links: { next: { href: 'https://elsewhere.example/a?b=c' } } }
  t.match(start().devices(page([], more)), { totalPages: 7, next: '/a?b=c' })
})

t.test('refuses pages that do not fit in memory', async (t) => {
  const reservations: number[][] = []
  const noMemory = problems.inventoryUnavailable()
  const lists = start((bytes, fetchBytes) => {
    if (reservations.push([bytes, fetchBytes]) === 2) throw noMemory
  })
  lists.devices(page([{ id: 'a' }]))
  t.throws(() => lists.devices(page([{ id: 'b' }])), noMemory)
  const [[first = 0] = []] = reservations
  t.ok(first > 0)
  t.equal(reservations.join(), `${first},0,${first},${first}`)
  t.equal(lists.heapBytes(), first)
  lists.release(1)
  t.equal(lists.heapBytes(), 0)
})

t.test('assigns subscriptions by uuid, and drops subscriptions of unknown devices', async (t) => {
  const { read, codes, lists } = startWith('a', 'b', 'c')
  const droppedItems = Array.from({ length: 1500 }, () => subscription('gone'))
  await read(bodyOf([subscription('b'), ...droppedItems, subscription('c'), subscription('b', 'Remote')]))
  t.strictSame(codes(), [[], ['NDS', 'Remote'], ['NDS']])
  const bytesBefore = lists.heapBytes()
  await read(bodyOf([subscription('b')]))
  t.ok(lists.heapBytes() > bytesBefore, 'uses more memory')
})

t.test('adds no subscription of a list that exceeds a limit', async (t) => {
  const two = (part: unknown) => bodyOf([subscription('a'), part], { bytes: 2 ** 20 })
  const maxList = bodyOf('['.padEnd(64 * 2 ** 20, ' '), { isGzip: true, bytes: 2 ** 20 })
  const cases: [name: string, body: Body, failure: Error][] = [
    ['a value that is not a list', bodyOf({}), GARBLED],
    ['a truncated list', bodyOf('[{},{}'), GARBLED],
    ['51 subscriptions of a device', bodyOf(repeat(51, subscription('a'))), TOO_LARGE],
    ['records', bodyOf(`[${'0,'.repeat(500_000)}0]`, { bytes: 2 ** 20 }), TOO_LARGE],
    ['bytes of a part', two('x'.repeat(PAGE_MAX_BYTES)), TOO_LARGE],
    ['values of a part', two(repeat(100_000, 0)), TOO_LARGE],
    ['depth of a part', bodyOf(`[{},${'['.repeat(33)}${']'.repeat(33)}]`), TOO_LARGE],
    ['a malformed list at the limit of bytes', maxList, GARBLED],
    ['bytes past the limit', bodyOf('['.padEnd(64 * 2 ** 20 + 1, ' '), { isGzip: true }), TOO_LARGE]
  ]
  for (const [name, body, failure] of cases) {
    const { read, codes, lists } = startWith('a')
    await t.rejects(read(body), failure, name)
    t.strictSame(codes(), [[]], name)
    t.equal(lists.heapBytes(), startWith('a').lists.heapBytes(), name)
  }
  const { read, codes } = startWith('a')
  await read(bodyOf(repeat(50, subscription('a'))))
  t.equal(codes()[0]?.length, 50)
})

t.test('stops reading subscriptions when the customer is released', async (t) => {
  const { lists, read } = startWith('a')
  const reading = read(bodyOf(repeat(1001, subscription('gone'))))
  lists.release(1)
  await t.rejects(reading, problems.inventoryUnavailable())
})

const EMPTY_DEVICE = {
  id: '',
  deviceUuid: '',
  deviceName: '',
  hostId: '',
  location: '',
  projectName: null,
  systemGuid: '',
  createdDate: null,
  projectId: null,
  subscriptions: []
}
const EMPTY_SUBSCRIPTION = { deviceUuid: '', subscription: { offeringCode: '', startDate: '', endDate: '' } }

t.test('reads a malformed record as a record with defaults', async (t) => {
  for (const item of [null, undefined, 1, 'text', true, [], [{ id: 'a' }], {}, { unknown: { id: 'b' } }]) {
    const name = JSON.stringify(item)
    t.strictSame(toDevice(item), EMPTY_DEVICE, name)
    t.strictSame(toProject(item), { id: '', projectName: '' }, name)
    t.strictSame(toSubscription(item), EMPTY_SUBSCRIPTION, name)
  }
})

t.test('replaces values of a wrong type and long texts with defaults', async (t) => {
  const raw = { deviceUuid: 7, deviceName: {}, hostId: [], location: null, projectName: 3, createdDate: '' }
  t.strictSame(toDevice({ id: 12, systemGuid: true, ...raw }), { ...EMPTY_DEVICE, id: '12' })
  t.strictSame(toProject({ id: 3, projectName: 4 }), { id: '3', projectName: '' })
  for (const planLimit of ['5', null, Number.NaN, Number.POSITIVE_INFINITY])
    t.notOk('planLimit' in toSubscription({ planLimit }).subscription, String(planLimit))
  const [text, longText] = ['x'.repeat(256), 'x'.repeat(257)]
  const id = 'x'.repeat(ID_MAX_CHARACTERS)
  t.strictSame(toProject({ id, projectName: longText }), { id, projectName: '' })
  const device = toDevice({ id: `${id}x`, location: text, projectName: longText })
  t.match(device, { id: '', location: text, projectName: null })
  t.strictSame(toSubscription({ deviceUuid: longText, offeringCode: 'x'.repeat(65) }), EMPTY_SUBSCRIPTION)
  t.match(toSubscription({ offeringCode: 'x'.repeat(64) }), {
    subscription: { offeringCode: 'x'.repeat(64) }
  })
})

t.test('passes only ISO times on', async (t) => {
  const long = `2025-01-01T00:00:00.${'0'.repeat(1_000)}Z`
  for (const time of ['soon', '1 January 2025', '2025-13-01', long, 20250101, null]) {
    const { subscription } = toSubscription({ startDate: time, endDate: time })
    t.strictSame(subscription, EMPTY_SUBSCRIPTION.subscription, String(time))
    t.equal(toDevice({ createdDate: time }).createdDate, null, String(time))
  }
  for (const time of ['2025-01-01', '2025-01-01T08:15:00Z', '2025-01-01T08:15:00.123456789+02:00']) {
    const { subscription } = toSubscription({ startDate: time, endDate: time })
    t.match(subscription, { startDate: time, endDate: time })
    t.equal(toDevice({ createdDate: time }).createdDate, time)
  }
})

t.test('uses the name of a device only if it has no deviceName', async (t) => {
  t.equal(toDevice({ name: 'Other' }).deviceName, 'Other')
  t.equal(toDevice({ deviceName: '', name: 'Other' }).deviceName, 'Other')
  t.equal(toDevice({ deviceName: 'Own', name: 'Other' }).deviceName, 'Own')
})

t.test('reads every field in a fixed order, and no other field', async (t) => {
  const input = {
    _links: { self: { href: '/devices/d-1' } },
    createdDate: '2024-11-04T08:15:00.000Z',
    systemGuid: 'g-1',
    projectId: 'p-9',
    projectName: 'East Wing',
    location: 'Roof',
    hostId: 'H-1',
    deviceName: 'AHU-1',
    deviceUuid: 'u-1',
    id: 'd-1'
  }
  const device = toDevice(input)
  t.strictSame(Object.keys(device), Object.keys(EMPTY_DEVICE))
  t.match(device, { id: 'd-1', projectName: 'East Wing', createdDate: '2024-11-04T08:15:00.000Z' })
  t.equal(device.projectId, null)
  const fields = { offeringCode: 'NDS', startDate: '2025-01-01', endDate: '2026-01-01', planLimit: 0 }
  const read = toSubscription({ deviceUuid: 'u-1', ...fields })
  t.strictSame(read, { deviceUuid: 'u-1', subscription: fields })
})
