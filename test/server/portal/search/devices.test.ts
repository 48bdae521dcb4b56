// The search for a device over all customers: who finds what, what it costs, and what is told when something is missing.
import t, { type Test } from 'tap'
import { READ_AT_ONCE } from '#server/portal/search/devices.ts'
import type { DevicePage, DeviceSearch, Problem } from '#shared/entities.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const { state } = sandbox

const pathOf = (q: string, { organization = NOTABLE.partner as string, size = 50 } = {}) =>
  `/api/portal/v1/organizations/${organization}/search?${new URLSearchParams({ q, size: String(size) })}`
const LINES = { headers: { accept: 'application/x-ndjson' } }
const uuids = ({ items }: DeviceSearch) => items.map(({ device }) => device.deviceUuid)
const someDeviceOf = (customerId: string) => {
  const [device] = state.devices.of(customerId)
  if (!device) throw new Error('the sample has no such device')
  return device
}

/** A gateway that knows nothing yet, with a clock to move, and a door between it and the APIs. */
async function scene(t: Test) {
  const upstream = await startControlledUpstream(t, sandbox)
  const time = { now: Date.now() }
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    clock: () => time.now,
    env: { UPSTREAM_URL: upstream.url }
  })
  const person = (username: string) => signIn(portal.url, sandbox, username)
  /** The customers that were read, each as often as it was. */
  const read = () =>
    upstream.asked.flatMap(({ target }) => /organizations\/([^/]+)\/devices\?page=0/.exec(target)?.[1] ?? [])
  return { upstream, time, person, read }
}

async function linesOf(answer: Response): Promise<DeviceSearch[]> {
  const text = await answer.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

t.test('what is asked wrongly is told which parameter it is, and nothing is read', async (t) => {
  const { person, read } = await scene(t)
  const browser = await person('partner.admin')
  const base = `/api/portal/v1/organizations/${NOTABLE.partner}/search`
  const cases: [query: string, parameter: string][] = [
    ['', 'q'],
    ['q=', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['q=a&q=b', 'q'],
    ['q=a&size=0', 'size'],
    ['q=a&size=51', 'size'],
    ['q=a&page=1', 'page']
  ]
  for (const [query, parameter] of cases) {
    const answer = await browser.call(`${base}?${query}`)
    t.equal(answer.status, 400, query.slice(0, 40))
    t.match((await answer.json()) as Problem, { detail: parameter })
  }
  t.strictSame(read(), [])
  t.equal((await browser.call(`${base}?q=${'x'.repeat(200)}&size=50`)).status, 200, 'at the limits')
})

t.test('nobody finds, nor has read, a device of a customer that is not theirs', async (t) => {
  const { person, read } = await scene(t)
  const foreign = someDeviceOf(NOTABLE.otherPartnersCustomer)
  const own = someDeviceOf(NOTABLE.custom[1])
  const unheld = someDeviceOf(NOTABLE.northwind)
  const browser = await person('custom.user')
  for (const { hostId, deviceUuid } of [foreign, unheld])
    for (const q of [hostId, deviceUuid])
      t.match(await browser.json(pathOf(q)), { items: [], total: 0, customers: { read: 2, of: 2 } }, q)
  t.strictSame(uuids(await browser.json(pathOf(own.hostId))), [own.deviceUuid])
  t.strictSame(read().sort(), [...NOTABLE.custom])
  t.strictSame(uuids(await (await person('partner.user')).json(pathOf(foreign.hostId))), [])
})

t.test('a customer that stands elsewhere by now is not searched', async (t) => {
  const { upstream, person } = await scene(t)
  const gone = someDeviceOf(NOTABLE.northwind)
  upstream.rule = ({ target }) =>
    target.endsWith(`/organizations/${NOTABLE.northwind}`)
      ? { status: 200, body: { id: NOTABLE.northwind, orgName: 'Northwind', partnerId: '200' } }
      : undefined
  const browser = await person('partner.admin')
  t.match(await browser.json(pathOf(gone.hostId)), { items: [], total: 0, partial: [] })
})

t.test(
  'a blank keyword, and one with a character that cannot be searched, finds and reads nothing',
  async (t) => {
    const { person, read } = await scene(t)
    const browser = await person('customer.multi')
    const organization = NOTABLE.multi[0]
    for (const q of [' ', '\t', ...`*<>"'%()&+/^|?[]\\`, 'AHU*'])
      t.match(await browser.json(pathOf(q, { organization })), { items: [], total: 0, partial: [] }, q)
    t.strictSame(read(), [])
  }
)

t.test('customers that cannot be read are named, and the others searched all the same', async (t) => {
  const { upstream, person } = await scene(t)
  const failing = NOTABLE.custom[0]
  upstream.rule = ({ target }) =>
    target.includes(`/organizations/${failing}/devices`) ? { status: 500 } : undefined
  const browser = await person('custom.user')
  const { hostId, deviceUuid } = someDeviceOf(NOTABLE.custom[1])
  const expected = { customers: { read: 1, of: 2 }, partial: [{ id: failing }] }
  t.match(await browser.json<DeviceSearch>(pathOf(hostId)), {
    items: [{ device: { deviceUuid } }],
    ...expected
  })
  const lines = await linesOf(await browser.call(pathOf(hostId), LINES))
  t.strictSame(
    lines.flatMap(({ partial }) => partial.map(({ id }) => id)),
    [failing],
    'in a stream once'
  )
  upstream.rule = () => undefined
  t.match(await browser.json(pathOf(hostId)), { customers: { read: 2, of: 2 }, partial: [] }, 'tried anew')
})

t.test('where not even the customers can be listed, that is the answer', async (t) => {
  const { upstream, person } = await scene(t)
  const browser = await person('partner.admin')
  upstream.rule = ({ target }) =>
    target.includes(`/organizations/${NOTABLE.partner}/customers`) ? { status: 503 } : undefined
  const answer = await browser.call(pathOf('ahu'), LINES)
  t.equal(answer.status, 503)
  t.match(answer.headers.get('content-type'), 'application/problem+json')
})

/** Of the customers that are being read, how many there are at a time. */
function watchReading(upstream: Awaited<ReturnType<typeof startControlledUpstream>>) {
  const under = new Map<string, number>()
  const seen = { most: 0 }
  upstream.rule = async ({ target }) => {
    const [, id, part] = /organizations\/([^/]+)\/(devices|projects)\?page=0/.exec(target) ?? []
    if (!id || !part) return undefined
    under.set(id, (under.get(id) ?? 0) + 1)
    seen.most = Math.max(seen.most, under.size)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const left = (under.get(id) ?? 1) - 1
    if (left === 0) under.delete(id)
    else under.set(id, left)
    return undefined
  }
  return seen
}

t.test('few customers are read at once, each once, however many searches one person makes', async (t) => {
  const { upstream, person, read } = await scene(t)
  const seen = watchReading(upstream)
  const browser = await person('partner.admin')
  const found = await Promise.all(['ahu', 'chiller', 'ahu'].map((q) => browser.json<DeviceSearch>(pathOf(q))))
  for (const one of found) t.match(one, { customers: { read: 45, of: 45 }, partial: [] })
  t.ok(seen.most > 1 && seen.most <= READ_AT_ONCE, `${seen.most} at once`)
  t.strictSame(
    read().sort(),
    customersOf(state, NOTABLE.partner)
      .map(({ id }) => id)
      .sort()
  )
})

t.test('once all customers are at hand, nothing is asked of an upstream', async (t) => {
  const { upstream, person } = await scene(t)
  const browser = await person('partner.admin')
  await browser.json(pathOf('ahu'))
  upstream.asked.length = 0
  for (const q of ['c', 'ch', 'chi', 'chill']) {
    const { total, customers } = await browser.json<DeviceSearch>(pathOf(q))
    t.ok(total > 0 && customers.read === 45, q)
  }
  t.strictSame(upstream.asked, [])
})

t.test('customers kept for long are read again a few at a time, and none twice for one search', async (t) => {
  const { time, person, read } = await scene(t)
  const browser = await person('partner.admin')
  await browser.json(pathOf('ahu'))
  const before = read().length
  time.now += 5 * 60_000
  await browser.json(pathOf('ahu'))
  t.equal(read().length, before, 'not yet')
  time.now += 1
  await browser.json(pathOf('ahu'))
  await eventually(() => read().length === before + READ_AT_ONCE)
  time.now += 15 * 60_000 + 1
  t.match(await browser.json(pathOf('ahu')), { customers: { read: 45, of: 45 } })
  t.ok(read().length >= before + 45, 'all, when they are too old to be served')
})

t.test('customers at hand are told first, the others as they come', async (t) => {
  const { upstream, person } = await scene(t)
  const browser = await person('custom.user')
  const [slow, quick] = NOTABLE.custom
  await browser.json(`/api/portal/v1/customers/${quick}/devices`)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  upstream.rule = async ({ target }) => {
    if (target.includes(`/organizations/${slow}/devices`)) await held
    return undefined
  }
  const answer = await browser.call(pathOf('a'), LINES)
  t.match(answer.headers.get('content-type'), 'application/x-ndjson')
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const first = JSON.parse(Buffer.from((await reader.read()).value ?? []).toString()) as DeviceSearch
  t.match(first.customers, { read: 1, of: 2 })
  t.ok(first.items.length > 0 && first.items.every(({ customer }) => customer.id === quick))
  release()
  let rest = ''
  for (let step = await reader.read(); !step.done; step = await reader.read())
    rest += Buffer.from(step.value).toString()
  t.match(JSON.parse(rest.trim().split('\n').at(-1) ?? ''), { customers: { read: 2, of: 2 } })
})

t.test('when the caller goes, no further customer is read', async (t) => {
  const { upstream, person, read } = await scene(t)
  const browser = await person('partner.admin')
  const gone = new AbortController()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  upstream.rule = async ({ target }) => {
    if (/\/devices\?page=0/.test(target)) await held
    return undefined
  }
  const answer = browser.call(pathOf('ahu'), { ...LINES, signal: gone.signal }).then((one) => one.text())
  await eventually(() => read().length === READ_AT_ONCE)
  gone.abort()
  await t.rejects(answer)
  upstream.rule = () => undefined
  release()
  t.match(await (await person('custom.user')).json(pathOf('ahu')), { customers: { of: 2 } })
  t.equal(read().length, READ_AT_ONCE + 2, 'but for those that somebody else asked for')
})

/** What the list of each customer finds by name or host id, and a device of that uuid. */
async function byLists(browser: Browser, customers: readonly string[], q: string): Promise<string[]> {
  const form = (text: string) => text.replaceAll(' ', '').toLowerCase()
  const found: string[] = []
  for (const id of customers) {
    const query = new URLSearchParams({ q, size: '1000' })
    const path = `/api/portal/v1/customers/${id}/devices?${query}`
    for (let page = 0; ; page += 1) {
      const list = await browser.json<DevicePage>(`${path}&page=${page}`)
      const named = list.items.filter((one) => form(`${one.deviceName}*${one.hostId}`).includes(form(q)))
      found.push(...named.map(({ deviceUuid }) => deviceUuid))
      if (page + 1 >= list.page.totalPages) break
    }
    if (q.length === 36 && (await browser.call(`/api/portal/v1/customers/${id}/devices/${q}`)).status === 200)
      found.push(q)
  }
  return found.sort()
}

t.test('a search finds what the lists of all customers find, for everybody', async (t) => {
  const { person } = await scene(t)
  const device = someDeviceOf(NOTABLE.custom[0])
  const words = [
    'chiller 1',
    'BOILER',
    'jace-a',
    device.hostId,
    device.hostId.slice(4, 12),
    device.deviceUuid,
    'zzz'
  ]
  const people: [username: string, organization: string, customers: readonly string[]][] = [
    ['partner.user', NOTABLE.partner, customersOf(state, NOTABLE.partner).map(({ id }) => id)],
    ['custom.user', NOTABLE.partner, NOTABLE.custom],
    ['customer.multi', NOTABLE.multi[0], NOTABLE.multi],
    ['global.admin', '200', customersOf(state, '200').map(({ id }) => id)],
    ['global.admin', '300', customersOf(state, '300').map(({ id }) => id)]
  ]
  for (const [username, organization, customers] of people) {
    const browser = await person(username)
    for (const q of words) {
      const expected = await byLists(browser, customers, q)
      const whole = await browser.json<DeviceSearch>(pathOf(q, { organization }))
      const name = `${username}: ${q}`
      t.match(whole, { total: expected.length, customers: { read: customers.length }, partial: [] }, name)
      const missing = uuids(whole).filter((uuid) => !expected.includes(uuid))
      t.strictSame(missing, [], `${name}: each is in a list`)
      t.equal(whole.items.length, Math.min(50, expected.length), `${name}: as many as are told`)
    }
  }
})

t.test('the closest come first, and a stream tells the same as one answer', async (t) => {
  const { person } = await scene(t)
  const browser = await person('partner.admin')
  const { hostId } = someDeviceOf(NOTABLE.northwind)
  const lines = await linesOf(await browser.call(pathOf('ahu-1'), LINES))
  const whole = await browser.json<DeviceSearch>(pathOf('ahu-1'))
  t.strictSame([...new Set(whole.items.map(({ match }) => match))].slice(0, 1), ['whole'])
  const streamed = new Set(lines.flatMap(uuids))
  t.ok(uuids(whole).every((uuid) => streamed.has(uuid)))
  t.match(lines.at(-1), { total: whole.total, customers: { read: 45, of: 45 } })
  t.match(await browser.json(pathOf(hostId)), { items: [{ match: 'whole', device: { hostId } }] })
  t.equal((await browser.json<DeviceSearch>(pathOf('ahu-1', { size: 3 }))).items.length, 3)
})
