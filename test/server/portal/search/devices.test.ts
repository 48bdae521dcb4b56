// The search for devices of all customers: rights, number of upstream calls, and missing customers.
import t, { type Test } from 'tap'
import { READ_AT_ONCE } from '#server/portal/search/customer-reads.ts'
import type { DeviceSearch } from '#shared/answers/customers.ts'
import type { Problem } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import { eventually } from '../../../support/eventually.ts'
import { openGateway, openSandbox } from '../../../support/scenes/gateway.ts'
import { organizationPath } from '../../../support/scenes/organization.ts'

const sandbox = await openSandbox(t)
const { state } = sandbox

const pathOf = (q: string, { organization = NOTABLE.partner as string, size = 50 } = {}) =>
  organizationPath(`search?${new URLSearchParams({ q, size: String(size) })}`, organization)
const LINES = { headers: { accept: 'application/x-ndjson' } }
const uuids = ({ items }: DeviceSearch) => items.map(({ device }) => device.deviceUuid)
const someDeviceOf = (customerId: string) => {
  const [device] = state.devices.of(customerId)
  if (!device) throw new Error('the sample has no such device')
  return device
}

/** A gateway without snapshots, with a movable clock and a controlled upstream. */
async function startWithoutSnapshots(t: Test) {
  const time = { now: Date.now() }
  const { upstream, signInAs } = await openGateway(t, { startedSandbox: sandbox, clock: () => time.now })
  const readIds = () =>
    upstream.asked.flatMap(({ target }) => /organizations\/([^/]+)\/devices\?page=0/.exec(target)?.[1] ?? [])
  /** Calls whose target contains this part wait until the returned function is called. */
  const hold = (part: string) => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    upstream.rule = ({ target }) => (target.includes(part) ? promise : undefined)
    return () => resolve(undefined)
  }
  return { upstream, time, signInAs, readIds, hold }
}

async function linesOf(answer: Response): Promise<DeviceSearch[]> {
  const lines = (await answer.text()).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

t.test('refuses a malformed query and names its parameter, without an upstream call', async (t) => {
  const { signInAs, readIds } = await startWithoutSnapshots(t)
  const browser = await signInAs('partner.admin')
  const base = organizationPath('search', NOTABLE.partner)
  const invalidQueries = {
    q: ['', 'q=', `q=${'x'.repeat(201)}`, 'q=a&q=b'],
    size: ['q=a&size=0', 'q=a&size=51'],
    page: ['q=a&page=1']
  }
  for (const [parameter, queries] of Object.entries(invalidQueries))
    for (const query of queries) {
      const answer = await browser.call(`${base}?${query}`)
      t.equal(answer.status, 400, query.slice(0, 40))
      t.match((await answer.json()) as Problem, { detail: parameter })
    }
  t.strictSame(readIds(), [])
  for (const q of [' ', ...`*<>"'%()&+/^|?[]\\`, 'AHU*'])
    t.match(await browser.json(pathOf(q)), { items: [], total: 0, partial: [] }, q)
  t.strictSame(readIds(), [], 'does not search for text without words')
  const answer = await browser.call(`${base}?q=${'x'.repeat(200)}&size=50`)
  t.equal(answer.status, 200, 'accepts a query at the limits')
})

t.test('finds no devices of foreign customers, and does not read these customers', async (t) => {
  const { signInAs, readIds } = await startWithoutSnapshots(t)
  const foreignDevice = someDeviceOf(NOTABLE.otherPartnersCustomer)
  const ownDevice = someDeviceOf(NOTABLE.custom[1])
  const otherDevice = someDeviceOf(NOTABLE.northwind)
  const browser = await signInAs('custom.user')
  for (const { hostId, deviceUuid } of [foreignDevice, otherDevice])
    for (const q of [hostId, deviceUuid])
      t.match(await browser.json(pathOf(q)), { items: [], total: 0, customers: { read: 2, of: 2 } }, q)
  t.strictSame(uuids(await browser.json(pathOf(ownDevice.hostId))), [ownDevice.deviceUuid])
  t.strictSame(readIds().sort(), [...NOTABLE.custom])
  t.strictSame(uuids(await (await signInAs('partner.user')).json(pathOf(foreignDevice.hostId))), [])
})

t.test('combines words of the customer and of the device', async (t) => {
  const { signInAs } = await startWithoutSnapshots(t)
  const browser = await signInAs('custom.user')
  const [id] = NOTABLE.custom
  const { deviceName, deviceUuid } = someDeviceOf(id)
  const { orgName } = state.organizations.get(id) ?? {}
  const result = await browser.json<DeviceSearch>(pathOf(`${deviceName} ${orgName}`))
  t.ok(uuids(result).includes(deviceUuid))
  t.ok(result.items.every(({ customer }) => customer.id === id))
})

t.test('does not search a customer that has moved to another integrator', async (t) => {
  const { upstream, signInAs } = await startWithoutSnapshots(t)
  const device = someDeviceOf(NOTABLE.northwind)
  upstream.rule = ({ target }) =>
    target.endsWith(`/organizations/${NOTABLE.northwind}`)
      ? { status: 200, body: { id: NOTABLE.northwind, orgName: 'Northwind', partnerId: '200' } }
      : undefined
  const browser = await signInAs('partner.admin')
  t.match(await browser.json(pathOf(device.hostId)), { items: [], total: 0, partial: [] })
})

t.test('reports customers that cannot be read, and searches all other customers', async (t) => {
  const { upstream, signInAs } = await startWithoutSnapshots(t)
  const failingId = NOTABLE.custom[0]
  upstream.rule = ({ target }) =>
    target.includes(`/organizations/${failingId}/devices`) ? { status: 500 } : undefined
  const browser = await signInAs('custom.user')
  const { hostId, deviceUuid } = someDeviceOf(NOTABLE.custom[1])
  const expected = { customers: { read: 1, of: 2 }, partial: [{ id: failingId }] }
  t.match(await browser.json(pathOf(hostId)), { items: [{ device: { deviceUuid } }], ...expected })
  const lines = await linesOf(await browser.call(pathOf(hostId), LINES))
  t.equal(lines.flatMap(({ partial }) => partial.map(({ id }) => id)).join(), failingId, 'one report')
  upstream.rule = () => undefined
  t.match(await browser.json(pathOf(hostId)), { customers: { read: 2, of: 2 }, partial: [] })
})

t.test('fails when the customers cannot be listed', async (t) => {
  const { upstream, signInAs } = await startWithoutSnapshots(t)
  const browser = await signInAs('partner.admin')
  upstream.rule = ({ target }) =>
    target.includes(`/organizations/${NOTABLE.partner}/customers`) ? { status: 503 } : undefined
  const answer = await browser.call(pathOf('ahu'), LINES)
  t.equal(answer.status, 503)
  t.match(answer.headers.get('content-type'), 'application/problem+json')
})

t.test('reads each customer once, two at a time, for any number of searches of a person', async (t) => {
  const { upstream, signInAs, readIds, hold } = await startWithoutSnapshots(t)
  const browser = await signInAs('partner.admin')
  const release = hold('/devices?page=0')
  const searches = Promise.all(['ahu', 'chiller', 'ahu'].map((q) => browser.json<DeviceSearch>(pathOf(q))))
  await eventually(() => readIds().length === READ_AT_ONCE)
  await signInAs('custom.user')
  t.equal(readIds().length, READ_AT_ONCE)
  release()
  for (const result of await searches) t.match(result, { customers: { read: 45, of: 45 }, partial: [] })
  const allIds = customersOf(state, NOTABLE.partner).map(({ id }) => id)
  t.strictSame(readIds().sort(), allIds.sort())
  upstream.asked.length = 0
  for (const q of ['c', 'chill']) t.match(await browser.json(pathOf(q)), { customers: { read: 45 } })
  t.strictSame(upstream.asked, [])
})

t.test('reads old snapshots again, a few at a time, and expired snapshots at once', async (t) => {
  const { time, signInAs, readIds } = await startWithoutSnapshots(t)
  const browser = await signInAs('partner.admin')
  await browser.json(pathOf('ahu'))
  const before = readIds().length
  time.now += 5 * 60_000
  await browser.json(pathOf('ahu'))
  t.equal(readIds().length, before)
  time.now += 1
  await browser.json(pathOf('ahu'))
  await eventually(() => readIds().length === before + READ_AT_ONCE)
  time.now += 15 * 60_000 + 1
  t.match(await browser.json(pathOf('ahu')), { customers: { read: 45, of: 45 } })
  t.ok(readIds().length >= before + 45)
})

t.test('sends cached customers first, and other customers as they are read', async (t) => {
  const { signInAs, hold } = await startWithoutSnapshots(t)
  const browser = await signInAs('custom.user')
  const [slowId, cachedId] = NOTABLE.custom
  await browser.json(`/api/portal/v1/customers/${cachedId}/devices`)
  const release = hold(`/organizations/${slowId}/devices`)
  const answer = await browser.call(pathOf('a'), LINES)
  t.match(answer.headers.get('content-type'), 'application/x-ndjson')
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const firstLine = JSON.parse(Buffer.from((await reader.read()).value ?? []).toString()) as DeviceSearch
  t.match(firstLine.customers, { read: 1, of: 2 })
  t.ok(firstLine.items.length > 0 && firstLine.items.every(({ customer }) => customer.id === cachedId))
  release()
  let rest = ''
  for (let step = await reader.read(); !step.done; step = await reader.read())
    rest += Buffer.from(step.value).toString()
  t.match(JSON.parse(rest.trim().split('\n').at(-1) ?? ''), { customers: { read: 2, of: 2 } })
})

t.test('reads no further customer after the caller has disconnected', async (t) => {
  const { signInAs, readIds, hold } = await startWithoutSnapshots(t)
  const browser = await signInAs('partner.admin')
  const aborter = new AbortController()
  const release = hold('/devices?page=0')
  const answer = browser.call(pathOf('ahu'), { ...LINES, signal: aborter.signal }).then((a) => a.text())
  await eventually(() => readIds().length === READ_AT_ONCE)
  aborter.abort()
  await t.rejects(answer)
  release()
  t.match(await (await signInAs('custom.user')).json(pathOf('ahu')), { customers: { of: 2 } })
  t.equal(readIds().length, READ_AT_ONCE + 2, 'reads only the customers of the second caller')
})

t.test('sends the closest matches first, as lines and as one answer', async (t) => {
  const { signInAs } = await startWithoutSnapshots(t)
  const browser = await signInAs('partner.admin')
  const { hostId } = someDeviceOf(NOTABLE.northwind)
  const lines = await linesOf(await browser.call(pathOf('ahu-1'), LINES))
  const result = await browser.json<DeviceSearch>(pathOf('ahu-1'))
  t.strictSame([...new Set(result.items.map(({ match }) => match))].slice(0, 1), ['whole'])
  const streamedUuids = new Set(lines.flatMap(uuids))
  t.ok(uuids(result).every((uuid) => streamedUuids.has(uuid)))
  t.match(lines.at(-1), { total: result.total, customers: { read: 45, of: 45 } })
  t.match(await browser.json(pathOf(hostId)), { items: [{ match: 'whole', device: { hostId } }] })
  t.equal((await browser.json<DeviceSearch>(pathOf('ahu-1', { size: 3 }))).items.length, 3)
})
