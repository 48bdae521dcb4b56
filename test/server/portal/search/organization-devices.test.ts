// The list of the devices of all customers: rights, order, search, files, and customers that are not read yet.
import Fastify from 'fastify'
import t from 'tap'
import { type Problem, problems } from '#server/errors.ts'
import type { Snapshots } from '#server/inventory/cache.ts'
import type { CustomerLists } from '#server/portal/customer-lists.ts'
import { type CustomerReads, createCustomerReads } from '#server/portal/search/customer-reads.ts'
import { organizationDeviceRoutes } from '#server/portal/search/organization-devices.ts'
import type { Caller } from '#server/types.ts'
import type { DeviceRow, OrganizationDevices } from '#shared/answers/worklists.ts'
import { compareTexts } from '#shared/text-order.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { openGateway, openSandbox } from '../../../support/scenes/gateway.ts'
import {
  checkRefusals,
  complete,
  MULTI,
  openOrganization,
  organizationPath
} from '../../../support/scenes/organization.ts'

const sandbox = await openSandbox(t)
const { state } = sandbox
const portal = await startPortal(t, { startedSandbox: sandbox })

const pathOf = (query = '', organization: string = NOTABLE.partner) =>
  organizationPath(`devices?${query}`, organization)
const listOf = (browser: Browser, query = '', organization?: string) =>
  browser.json<OrganizationDevices>(pathOf(query, organization))

const completeList = (browser: Browser, query?: string, organization?: string) =>
  complete<OrganizationDevices>(browser, pathOf(query, organization))

async function allOf(browser: Browser, query: string): Promise<DeviceRow[]> {
  const rows: DeviceRow[] = []
  for (let page = 0; ; page += 1) {
    const { items } = await listOf(browser, `${query}&size=1000&page=${page}`)
    if (items.length === 0) return rows
    rows.push(...items)
  }
}

t.test('refuses malformed queries, and callers without permission', (t) =>
  checkRefusals(t, portal, [
    [403, 'no.access', pathOf()],
    [403, 'customer.admin', pathOf()],
    [400, 'partner.admin', pathOf('sort=usagePercent')],
    [400, 'partner.admin', pathOf('service=Other')],
    [400, 'partner.admin', pathOf('size=1001')],
    [400, 'partner.admin', pathOf(`q=${'x'.repeat(201)}`)]
  ])
)

t.test('lists every device of all customers once, in each order', async (t) => {
  const browser = await portal.as('partner.admin')
  const customers = customersOf(state, NOTABLE.partner)
  const first = await completeList(browser)
  const devices = customers.flatMap(({ id }) => state.devices.of(id))
  t.equal(first.page.totalElements, devices.length)
  t.strictSame(first.customers, { read: customers.length, of: customers.length })
  const expected = devices.map(({ deviceUuid }) => deviceUuid).sort()
  const keys: Record<string, (row: DeviceRow) => string> = {
    deviceName: ({ deviceName }) => deviceName,
    projectName: ({ projectName }) => projectName ?? '',
    customer: ({ customer }) => customer.orgName
  }
  for (const [sort, keyOf] of Object.entries(keys))
    for (const order of ['asc', 'desc']) {
      const rows = await allOf(browser, `sort=${sort}&order=${order}`)
      t.strictSame(rows.map(({ deviceUuid }) => deviceUuid).sort(), expected, `${sort} ${order}`)
      const direction = order === 'asc' ? 1 : -1
      const isSorted = rows.every((row, index) => {
        const previous = rows[index - 1]
        if (previous === undefined) return true
        const difference = direction * compareTexts(keyOf(previous), keyOf(row))
        return difference < 0 || (difference === 0 && compareTexts(previous.deviceName, row.deviceName) <= 0)
      })
      t.ok(isSorted, `${sort} ${order}`)
    }
  const ends = (await allOf(browser, 'sort=nearestEnd&order=desc')).map(({ nearestEnd }) => nearestEnd)
  const known = ends.filter((end) => end !== null)
  t.strictSame(ends, [...known.toSorted().reverse(), ...ends.filter((end) => end === null)])
  t.ok(known.length > 0 && known.length < ends.length)
})

t.test('finds devices by their own fields, by their customer, and by words of both', async (t) => {
  const browser = await portal.as('partner.admin')
  await completeList(browser)
  const chillers = await listOf(browser, 'q=chiller&size=1000')
  t.ok(chillers.items.every((row) => /chiller/i.test(row.deviceName + row.projectName + row.location)))
  const northwind = await listOf(browser, 'q=northwind&size=1')
  t.equal(northwind.page.totalElements, state.devices.of(NOTABLE.northwind).length)
  const both = await listOf(browser, 'q=northwind+chiller&size=1000')
  t.ok(both.items.length > 0)
  t.ok(
    both.items.every(
      ({ customer, deviceName }) => customer.id === NOTABLE.northwind && /chiller/i.test(deviceName)
    )
  )
  const withRecover = await listOf(browser, `customerId=${MULTI}&service=Recover&size=1000`)
  const ofCustomer = await browser.json<{ page: { totalElements: number } }>(
    `/api/portal/v1/customers/${MULTI}/devices?service=Recover&size=1`
  )
  t.equal(withRecover.page.totalElements, ofCustomer.page.totalElements)
  t.equal((await listOf(browser, 'q=a*b')).page.totalElements, 0)
})

t.test('as CSV and NDJSON: all devices that match', async (t) => {
  const browser = await portal.as('partner.admin')
  const { page, customers, partial, readAt } = await completeList(browser, 'size=1')
  const csv = await browser.call(pathOf('size=1'), { headers: { accept: 'text/csv' } })
  t.equal((await csv.text()).trimEnd().split('\r\n').length, page.totalElements + 1)
  const ndjson = await browser.call(pathOf('sort=customer'), { headers: { accept: 'application/x-ndjson' } })
  const [summary, ...rows] = (await ndjson.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.strictSame(summary, { customers, partial, readAt })
  const listed = await allOf(browser, 'sort=customer')
  t.strictSame(rows, listed, 'in the same order')
})

t.test('shows a person only devices of the own customers', async (t) => {
  const custom = await portal.as('custom.user')
  const { customers, page } = await completeList(custom)
  t.strictSame(customers, { read: 2, of: 2 })
  t.equal(page.totalElements, NOTABLE.custom.flatMap((id) => state.devices.of(id)).length)
  t.strictSame((await listOf(custom, `customerId=${NOTABLE.northwind}`)).items, [])
  const members = await portal.as('customer.multi')
  const own = await completeList(members, '', MULTI)
  t.equal(own.page.totalElements, NOTABLE.multi.flatMap((id) => state.devices.of(id)).length)
})

t.test(
  'answers at once with what has been read, and names the others; a failing one stays named',
  async (t) => {
    const { upstream, signInAs } = await openGateway(t, { startedSandbox: sandbox })
    const failing = NOTABLE.multi[1]
    const opened = Promise.withResolvers<undefined>()
    upstream.rule = ({ target }) => {
      if (target.includes(`/organizations/${failing}/devices`)) return { status: 500 }
      return target.includes('/devices?') ? opened.promise : undefined
    }
    const browser = await signInAs('customer.multi')
    const before = await listOf(browser, '', MULTI)
    t.match(before, { items: [], customers: { read: 0, of: 3 }, readAt: null })
    t.equal(before.partial.length, 3)
    opened.resolve(undefined)
    await eventually(async () => (await listOf(browser, '', MULTI)).partial.length === 1)
    const after = await listOf(browser, 'size=1000', MULTI)
    t.strictSame(
      after.partial.map(({ id }) => id),
      [failing]
    )
    t.ok(after.items.length > 0 && after.items.every(({ customer }) => customer.id !== failing))
    const foreign = upstream.asked.filter(({ target }) => /c-1001|c-2001/.test(target))
    t.strictSame(
      foreign.map(({ target }) => target),
      []
    )
  }
)

t.test(
  'names a customer whose subscriptions are unknown, and reads it again after ten seconds',
  async (t) => {
    const { upstream, clock, signInAs } = await openOrganization(t)
    const failing = NOTABLE.multi[1]
    upstream.rule = ({ target }) =>
      target.includes(`/subscription/customers/${failing}`) ? { status: 500 } : undefined
    const browser = await signInAs('customer.multi')
    const path = pathOf('service=NDS&size=1000', MULTI)
    const listNds = () => browser.json<OrganizationDevices>(path)
    const isOfFailing = ({ customer }: DeviceRow) => customer.id === failing
    await eventually(async () => {
      const { items, partial } = await listOf(browser, 'size=1000', MULTI)
      return partial.length === 1 && items.some(isOfFailing)
    })
    const { customers, partial, items } = await listNds()
    t.strictSame(
      partial.map(({ id }) => id),
      [failing]
    )
    t.strictSame(customers, { read: 2, of: 3 })
    t.notOk(items.some(isOfFailing))
    for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
      const answer = await browser.call(path, { headers: { accept } })
      t.equal(answer.headers.get('x-partial'), '1', accept)
      await answer.text()
    }
    const fetched = () => upstream.asked.filter(({ target }) => target.includes(`/${failing}`)).length
    const fetchedBefore = fetched()
    clock.nowMs += 9_000
    await listNds()
    t.equal(fetched(), fetchedBefore)

    upstream.rule = () => undefined
    clock.nowMs += 1_000
    const list = await complete<OrganizationDevices>(browser, path)
    t.strictSame(list.customers, { read: 3, of: 3 })
    t.ok(list.items.some(isOfFailing))
  }
)

t.test('fetches a customer again that failed before the clock was set back', async (t) => {
  const clock = { nowMs: Date.now() }
  let fetches = 0
  const snapshots = {
    async of() {
      fetches += 1
      throw problems.upstreamGarbled()
    }
  } as unknown as Snapshots
  const reads = createCustomerReads(snapshots, () => clock.nowMs)
  const caller = { user: { id: 'u-1' } } as Caller
  const rights = { check: async () => {}, mayView: () => true }
  const start = () => reads.start([{ id: 'c-1', orgName: '', scope: '' }], caller, rights)
  start()
  await eventually(() => fetches === 1)
  clock.nowMs -= 60_000
  start()
  t.ok(await eventually(() => fetches === 2, 5_000))
})

t.test('answers lost devices as a problem before a file has begun', async (t) => {
  const app = Fastify()
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    request.caller = { user: { roleAssignments: [] } } as unknown as Caller
  })
  app.setErrorHandler((error: Problem, _request, reply) => reply.code(error.status).send())
  await app.register(organizationDeviceRoutes, {
    clock: Date.now,
    customerLists: { of: async () => [] } as unknown as CustomerLists,
    customerReads: {
      known: () => ({ cachedCustomers: [], uncachedCustomers: [] }),
      refresh() {}
    } as unknown as CustomerReads,
    snapshots: {
      async *listTexts() {
        yield await Promise.reject(problems.inventoryUnavailable())
      }
    } as unknown as Snapshots
  })
  t.teardown(() => app.close())
  for (const accept of ['text/csv', 'application/x-ndjson']) {
    const answer = await app.inject({ url: '/organizations/1/devices', headers: { accept } })
    t.equal(answer.statusCode, 503, accept)
    t.notOk(answer.headers['content-disposition'], accept)
  }
})
