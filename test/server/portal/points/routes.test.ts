// The list of the points of all devices of a customer.
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import type { PointModel } from '#shared/answers/points.ts'
import type { SitePoint, SitePoints } from '#shared/answers/site-points.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
import { type Asked, askSandbox } from '#test/support/controlled-upstream.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'
import { openGateway, openSandbox } from '../../../support/scenes/gateway.ts'

/** A message to the thread that stores the points, before it is sent. */
interface Sent {
  name: string
  params: { id?: number; readerId?: number }
}
const sent: Sent[] = []
let beforeSending = async (_message: Sent) => {}
process.on('worker', (thread: Worker) => {
  const post = thread.postMessage.bind(thread)
  thread.postMessage = async (message: Sent, transfer) => {
    await beforeSending(message)
    sent.push(message)
    post(message, transfer as never)
  }
})

let nowMs = Date.now()
const sandbox = await openSandbox(t, { clock: () => nowMs })
const CUSTOMER = NOTABLE.custom[0]
const devices = sandbox.state.devices.of(CUSTOMER)
const { upstream, portal } = await openGateway(t, { startedSandbox: sandbox, clock: () => nowMs })

const pathOf = (query: Record<string, string> = {}, customer: string = CUSTOMER) =>
  `/api/portal/v1/customers/${customer}/points/values?${new URLSearchParams(query)}`
const searches = () => upstream.asked.filter(({ target }) => target.includes('/entitymodel/'))
const list = (browser: Browser, query: Record<string, string> = {}, customer?: string) =>
  browser.json<SitePoints>(pathOf(query, customer))
/** Repeats the call until everything has been read. */
const complete = (browser: Browser, query: Record<string, string> = {}, customer?: string) =>
  eventually(async () => {
    const answer = await list(browser, query, customer)
    return answer.isReading ? null : answer
  })

/** Points that nobody asks for are freed after 30 s: each test uses a customer, or a viewer, of its own. */
t.beforeEach(() => {
  upstream.asked.length = 0
  upstream.rule = () => undefined
  sent.length = 0
  beforeSending = async () => {}
})

interface PointAnswer {
  _embedded: { pointModels: PointModel[] }
  page: { totalElements: number }
}

/** Forwards the searches of points. @param change changes the answer, or refuses the call with a status */
function answerSearches(
  change: (answer: PointAnswer, asked: Asked) => PointAnswer | number | undefined
): void {
  upstream.rule = async (asked) => {
    if (!asked.target.includes('/entitymodel/')) return undefined
    const { status, text } = await askSandbox(sandbox, asked)
    const body = status === 200 ? change(JSON.parse(text), asked) : undefined
    if (typeof body === 'number') return { status: body }
    return { status, body: body ?? JSON.parse(text) }
  }
}
const systemIn = ({ body }: Asked): string | undefined => JSON.parse(body).systemGuid
/** An API that searches single systems only. */
const ONLY_SYSTEMS = (answer: PointAnswer, asked: Asked) => (systemIn(asked) === undefined ? 400 : answer)

const withService = (customerId: string) => {
  const active = new Set(
    (sandbox.state.subscriptions.get(customerId) ?? [])
      .filter(
        ({ offeringCode, startDate, endDate }) =>
          offeringCode === 'NDS' && Date.parse(startDate) <= nowMs && Date.parse(endDate) > nowMs
      )
      .map(({ deviceUuid }) => deviceUuid)
  )
  return sandbox.state.devices.of(customerId).filter(({ deviceUuid }) => active.has(deviceUuid))
}

t.test(
  'refuses malformed queries, foreign customers, people without the right, and other formats',
  async (t) => {
    const browser = await portal.as('custom.user')
    for (const query of [
      { match: 'like' },
      { status: 'x'.repeat(101) },
      { name: 'x'.repeat(1_001) },
      { sort: 'cloudId' },
      { size: '0' },
      { q: 'x' }
    ])
      t.equal((await browser.call(pathOf(query as never))).status, 400, JSON.stringify(query))
    t.equal((await browser.call(pathOf({}, NOTABLE.northwind))).status, 403)
    t.equal((await (await portal.as('no.access')).call(pathOf())).status, 403)
    t.equal((await fetch(portal.url + pathOf())).status, 401)
    t.equal((await browser.call(pathOf(), { headers: { accept: 'text/html' } })).status, 406)
    t.equal(searches().length, 0)
  }
)

t.test('has the values, statuses, counts and medians of the raw answers', async (t) => {
  const browser = await portal.as('custom.user')
  const raw: PointModel[] = []
  answerSearches((answer) => void raw.push(...answer._embedded.pointModels))
  const { items, page, ...answer } = await complete(browser, { size: '1000', sort: 'name' })
  const served = withService(CUSTOMER)
  const guids = new Set(served.map(({ systemGuid }) => systemGuid))
  const expected = raw.filter(({ systemGuid }) => guids.has(systemGuid))
  t.ok(expected.length > 100)
  t.equal(page.totalElements, expected.length)
  t.same(answer.devices, {
    total: devices.length,
    read: served.length,
    withoutService: devices.length - served.length,
    failed: 0
  })
  t.same([answer.partial, answer.points.total], [[], raw.length])
  const byId = new Map(expected.map((model) => [`${model.systemGuid} ${model.cloudId}`, model]))
  const expectedItems = items.map(({ point }) => {
    const { links: _, ...model } = byId.get(`${point.systemGuid} ${point.cloudId}`) as PointModel
    const [, value = '', status = ''] = /^(.*) \{(.*)\}$/.exec(model.outValue ?? '') ?? []
    const isNumeric = model.tags?.dataType === 'Numeric'
    return {
      point: model,
      systemGuid: model.systemGuid,
      value: isNumeric ? Number(value) : value || null,
      units: isNumeric ? (model.tags?.units ?? '') : '',
      status: status.split(',').sort().join()
    }
  })
  t.same(
    items.map(({ point, device, number, text, units, flags }) => ({
      point,
      systemGuid: device.systemGuid,
      value: number ?? text,
      units,
      status: flags?.length === 0 ? 'ok' : flags?.toSorted().join()
    })),
    expectedItems
  )
  const ofName = (name: string) => expected.filter(({ displayName }) => displayName === name)
  t.same(
    answer.names,
    answer.names.map(({ name }) => ({ name, count: ofName(name).length }))
  )
  t.equal(answer.exceptions, expected.filter(({ outValue }) => !outValue?.endsWith(' {ok}')).length)

  const [name = ''] = answer.names.map(({ name }) => name).filter((name) => ofName(name)[0]?.tags?.units)
  const one = await list(browser, { name, sort: 'fromMedian', order: 'desc' })
  const values = ofName(name)
    .filter(({ outValue }) => !/fault|down|stale/.test(outValue ?? ''))
    .map(({ outValue }) => Number.parseFloat(outValue ?? ''))
    .sort((a, b) => a - b)
  const half = values.length / 2
  const median = ((values[Math.ceil(half - 1)] ?? 0) + (values[Math.floor(half)] ?? 0)) / 2
  t.match(one.summary.numbers, [{ count: values.length, lowest: values[0], median, highest: values.at(-1) }])
  t.equal(one.items[0]?.fromMedian, Number(((one.items[0]?.number ?? 0) - median).toPrecision(12)))
})

t.test('reads once for callers of equal visibility, and again after a minute', async (t) => {
  const [first, second] = [await portal.as('partner.admin'), await portal.as('partner.admin')]
  await complete(first, {}, NOTABLE.multi[1])
  const count = searches().length
  await complete(second, {}, NOTABLE.multi[1])
  t.equal(searches().length, count)
  nowMs += 61_000
  await complete(first, {}, NOTABLE.multi[1])
  t.equal(searches().length, 2 * count)
})

t.test('hides from a caller whom the API refuses what others may see', async (t) => {
  const isRefused = (by: string) => by.includes('niagara')
  upstream.rule = ({ by, target }) =>
    target.includes('/entitymodel/') && isRefused(by) ? { status: 403 } : undefined
  const [refused, other] = [await portal.as('niagara.remote'), await portal.as('partner.user')]
  t.equal((await refused.call(pathOf())).status, 403)
  t.ok((await complete(other)).page.totalElements > 0)
  t.equal((await refused.call(pathOf())).status, 403)
})

t.test('searches each device with Data Services if the API asks for a system', async (t) => {
  const browser = await portal.as('nds.operator')
  answerSearches(ONLY_SYSTEMS)
  const answer = await complete(browser)
  const served = withService(CUSTOMER)
  t.equal(answer.page.totalElements, served.flatMap(pointsOf).length)
  t.equal(answer.devices.read, served.length)
  const systems = searches().map(systemIn)
  t.equal(systems.length, served.length + 1, 'one refused search, then one of each device')
  t.same(new Set(systems.slice(1)), new Set(served.map(({ systemGuid }) => systemGuid)))
})

t.test('reads first what is shown: the points of a name, or the devices of the page', async (t) => {
  const browser = await portal.as('partner.user')
  const customer = NOTABLE.custom[1]
  await complete(browser, { name: 'Outdoor Air Temp' }, customer)
  const [first, ...others] = searches().map(({ body }) => JSON.parse(body))
  t.match(first, { searchItems: ['Outdoor Air Temp'], comparisonType: 'EQUALS' })
  t.ok(others.every(({ searchItems }) => searchItems.length === 0))

  answerSearches(ONLY_SYSTEMS)
  nowMs += 61_000
  const last = await complete(browser, { sort: 'device', order: 'desc', size: '1' }, customer)
  nowMs += 61_000
  upstream.asked.length = 0
  await complete(browser, {}, customer)
  t.equal(searches().map(systemIn)[0], last.items[0]?.device.systemGuid)
})

t.test('names devices that failed, and reads them again after ten seconds', async (t) => {
  const browser = await portal.as('partner.admin')
  const [failing] = withService(CUSTOMER)
  answerSearches((answer, asked) =>
    systemIn(asked) === failing?.systemGuid ? 500 : ONLY_SYSTEMS(answer, asked)
  )
  const answer = await complete(browser)
  t.equal(answer.devices.failed, 1)
  t.same(answer.partial, [
    { deviceUuid: failing?.deviceUuid, deviceName: failing?.deviceName, reason: 'failed' }
  ])
  t.ok(answer.items.length > 0)
  answerSearches(ONLY_SYSTEMS)
  t.equal((await complete(browser)).devices.failed, 1)
  nowMs += 10_001
  upstream.asked.length = 0
  t.equal((await complete(browser)).devices.failed, 0)
  t.same(searches().map(systemIn), [failing?.systemGuid])
})

t.test('answers the problem of an API that cannot be read', async (t) => {
  const browser = await portal.as('customer.multi')
  const customer = NOTABLE.multi[2]
  upstream.rule = ({ target }) => (target.includes('/entitymodel/') ? { status: 500 } : undefined)
  t.equal((await browser.call(pathOf({}, customer))).status, 502)
  const endless = { _embedded: { pointModels: [] }, page: { totalPages: 100_000, totalElements: 1e8 } }
  upstream.rule = ({ target }) =>
    target.includes('/entitymodel/') ? { status: 200, body: endless } : undefined
  nowMs += 10_001
  t.equal((await browser.call(pathOf({}, customer))).status, 502)
  t.ok(searches().length < 10)
})

t.test('CSV and lines wait for all points, and have those that match', async (t) => {
  const browser = await portal.as('custom.user')
  const customer = NOTABLE.custom[1]
  const [renamed] = withService(customer)
  const formula = '=HYPERLINK("http://evil.example")'
  answerSearches((answer) => ({
    ...answer,
    _embedded: {
      pointModels: answer._embedded.pointModels.map((point) =>
        point.systemGuid === renamed?.systemGuid ? { ...point, displayName: formula } : point
      )
    }
  }))
  const lines = await browser.call(pathOf({}, customer), { headers: { accept: 'application/x-ndjson' } })
  const [first = '', ...rest] = (await lines.text()).trim().split('\n')
  const summary = JSON.parse(first) as SitePoints
  t.match(summary, { isReading: false, partial: [] })
  const points = rest.map((line) => JSON.parse(line) as SitePoint)
  t.equal(points.length, withService(customer).flatMap(pointsOf).length)
  const [name = ''] = summary.names.map(({ name }) => name)
  const csv = await browser.call(pathOf({ name }, customer), { headers: { accept: 'text/csv' } })
  t.match(csv.headers.get('content-disposition'), /^attachment; filename=points-\d{4}-\d{2}-\d{2}\.csv$/)
  const rows = (await csv.text()).trim().split('\r\n')
  t.match(
    rows[0],
    /^\uFEFF?Device,Host ID,Project,Point,Value,Units,From median,Status,.*,Device UUID,Point ID,Path$/
  )
  const [firstPoint] = points.filter(({ point }) => point.displayName === name)
  t.ok(rows.some((row) => row.endsWith(`,${firstPoint?.point.cloudId},${firstPoint?.point.tags?.slotPath}`)))
  t.equal(rows.length - 1, points.filter(({ point }) => point.displayName === name).length)
  const ofFormula = await browser.call(pathOf({ name: formula }, customer), {
    headers: { accept: 'text/csv' }
  })
  t.ok((await ofFormula.text()).includes(`"'=HYPERLINK(`))
})

/** The readers whose rows the thread stores. */
const openReaders = () => {
  const freed = new Set(sent.filter(({ name }) => name === 'release').map(({ params }) => params.id))
  return sent.filter(({ name, params }) => name === 'openPoints' && !freed.has(params.readerId))
}

t.test('keeps no rows for a caller who has left', async (t) => {
  const browser = await portal.as('partner.user')
  const customer = NOTABLE.custom[0]
  const download = (signal?: AbortSignal) =>
    browser.call(pathOf({}, customer), { headers: { accept: 'text/csv' }, ...(signal && { signal }) })
  let hasLeft = false
  portal.app.server.on('request', ({ headers, socket }) => {
    if (headers.accept === 'text/csv') socket.once('close', () => (hasLeft = true))
  })
  const leave = (aborter: AbortController) => {
    hasLeft = false
    aborter.abort()
    return eventually(() => hasLeft)
  }

  const waiting = new AbortController()
  const { promise: gate, resolve: openGate } = Promise.withResolvers<undefined>()
  upstream.rule = ({ target }) => (target.includes('/entitymodel/') ? gate : undefined)
  const waits = t.rejects(download(waiting.signal), { name: 'AbortError' })
  await eventually(() => searches().length > 0)
  await leave(waiting)
  openGate(undefined)
  await waits
  await complete(browser, {}, customer)
  t.equal(sent.filter(({ name }) => name === 'openPoints').length, 0, 'while it waited')

  const opening = new AbortController()
  beforeSending = async ({ name }) => {
    if (name === 'openPoints') await leave(opening)
  }
  await t.rejects(download(opening.signal), { name: 'AbortError' })
  await eventually(() => sent.some(({ name }) => name === 'openPoints') && openReaders().length === 0)

  beforeSending = async () => {}
  await (await download()).text()
  await eventually(() => openReaders().length === 0)
})

t.test('reads the points again after a command to a device', async (t) => {
  const browser = await portal.as('partner.admin')
  const device = withService(CUSTOMER).find((one) => pointsOf(one).some(({ template }) => template.writable))
  const point =
    device && pointsOf(device).find(({ template }) => template.writable && template.kind === 'Numeric')
  const query = { name: point?.displayName ?? '', size: '1000' }
  const find = async () =>
    (await complete(browser, query)).items.find((item) => item.point.cloudId === point?.cloudId)
  await complete(browser)
  const command = (kind: string, points: object[]) =>
    browser.call(`/api/v1/control/devices/${device?.id}/commands/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-customer-id': CUSTOMER },
      body: JSON.stringify({ points, requestProcessingPriority: 255 })
    })
  nowMs += 1
  const value = point?.template.kind === 'Numeric' ? point.template.low : 0
  t.equal((await command('write', [{ cloudId: point?.cloudId, value }])).status, 200)
  nowMs += 5_001
  await find()
  const written = await find()
  t.ok(written?.flags?.includes('overridden'))
  t.equal(written?.number, value)
  t.equal((await complete(browser, { status: 'overridden' })).page.totalElements, 1)
})

t.test('the search of the palette finds points in memory without a call to the API', async (t) => {
  const find = (browser: Browser, q: string) =>
    browser.json<{ items: { point: PointModel }[]; totals: object }>(
      `/api/portal/v1/customers/${CUSTOMER}/points?${new URLSearchParams({ q, size: '50' })}`
    )
  const [device] = withService(CUSTOMER)
  const texts = ['temp', 'SLOT:/drivers', 'telemetryId', `${device?.hostId} temp`, 'zzz']
  const other = await portal.as('global.admin')
  const fromUpstream = await Promise.all(texts.map((q) => find(other, q)))
  const browser = await portal.as('custom.user')
  await complete(browser)
  upstream.asked.length = 0
  for (const [index, q] of texts.entries()) {
    const { items, totals } = await find(browser, q)
    t.equal(items.length, fromUpstream[index]?.items.length, q)
    if (q !== 'telemetryId') t.same(totals, fromUpstream[index]?.totals, q)
  }
  t.equal(searches().length, 0)
})

t.test('stops reading and frees the points when nobody asks for them any more', async (t) => {
  const impatient = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url },
    clock: () => nowMs,
    limits: { pointsUnusedMs: 1_000 }
  })
  const browser = await impatient.as('partner.admin')
  let aborted = 0
  upstream.rule = ({ target }) =>
    target.includes('/entitymodel/')
      ? (response) => void response.on('close', () => (aborted += 1))
      : undefined
  t.equal((await list(browser)).isReading, true)
  await eventually(() => aborted === 1)
  upstream.rule = () => undefined
  upstream.asked.length = 0
  t.ok((await complete(browser)).page.totalElements > 0)
})

t.test('keeps what was read when the API goes away, and goes on when it is back', async (t) => {
  const browser = await portal.as('niagara.remote')
  const customer = NOTABLE.custom[1]
  const served = withService(customer)
  const read = new Set<string | undefined>()
  answerSearches((answer, asked) => {
    if (systemIn(asked) === undefined) return 400
    if (read.size > 3 && !read.has(systemIn(asked))) return 503
    read.add(systemIn(asked))
    return answer
  })
  const partly = await complete(browser, { size: '1000' }, customer)
  t.ok(partly.devices.read >= 3 && partly.devices.read < served.length, `${partly.devices.read} devices`)
  t.ok(partly.items.length > 0)
  t.equal(partly.partial[0]?.reason, 'waiting')
  t.ok(searches().length < served.length, 'an outage ends the read')
  answerSearches(ONLY_SYSTEMS)
  nowMs += 10_001
  t.equal((await complete(browser, {}, customer)).devices.read, served.length)
})
