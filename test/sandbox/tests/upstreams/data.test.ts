import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE, NOTABLE_DEVICES } from '../../seed.ts'
import { callAs } from '../call-as.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-11T12:00:00Z')
let now = NOON
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
const call = await callAs(sandbox, 'partner.admin')
const deviceOf = (id: string) =>
  sandbox.state.devices.get(id) as NonNullable<ReturnType<typeof sandbox.state.devices.get>>
const device = deviceOf(NOTABLE_DEVICES.airHandler)
const { systemGuid } = device
const MODEL = `/api/v1/entitymodel/customers/${NOTABLE.northwind}`

interface PointModel {
  displayName: string
  cloudId: string
  outValue: string
  facets: { writable: boolean }
  tags: Record<string, string>
}

async function search(searchType: string, items: string[], more: object = {}, query = 'size=200&count=true') {
  const answer = await call('POST', `${MODEL}/${searchType}?${query}`, {
    systemGuid,
    searchItems: items,
    searchType,
    comparisonType: 'CONTAINS',
    ...more
  })
  return { ...answer, points: (answer.body._embedded?.pointModels ?? []) as PointModel[] }
}

t.test('a device has the points of its kind, named, placed and described', async (t) => {
  const { points, body } = await search('pointNames', [])
  t.equal(body.page.totalElements, points.length)
  t.ok(points.length >= 30)
  const supply = points.find((one) => one.displayName === 'Supply Air Temp Setpoint')
  t.match(supply, {
    systemGuid,
    outValue: /^\d+\.\d \{ok\}$/,
    facets: { writable: true, precision: 1 },
    tags: {
      slotPath: 'slot:/Drivers/BacnetNetwork/AHU/points/SupplyAirTempSetpoint',
      units: '°C',
      range: '12..26',
      dataType: 'Numeric',
      type: 'control:NumericWritable',
      medium: 'air'
    }
  })
  const command = points.find((one) => one.displayName === 'Supply Fan Command')
  t.match(command, { outValue: /^(On|Off) \{/, tags: { trueText: 'On', falseText: 'Off' } })
  const mode = points.find((one) => one.displayName === 'Operating Mode')
  t.match(mode?.tags.range, /^0=Off,1=Heating/)
  t.equal(new Set(points.map((one) => one.cloudId)).size, points.length)
  t.ok(points.filter((one) => one.tags.historyName).length > points.length / 2)
})

t.test('points are searched by name, cloud id, tag name and tag value, by any of the items', async (t) => {
  const names = async (...search_: Parameters<typeof search>) =>
    (await search(...search_)).points.map((one) => one.displayName)
  t.same(await names('pointNames', ['HUMIDITY']), ['Return Air Humidity', 'Humidity Setpoint'])
  t.same(await names('pointNames', ['humidity'], { comparisonType: 'STARTS_WITH' }), ['Humidity Setpoint'])
  t.same(await names('pointNames', ['cpu usage', 'nothing'], { comparisonType: 'EQUALS' }), ['CPU Usage'])
  t.same(await names('pointNames', ['cpu'], { comparisonType: 'EQUALS' }), [])
  const [point] = (await search('pointNames', [])).points
  t.same(await names('pointNames', [point?.cloudId ?? ''], { comparisonType: 'EQUALS' }), [
    point?.displayName
  ])
  t.ok((await names('tagNames', ['truetext'])).includes('Supply Fan Status'))
  t.same(await names('tagValues', ['outdoor'], { comparisonType: 'EQUALS' }), ['Outdoor Air Temp'])
})

t.test('points come by page and in order, and are counted when that is asked for', async (t) => {
  const all = (await search('pointNames', [])).points.map((one) => one.displayName.toLowerCase())
  const page = await search('pointNames', [], {}, 'page=1&size=5&count=true&sortBy=displayName&sortDir=asc')
  t.same(
    page.points.map((one) => one.displayName.toLowerCase()),
    [...all].sort().slice(5, 10)
  )
  t.match(page.body.page, { number: 1, size: 5, totalElements: all.length })
  const down = await search('pointNames', [], {}, 'size=1&sortBy=tags.slotPath&sortDir=desc')
  t.equal(down.points.length, 1)
  t.notOk('totalElements' in down.body.page)
  t.equal((await search('pointNames', [], {}, 'sortBy=nothing')).status, 400)
})

t.test('a search that does not fit is refused', async (t) => {
  t.equal((await search('tagColours', [])).status, 400)
  t.equal((await search('pointNames', [], { searchType: 'tagNames' })).status, 400)
  t.equal((await search('pointNames', [], { comparisonType: 'LIKE' })).status, 400)
  t.equal((await search('pointNames', [], { searchItems: 'temp' })).status, 400)
  for (const systemGuid of ['', null, 7])
    t.equal((await search('pointNames', [], { systemGuid })).status, 400, `a system named ${systemGuid}`)
  t.equal((await search('pointNames', [], { systemGuid: 'none' })).status, 404)
  const foreign = sandbox.state.devices.of(NOTABLE.multi[0])[0]
  t.equal((await search('pointNames', [], { systemGuid: foreign?.systemGuid })).status, 404)
})

t.test('each point of every kind of device has a value in its range', async (t) => {
  const kinds = new Map(sandbox.state.devices.of(NOTABLE.northwind).map((one) => [one.equipment, one]))
  t.equal(kinds.size, 20)
  for (const [kind, one] of kinds) {
    const { points } = await search('pointNames', [], { systemGuid: one.systemGuid })
    t.ok(points.length >= 30 && points.length <= 120, `${kind}: ${points.length}`)
    for (const { outValue, tags } of points) {
      const [low, high] = (tags.range ?? '').split('..').map(Number)
      const value = Number(outValue.split(' ')[0])
      if (tags.dataType === 'Numeric' && !(value >= Number(low) && value <= Number(high)))
        t.fail(`${kind} ${tags.slotPath} ${outValue}`)
    }
  }
})

async function history(pointIds: string[], from: number, to: number, more: object = {}) {
  const times = { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() }
  return call('POST', '/api/v1/egress/telemetry', { systemGuid, pointIds, ...times, ...more })
}

async function telemetryId(name: string): Promise<string> {
  return (await search('pointNames', [name], { comparisonType: 'EQUALS' })).points[0]?.tags.telemetryId ?? ''
}

interface Sample {
  timestamp: string
  value: number | boolean
}

t.test(
  'history is ascending, every quarter of an hour, the same each time, and looks like a building',
  async (t) => {
    const id = await telemetryId('Supply Fan Speed')
    const { body } = await history([id], NOON - 14 * DAY_MS, NOON)
    t.match(body, { systemGuid, pointDetails: [{ pointId: id }] })
    const records = body.pointDetails[0].historyRecords as Sample[]
    t.ok(records.length > 1000 && records.length <= 14 * 96)
    const times = records.map((one) => Date.parse(one.timestamp))
    t.ok(times.every((time, index) => time % 900_000 === 0 && time > (times[index - 1] ?? 0)))
    const mean = (wanted: (date: Date) => boolean) => {
      const some = records.filter((one) => wanted(new Date(one.timestamp))).map((one) => Number(one.value))
      return some.reduce((sum, value) => sum + value, 0) / some.length
    }
    const atNoon = (date: Date) => [11, 12, 13].includes(date.getUTCHours())
    const isWorkday = (date: Date) => ![0, 6].includes(date.getUTCDay())
    const byDay = mean((date) => atNoon(date) && isWorkday(date))
    t.ok(byDay > mean((date) => date.getUTCHours() < 4) + 20, 'more by day than by night')
    t.ok(byDay > mean((date) => atNoon(date) && !isWorkday(date)) + 5, 'more on workdays')
    t.same((await history([id], NOON - 14 * DAY_MS, NOON)).body, body)
  }
)

t.test('winters are colder than summers', async (t) => {
  const old = [...sandbox.state.devices.of(NOTABLE.northwind)].find((one) => one.createdDate < '2025-06')
  const named = { systemGuid: old?.systemGuid, comparisonType: 'EQUALS' }
  const [point] = (await search('pointNames', ['Outdoor Air Temp'], named)).points
  const mean = async (day: string) => {
    const from = Date.parse(day)
    const whole = await history([point?.tags.telemetryId ?? ''], from, from + 10 * DAY_MS, named)
    const [found] = whole.body.pointDetails
    const values = found.historyRecords.map((one: Sample) => one.value)
    return values.reduce((sum: number, value: number) => sum + value, 0) / values.length
  }
  t.ok((await mean('2026-01-10')) + 8 < (await mean('2025-07-20')))
})

t.test('booleans are recorded when they change', async (t) => {
  const id = await telemetryId('Supply Fan Command')
  const { body } = await history([id], NOON - 7 * DAY_MS, NOON)
  const records = body.pointDetails[0].historyRecords as Sample[]
  t.ok(records.length >= 10 && records.length < 40, String(records.length))
  t.ok(records.some((one) => one.value === true) && records.some((one) => one.value === false))
})

t.test('an answer over the limit says where the rest begins, and nothing is lost or doubled', async (t) => {
  const ids = [await telemetryId('Supply Air Temp'), await telemetryId('Supply Fan Status')]
  const from = NOON - 5 * DAY_MS
  const whole = (await history(ids, from, NOON)).body.pointDetails
  const parts: Sample[][] = [[], []]
  let start: string | undefined = new Date(from).toISOString()
  let calls = 0
  while (start !== undefined && calls++ < 20) {
    const { body } = await history(ids, Date.parse(start), NOON, { limit: 200 })
    const sizes = body.pointDetails.map((one: { historyRecords: Sample[] }) => one.historyRecords.length)
    t.ok(sizes[0] + sizes[1] <= 200)
    for (const index of [0, 1]) parts[index]?.push(...body.pointDetails[index].historyRecords)
    start = body.nextStartTime
  }
  t.ok(calls > 3)
  t.same(
    parts,
    whole.map((one: { historyRecords: Sample[] }) => one.historyRecords)
  )
})

t.test('there is no history from the future, from before the device, or of unknown points', async (t) => {
  const id = await telemetryId('Supply Air Temp')
  const records = async (from: number, to: number, pointId = id) =>
    (await history([pointId], from, to)).body.pointDetails[0].historyRecords
  t.same(await records(NOON + DAY_MS, NOON + 2 * DAY_MS), [])
  const created = Date.parse(device.createdDate)
  t.same(await records(created - 2 * DAY_MS, created), [])
  t.same(await records(NOON - DAY_MS, NOON, 'none'), [])
  now = NOON + DAY_MS
  t.ok((await records(NOON + 1, NOON + DAY_MS)).length > 20, 'what was the future is recorded by now')
  now = NOON
})

t.test('a history that is asked for wrongly is refused', async (t) => {
  for (const [status, change] of [
    [400, { pointIds: [] }],
    [400, { pointIds: 'all' }],
    [400, { startTime: 'yesterday' }],
    [400, { endTime: new Date(NOON - DAY_MS).toISOString() }],
    [400, { limit: 0 }],
    [404, { systemGuid: 'none' }]
  ] as const)
    t.equal((await history(['x'], NOON - DAY_MS, NOON, change)).status, status, JSON.stringify(change))
})

const usage = (deviceId: string, change: Record<string, string> = {}) => {
  const query = { deviceId, duration: 'YEARLY', metricsId: 'DATA_USAGE', offeringCode: 'NDS', ...change }
  return call('GET', `/api/v1/subscription-usage/metrics-detail?${new URLSearchParams(query)}`)
}

t.test('usage is by day or by month, within the plan, close to it or beyond it', async (t) => {
  const level = async (id: string, duration: string) => {
    const { deviceUuid } = deviceOf(id)
    const plan = sandbox.state.subscriptions
      .get(NOTABLE.northwind)
      ?.find((one) => one.deviceUuid === deviceUuid && one.offeringCode === 'NDS')?.planLimit
    const { body } = await usage(id, { duration })
    const values: number[] = Object.values(body)
    return { count: values.length, part: values.reduce((sum, one) => sum + one, 0) / Number(plan) }
  }
  const within = await level(NOTABLE_DEVICES.airHandler, 'MONTHLY')
  t.equal(within.count, 30)
  t.ok(within.part > 0 && within.part < 0.8, String(within.part))
  const near = await level(NOTABLE_DEVICES.usageWarning, 'YEARLY')
  t.equal(near.count, 12)
  t.ok(near.part >= 0.8 && near.part <= 1, String(near.part))
  const beyond = await level(NOTABLE_DEVICES.usageExceeded, 'YEARLY')
  t.ok(beyond.part > 1 && beyond.part < 1.7, String(beyond.part))
  t.same((await usage(NOTABLE_DEVICES.withoutServices)).body, {})
})

t.test('usage that is asked for wrongly is refused', async (t) => {
  const { airHandler } = NOTABLE_DEVICES
  t.equal((await usage(airHandler, { duration: 'WEEKLY' })).status, 400)
  t.equal((await usage(airHandler, { metricsId: 'CALLS' })).status, 400)
  t.equal((await usage(airHandler, { offeringCode: 'Other' })).status, 400)
  t.equal((await usage('none')).status, 404)
})

t.test('without a system the points of all devices of the customer are searched, by name', async (t) => {
  const query = 'size=1000&count=true&sortBy=displayName&sortDir=asc'
  const { points, body } = await search('pointNames', ['fan'], { systemGuid: undefined }, query)
  const names = points.map(({ displayName }) => displayName)
  t.strictSame(names, [...names].sort())
  t.ok(names.every((name) => /fan/i.test(name)))
  const own = points.filter((point) => (point as unknown as { systemGuid: string }).systemGuid === systemGuid)
  const alone = (await search('pointNames', ['fan'])).body.page.totalElements
  t.ok(own.length <= alone && body.page.totalElements > 100 * alone)
})
