// The search for points of all devices of a customer.
import t from 'tap'
import type { Problem } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
import { startPortal } from '#test/support/portal.ts'
import { eventually, settled } from '../../../support/eventually.ts'
import { openGateway, openSandbox } from '../../../support/scenes/gateway.ts'

const sandbox = await openSandbox(t)

interface PointSearch {
  items: {
    foundBy: string
    point: { displayName: string; cloudId: string; systemGuid: string; tags: Record<string, string> }
    device: { deviceUuid: string; systemGuid: string }
  }[]
  totals: Record<string, number | null>
  partial: string[]
}

const CUSTOMER = NOTABLE.custom[0]
const devices = sandbox.state.devices.of(CUSTOMER)
const allPoints = devices.flatMap(pointsOf)
const pathOf = (q: string, size = 50, customer: string = CUSTOMER) =>
  `/api/portal/v1/customers/${customer}/points?${new URLSearchParams({ q, size: String(size) })}`

const { upstream, portal } = await openGateway(t, { startedSandbox: sandbox })
const browser = await portal.as('custom.user')
const searches = () => upstream.asked.filter(({ target }) => target.includes('/entitymodel/')).length
t.beforeEach(() => {
  upstream.asked.length = 0
  upstream.rule = () => undefined
})

t.test('refuses a malformed query or a foreign customer, and searches nothing for blank text', async (t) => {
  for (const [q, size] of [
    ['', 10],
    ['x'.repeat(201), 10],
    ['temp', 0],
    ['temp', 51]
  ] as const) {
    const answer = await browser.call(pathOf(q, size))
    t.equal(answer.status, 400, `${q.slice(0, 10)} ${size}`)
    t.match((await answer.json()) as Problem, { detail: /The parameter "(?:q|size)"/ })
  }
  t.equal((await browser.call(pathOf('temp', 10, NOTABLE.northwind))).status, 403)
  const totals = { pointNames: 0, tagValues: 0, tagNames: 0 }
  t.strictSame(await browser.json(pathOf('  ')), { items: [], totals, partial: [] })
  t.equal(searches(), 0)
})

t.test('omits points of foreign systems, and returns each allowed point once', async (t) => {
  const foreignGuid = sandbox.state.devices.of(NOTABLE.northwind)[0]?.systemGuid
  const ownGuid = devices[0]?.systemGuid
  const points = [foreignGuid, ownGuid, 'none'].map((systemGuid) => ({
    systemGuid,
    cloudId: 'c',
    displayName: 'Temp'
  }))
  upstream.rule = ({ target }) =>
    target.includes('/entitymodel/')
      ? { status: 200, body: { _embedded: { pointModels: points }, page: { totalElements: 3 } } }
      : undefined
  const { items } = await browser.json<PointSearch>(pathOf('temp'))
  t.equal(items.map(({ device }) => device.systemGuid).join(), ownGuid)
})

t.test('finds no points of a device without a system', async (t) => {
  const { upstream, signInAs } = await openGateway(t, { startedSandbox: sandbox })
  const [device] = devices
  if (!device) return t.fail('the sample has no devices')
  const { systemGuid } = device
  t.teardown(() => Object.assign(device, { systemGuid }))
  device.systemGuid = ''
  const points = [{ cloudId: 'c', displayName: 'Temp' }]
  upstream.rule = ({ target }) =>
    target.includes('/entitymodel/')
      ? { status: 200, body: { _embedded: { pointModels: points }, page: { totalElements: 1 } } }
      : undefined
  const person = await signInAs('custom.user')
  t.strictSame((await person.json<PointSearch>(pathOf(`${device.hostId} temp`))).items, [])
  const searches = upstream.asked.filter(({ target }) => target.includes('/entitymodel/'))
  t.equal(searches.length, 3, 'searches all devices only')
})

t.test('reports a failed search with the results of other searches, and fails if all fail', async (t) => {
  const failingKinds = new Set(['tagValues'])
  upstream.rule = ({ target }) =>
    [...failingKinds].some((kind) => target.includes(`/${kind}?`)) ? { status: 500 } : undefined
  const result = await browser.json<PointSearch>(pathOf('temp'))
  t.match(result, { partial: ['tagValues'], totals: { tagValues: null } })
  t.ok(result.items.length > 0)
  for (const kind of ['pointNames', 'tagNames']) failingKinds.add(kind)
  t.equal((await browser.call(pathOf('temp'))).status, 502)
})

t.test('finds points by name, tag and path, with their device, in three calls', async (t) => {
  const [sample] = allPoints
  if (!sample) return t.fail('the sample has no points')
  const result = await browser.json<PointSearch>(pathOf(sample.displayName.toUpperCase()))
  t.equal(searches(), 3)
  const text = sample.displayName.toLowerCase()
  const expected = allPoints.filter(({ displayName }) => displayName.toLowerCase().includes(text))
  t.equal(result.totals.pointNames, expected.length)
  t.equal(result.items.length, Math.min(50, expected.length))
  for (const { point, device } of result.items) {
    t.ok(point.displayName.toLowerCase().includes(text))
    t.equal(device.systemGuid, point.systemGuid)
  }
  const path = sample.slotPath.slice(12)
  const { items } = await browser.json<PointSearch>(pathOf(path, 5))
  t.ok(items.length > 0 && items.every(({ point }) => point.tags.slotPath?.includes(path)), 'by path')
  t.match(await browser.json(pathOf('telemetryId', 1)), { items: [{ foundBy: 'tagNames' }] })
})

t.test('finds the points of a device first if the text begins with the device’s name', async (t) => {
  const [device] = devices
  if (!device) return t.fail('the sample has no devices')
  const [point] = pointsOf(device)
  const { items } = await browser.json<PointSearch>(pathOf(`${device.hostId} ${point?.displayName}`))
  t.match(items[0], { point: { displayName: point?.displayName }, device: { deviceUuid: device.deviceUuid } })
  t.equal(searches(), 6)
  const result = await browser.json<PointSearch>(pathOf(`${device.deviceName} ${point?.displayName}`))
  t.ok(result.items.length > 0 && searches() - 6 <= 12, 'searches few devices with a common name')
})

t.test('one person’s searches get at most a quarter of an API’s connections', async (t) => {
  const crowded = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url, UPSTREAM_CONNECTIONS: '8' }
  })
  const [person, other] = [await crowded.as('customer.user'), await crowded.as('customer.admin')]
  const gate = Promise.withResolvers<void>()
  upstream.rule = async ({ target }) => {
    if (target.includes('/entitymodel/')) await gate.promise
    return undefined
  }
  const calls = Array.from({ length: 32 }, () => person.call(pathOf('temp', 10, NOTABLE.northwind)))
  await eventually(() => searches() === 2)
  await settled(searches)
  t.equal(searches(), 2)
  const otherSearch = other.call(pathOf('temp', 10, NOTABLE.northwind))
  await eventually(() => searches() === 4)
  gate.resolve()
  t.equal((await otherSearch).status, 200)
  const answers = await Promise.all(calls)
  const refused = answers.filter(({ status }) => status !== 200)
  t.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} refused`)
  for (const answer of refused)
    t.match(await answer.json(), { status: 503, type: 'urn:portal:problem:upstream_busy' })
})
