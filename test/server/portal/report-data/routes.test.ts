// Refuses, ends and cancels the data of a report. The upstream of the tests has an endless history.
import t, { type Test } from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import type { Asked } from '../../../support/controlled-upstream.ts'
import { eventually, settled } from '../../../support/eventually.ts'
import { openGateway, openSandbox } from '../../../support/scenes/gateway.ts'
import { sentCookies } from '../../../support/sent-cookies.ts'
import { serviceToken } from '../../../support/service-token.ts'

const LINES = { accept: 'application/x-ndjson' }
const CSV = { accept: 'text/csv' }
const TOO_OLD_MS = 60_001
const TELEMETRY = '/egress/telemetry'
const HOUR_MS = 3_600_000

const sandbox = await openSandbox(t, { accessTokenSeconds: 36_000 })
const time = { now: Date.now() }
const { upstream, portal } = await openGateway(t, {
  startedSandbox: sandbox,
  clock: () => time.now,
  env: { OIDC_AUDIENCE: sandbox.audience }
})
const customer = NOTABLE.northwind
const device = sandbox.state.devices.of(customer)[0]
const point =
  device &&
  pointsOf(device).find(({ historyName, template }) => historyName !== null && template.kind === 'Numeric')
if (!device || !point) throw new Error('the sample has no recorded point')

function addReport(count: number, ofEach = {}, others: Record<string, unknown>[] = []): string {
  const id = sandbox.state.nextId('r')
  const selectedPoints = Array.from({ length: count }, () => ({
    device: device?.deviceUuid,
    point: point?.cloudId,
    ...ofEach
  }))
  const createdDate = new Date(time.now).toISOString()
  sandbox.state.reports.add({
    id,
    reportName: 'Supply',
    customerId: customer,
    reportDetails: {
      selectedDateFilter: 'Month-To-Date',
      selectedPoints: [...selectedPoints, ...others]
    },
    startTime: null,
    endTime: null,
    createdBy: 'Paula Andersson',
    createdDate,
    lastModifiedDate: createdDate
  })
  return id
}
const reportId = addReport(1)
const pathOf = (id = reportId, query = '', customerId: string = customer) =>
  `/api/portal/v1/customers/${customerId}/reports/${id}/data${query}`
const ENDLESS = pathOf(reportId, '?from=2021-12-01&to=2026-11-01')

t.beforeEach(() => {
  upstream.asked.length = 0
  upstream.rule = () => undefined
})
const pagesAsked = () => upstream.asked.filter(({ target }) => target.endsWith(TELEMETRY)).length

/** A page with a record every second, after which the next page begins. */
function endlessPage({ body }: Asked) {
  const { startTime, pointIds, limit } = JSON.parse(body) as {
    startTime: string
    pointIds: string[]
    limit: number
  }
  const startMs = Date.parse(startTime)
  const historyRecords = Array.from({ length: limit }, (_, at) => ({
    timestamp: new Date(startMs + at * 1000).toISOString(),
    value: at
  }))
  return {
    status: 200,
    body: {
      systemGuid: device?.systemGuid,
      pointDetails: pointIds.map((pointId) => ({ pointId, historyRecords })),
      nextStartTime: new Date(startMs + limit * 1000).toISOString()
    }
  }
}

/** Answers pages; before the page with this number, calls `before`, which may answer in its place. */
function answerPages(number: number, before: () => unknown): void {
  upstream.asked.length = 0
  upstream.rule = async (asked) => {
    if (!asked.target.endsWith(TELEMETRY)) return undefined
    if (pagesAsked() === number) {
      const answer = (await before()) as ReturnType<typeof endlessPage> | undefined
      if (answer) return answer
    }
    return endlessPage(asked)
  }
}

const lastLine = async (answer: Response) =>
  JSON.parse((await answer.text()).trimEnd().split('\n').at(-1) ?? '')

t.test('refuses a caller without the right, and other or unknown reports', async (t) => {
  const asUser = await portal.as('customer.user')
  const foreign = sandbox.state.reports.of(NOTABLE.custom[1])[0]?.id
  t.ok(foreign)
  for (const [browser, path, status] of [
    [await portal.as('no.access'), pathOf(), 403],
    [await portal.as('custom.user'), pathOf(), 403],
    [asUser, pathOf(foreign, '', NOTABLE.custom[1]), 403],
    [asUser, pathOf(foreign), 404],
    [asUser, pathOf('r-none'), 404]
  ] as const) {
    const answer = await browser.call(path)
    t.equal(answer.status, status, path)
    t.match(answer.headers.get('content-type'), 'application/problem+json')
  }
  t.equal((await fetch(portal.url + pathOf())).status, 401)
  t.equal(pagesAsked(), 0)
})

t.test('refuses a report that another customer owns, whatever the upstream answers', async (t) => {
  upstream.rule = ({ target }) =>
    target.includes('/report/') ? { status: 200, body: { reportId, customerId: 'c-other' } } : undefined
  t.equal((await (await portal.as('customer.user')).call(pathOf())).status, 404)
})

t.test('refuses unknown formats and malformed ranges', async (t) => {
  const browser = await portal.as('customer.user')
  for (const [query, detail] of [
    ['?from=2026-01-01', /Give both/],
    ['?from=2026-01-02&to=2026-01-01', /must lie after/],
    ['?from=2026-01-01&to=2026-01-01', /must lie after/],
    ['?from=2019-01-01&to=2026-01-01', /longer than five years/],
    ['?from=2026-13-01&to=2027-01-01', /"from" is no time/],
    ['?timeZone=Mars/Olympus', /timeZone/],
    ['?interval=week', /interval/],
    ['?compare=before', /"compare" needs "interval=summary"/],
    ['?interval=summary&compare=never', /compare/],
    ['?surprise=1', /surprise/]
  ] as const) {
    const answer = await browser.call(pathOf(reportId, query))
    t.equal(answer.status, 400, query)
    t.match(await answer.json(), { detail })
  }
  const answer = await browser.call(pathOf(), { headers: { accept: 'text/html' } })
  t.equal(answer.status, 406)
  t.match(await answer.json(), { type: 'urn:portal:problem:not_acceptable', detail: /text\/csv/ })
  t.equal(upstream.asked.filter(({ target }) => target.includes('/report/')).length, 0)
})

t.test('refuses a report with too many points', async (t) => {
  const browser = await portal.as('customer.user')
  t.equal((await browser.call(pathOf(addReport(100)))).status, 200)
  const answer = await browser.call(pathOf(addReport(101)))
  t.match(
    [answer.status, await answer.json()],
    [422, { type: 'urn:portal:problem:too_many_points', detail: /101 points/ }]
  )
})

t.test('refuses too many hours, and names what fits', async (t) => {
  const browser = await portal.as('customer.user')
  const id = addReport(100)
  const hours = (count: number) => {
    const to = new Date(Date.parse('2021-12-01T00:00Z') + count * HOUR_MS).toISOString()
    return pathOf(id, `?from=2021-12-01&to=${to}&interval=hour`)
  }
  const answer = await browser.call(hours(20_001), { headers: LINES })
  t.equal(answer.status, 422)
  t.match(answer.headers.get('content-type'), 'application/problem+json')
  t.match(await answer.json(), {
    type: 'urn:portal:problem:too_many_records',
    detail:
      '20001 hours of 100 points are 2000100 records. At most 2000000 can be read at once: use "interval=day", or a range of at most 20000 hours.'
  })
  t.equal(pagesAsked(), 0)
  const aborter = new AbortController()
  const atLimit = await browser.call(hours(20_000), { headers: LINES, signal: aborter.signal })
  t.equal(atLimit.status, 200)
  aborter.abort()
})

t.test('sums up an endless history page by page, and ends with the right', async (t) => {
  const browser = await signIn(portal.url, sandbox, 'customer.user')
  // Most of the pages are those of the day before, which tell whether the numbers hold.
  answerPages(25, async () => {
    await browser.call('/auth/logout', { method: 'POST' })
    time.now += 1_000
  })
  const answer = await browser.call(`${ENDLESS}&interval=summary`, { headers: LINES })
  t.equal(answer.status, 200)
  t.match(await lastLine(answer), { status: 401, type: 'urn:portal:problem:not_signed_in' })
  t.ok(pagesAsked() <= 26, `${pagesAsked()} pages`)
})

/** Answers one record of each point, on the first day of the range. */
function answerFirstRecord(): void {
  const timestamp = '2022-01-01T06:00:00.000Z'
  upstream.rule = ({ target, body }) => {
    if (!target.endsWith(TELEMETRY)) return undefined
    const { startTime, endTime, pointIds } = JSON.parse(body)
    const historyRecords = startTime <= timestamp && timestamp < endTime ? [{ timestamp, value: 21.5 }] : []
    const pointDetails = (pointIds as string[]).map((pointId) => ({ pointId, historyRecords }))
    return { status: 200, body: { systemGuid: device?.systemGuid, pointDetails } }
  }
}

t.test('a value that holds is in each hour, in every format', async (t) => {
  const browser = await portal.as('customer.user')
  answerFirstRecord()
  const points = 100
  const path = pathOf(addReport(points), '?from=2022-01-01&to=2022-03-02&interval=hour')
  const hours = 60 * 24 - 6
  const read = async (accept: string) => (await browser.call(path, { headers: { accept } })).text()
  const rows = (await read('text/csv')).trimEnd().split('\r\n')
  t.equal(rows.length, 1 + hours)
  t.match(rows.at(-1), /^2022-03-01T23:00:00.000Z(,21.5){100}$/)
  const { records } = JSON.parse(await read('application/json'))
  t.equal(records.length, hours * points)
  t.match(records[0], { time: '2022-01-01T06:00:00.000Z', value: 21.5 })
  const lines = (await read('application/x-ndjson')).trimEnd().split('\n')
  t.equal(lines.length, points + hours * points)
  t.match(JSON.parse(lines.at(-1) ?? ''), { time: '2022-03-01T23:00:00.000Z', value: 21.5 })
})

t.test('computes hours no further than they are read, and ends them with the session', async (t) => {
  const browser = await signIn(portal.url, sandbox, 'customer.user')
  answerFirstRecord()
  const path = pathOf(addReport(100), '?from=2022-01-01&to=2024-04-01&interval=hour')
  const answer = await browser.call(path, { headers: LINES })
  t.equal(answer.status, 200)
  await settled(pagesAsked)
  await browser.call('/auth/logout', { method: 'POST' })
  time.now += 1_000
  const lines = (await answer.text()).trimEnd().split('\n')
  t.match(JSON.parse(lines.at(-1) ?? ''), { status: 401, type: 'urn:portal:problem:not_signed_in' })
  // The sockets of both sides hold a few megabytes, 150 bytes a record.
  t.ok(lines.length < 200_000, `${lines.length} lines`)
})

t.test('refuses an upstream that answers more records than asked for, or endless texts', async (t) => {
  const browser = await portal.as('customer.user')
  for (const [records, value, status] of [
    [5_001, 1, 200],
    [5_002, 1, 502],
    [1, 'x'.repeat(500), 200],
    [1, 'x'.repeat(501), 502]
  ] as const) {
    upstream.rule = (asked) => {
      if (!asked.target.endsWith(TELEMETRY)) return undefined
      const { startTime, pointIds } = JSON.parse(asked.body)
      const historyRecords = Array.from({ length: records }, () => ({ timestamp: startTime, value }))
      return { status: 200, body: { pointDetails: [{ pointId: pointIds[0], historyRecords }] } }
    }
    const answer = await browser.call(ENDLESS, { headers: LINES })
    t.equal(answer.status, status, `${records} records of ${String(value).length} characters`)
    await answer.text()
  }
})

t.test('of a device without a system, a report lacks the points only', async (t) => {
  const other = sandbox.state.devices.of(customer)[1]
  if (!other) return t.fail('the sample has one device only')
  const { systemGuid, deviceUuid, deviceName } = other
  t.teardown(() => Object.assign(other, { systemGuid }))
  other.systemGuid = ''
  time.now += 30_001
  const browser = await portal.as('customer.user')
  upstream.rule = ({ target }) =>
    target.endsWith(TELEMETRY) ? { status: 200, body: { pointDetails: [] } } : undefined
  const id = addReport(1, {}, [{ device: deviceUuid, point: 'any' }])
  const answer = await browser.call(pathOf(id), { headers: LINES })
  t.equal(answer.status, 200)
  const [own, others] = (await answer.text()).trimEnd().split('\n')
  t.match(JSON.parse(own ?? ''), { pointName: point.displayName, partial: [] })
  t.match(JSON.parse(others ?? ''), { deviceName, partial: ['point'] })
})

t.test('shortens or leaves out endless texts of a point and of a saved report', async (t) => {
  const browser = await portal.as('customer.user')
  const endless = 'x'.repeat(100_000)
  const tags = { dataType: 'Boolean', trueText: endless, falseText: 'Off' }
  upstream.rule = ({ target }) => {
    if (target.endsWith(TELEMETRY)) return { status: 200, body: { pointDetails: [] } }
    const models = [{ displayName: endless, cloudId: point.cloudId, tags, facets: { units: endless } }]
    return target.includes('/pointNames')
      ? { status: 200, body: { _embedded: { pointModels: models } } }
      : undefined
  }
  const firstLine = async (id: string) =>
    JSON.parse((await (await browser.call(pathOf(id), { headers: LINES })).text()).split('\n')[0] ?? '')
  const { pointName, units, states } = await firstLine(reportId)
  t.equal(pointName, point.cloudId)
  t.equal(units.length, 2_000)
  t.strictSame(
    states.map(({ text }: { text: string }) => text.length),
    [3, 2_000]
  )
  const saved = await firstLine(addReport(1, { device: 'd-none', deviceName: endless, pointName: endless }))
  t.match([saved.deviceName.length, saved.pointName.length, saved.partial], [1_000, 1_000, ['device']])
})

t.test('the reports of one person have a quarter of the connections to an API', async (t) => {
  const crowded = await startPortal(t, {
    startedSandbox: sandbox,
    clock: () => time.now,
    env: { UPSTREAM_URL: upstream.url, UPSTREAM_CONNECTIONS: '8' }
  })
  const open: (() => void)[] = []
  upstream.rule = async ({ target }) => {
    if (!target.endsWith(TELEMETRY)) return undefined
    await new Promise<void>((resolve) => open.push(resolve))
    return { status: 200, body: { pointDetails: [] } }
  }
  const [person, other] = [await crowded.as('customer.user'), await crowded.as('customer.admin')]
  const reports = Array.from({ length: 5 }, () => person.call(pathOf(), { headers: LINES }))
  await eventually(() => open.length === 2)
  await settled(pagesAsked)
  t.equal(open.length, 2)
  const otherReport = other.call(pathOf(), { headers: LINES })
  await eventually(() => open.length === 3)
  upstream.rule = () => ({ status: 200, body: { pointDetails: [] } })
  for (const answer of open) answer()
  for (const answer of await Promise.all([...reports, otherReport])) t.equal(answer.status, 200)
})

t.test('answers a failure before the first byte as a problem', async (t) => {
  const browser = await portal.as('customer.user')
  for (const part of ['/report/', '/entitymodel/', TELEMETRY])
    for (const [status, expected] of [
      [503, 503],
      [429, 503],
      [500, 502],
      [403, 403]
    ] as const) {
      upstream.rule = ({ target }) => (target.includes(part) ? { status } : undefined)
      const answer = await browser.call(pathOf(), { headers: CSV })
      t.equal(answer.status, expected, `${part} ${status}`)
      t.match(await answer.json(), { status: expected })
      t.notOk(answer.headers.has('content-disposition'))
    }
  answerPages(1, () => ({ status: 200, body: { pointDetails: [], nextStartTime: '2020-01-01T00:00:00Z' } }))
  t.equal((await browser.call(ENDLESS)).status, 502, 'a page that does not advance')
})

t.test('a failure after the first byte is the last line, and cuts off CSV and JSON', async (t) => {
  const browser = await portal.as('customer.user')
  for (const [status, expected] of [
    [503, 503],
    [429, 503],
    [403, 403]
  ] as const) {
    answerPages(3, () => ({ status, body: {} }))
    const answer = await browser.call(ENDLESS, { headers: LINES })
    t.equal(answer.status, 200)
    t.match(await lastLine(answer), { status: expected, type: /urn:portal:problem:/, requestId: /./ })
    for (const accept of ['text/csv', 'application/json']) {
      upstream.asked.length = 0
      const cutOff = await browser.call(ENDLESS, { headers: { accept } })
      t.equal(cutOff.status, 200)
      await t.rejects(cutOff.text())
    }
  }
})

function assign(t: Test, roles: { id: string; roleNumber: number; roleName: string; scope: string }[]): void {
  const user = sandbox.state.users.get('u-customer-user')
  if (!user) throw new Error('the sample has no such user')
  const { roleAssignments } = user
  t.teardown(() => Object.assign(user, { roleAssignments }))
  Object.assign(user, { roleAssignments: roles })
}

const ENDINGS: [name: string, before: (t: Test, browser: Browser) => unknown, problem: object][] = [
  [
    'a sign-out',
    async (_t, browser) => {
      await browser.call('/auth/logout', { method: 'POST' })
      time.now += 1_000
    },
    { status: 401, type: 'urn:portal:problem:not_signed_in' }
  ],
  [
    'a loss of the role',
    (t) => {
      assign(t, [])
      time.now += TOO_OLD_MS
    },
    { status: 403 }
  ],
  [
    'a device that the customer no longer has',
    (t) => {
      sandbox.state.devices.remove(device.id)
      t.teardown(() => {
        sandbox.state.devices.add(device)
        // The gateway's list of devices is then fetched again.
        time.now += TOO_OLD_MS
      })
      time.now += TOO_OLD_MS
    },
    { status: 404 }
  ]
]
for (const [name, before, problem] of ENDINGS)
  t.test(`ends with ${name}`, async (t) => {
    const browser = await signIn(portal.url, sandbox, 'customer.user')
    answerPages(3, () => before(t, browser))
    const answer = await browser.call(ENDLESS, { headers: LINES })
    t.equal(answer.status, 200)
    t.match(await lastLine(answer), problem)
    t.equal(pagesAsked(), 3)
  })

t.test('asks for no further pages while the reader does not read', async (t) => {
  answerPages(0, () => undefined)
  const aborter = new AbortController()
  const browser = await portal.as('customer.user')
  const answer = await browser.call(ENDLESS, { headers: LINES, signal: aborter.signal })
  await settled(pagesAsked)
  const pages = pagesAsked()
  // The sockets of both sides hold a few megabytes; a page has about 600 kB.
  t.ok(pages < 40, `${pages} pages`)
  const reader = answer.body?.getReader()
  while (pagesAsked() <= pages) {
    const { done } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error('the endless answer has ended')
  }
  aborter.abort()
})

t.test('cancels the call in progress when the reader leaves', async (t) => {
  let isCancelled = false
  upstream.rule = async (asked) => {
    if (!asked.target.endsWith(TELEMETRY)) return undefined
    if (pagesAsked() < 3) return endlessPage(asked)
    asked.request.socket.once('close', () => {
      isCancelled = true
    })
    return new Promise(() => {})
  }
  const aborter = new AbortController()
  const browser = await portal.as('customer.user')
  const answer = await browser.call(ENDLESS, { headers: LINES, signal: aborter.signal })
  t.equal(answer.status, 200)
  await eventually(() => pagesAsked() === 3)
  aborter.abort()
  await eventually(() => isCancelled)
  await settled(pagesAsked)
  t.equal(pagesAsked(), 3)
})

t.test('a person may open the address, but no other page may lead there', async (t) => {
  const { jar } = await portal.as('customer.user')
  const cookie = (await sentCookies(jar)).join('; ')
  const open = (path: string, site: string) =>
    fetch(portal.url + path, {
      headers: { cookie, 'sec-fetch-site': site, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    })
  for (const site of ['cross-site', 'same-site']) t.equal((await open(pathOf(), site)).status, 403, site)
  const tree = `/api/portal/v1/customers/${customer}/tree`
  t.equal((await open(tree, 'none')).status, 403, 'another call')
  const answer = await open(pathOf(), 'none')
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  t.match(answer.headers.get('content-disposition'), /^attachment; filename="?supply-/)
})

t.test('answers a service with a token', async (t) => {
  const token = await serviceToken(sandbox, 'ncp:read')
  const answer = await fetch(portal.url + pathOf(), {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' }
  })
  t.match(await answer.json(), { reportId, interval: 'raw', points: [{ cloudId: point.cloudId }] })
})
