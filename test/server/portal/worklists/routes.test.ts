// The rows behind the counts of the start page, compared with the APIs' own answers: rights, filters, orders, files and failures.
import t, { type Test } from 'tap'
import type { AttentionList, Problem, Usage } from '#shared/answers/portal.ts'
import type { BackupRow, PlanRow, ServiceRow, Worklists } from '#shared/answers/worklists.ts'
import { WORKLIST_NAMES, type WorklistName } from '#shared/worklists.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import type { Browser } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { openGateway } from '../../../support/scenes/gateway.ts'
import {
  checkRefusals,
  complete,
  MULTI,
  openOrganization,
  organizationPath
} from '../../../support/scenes/organization.ts'

const DAY_MS = 86_400_000
const { sandbox, portal, clock } = await openOrganization(t)
const { state } = sandbox

const pathOf = (name: string, query = '', organization?: string) =>
  organizationPath(`worklists/${name}?${query}`, organization)
const allOf = <Name extends WorklistName>(browser: Browser, name: Name, organization?: string) =>
  complete<Worklists[Name]>(browser, pathOf(name, 'size=1000', organization))

interface RawSubscription {
  deviceUuid: string
  offeringCode: string
  startDate: string
  endDate: string
}

/** The services of a customer that have ended or end within 90 days, by the subscription API's own answer. */
async function dueServices(browser: Browser, customer: string) {
  const subscriptions = await browser.json<RawSubscription[]>(`/api/v1/subscription/customers/${customer}`)
  const byService = Map.groupBy(
    subscriptions,
    ({ deviceUuid, offeringCode }) => `${deviceUuid} ${offeringCode}`
  )
  const due: string[] = []
  for (const [key, terms] of byService) {
    const ends = terms.map(({ endDate }) => Date.parse(endDate))
    const active = terms.filter(({ startDate, endDate }) => {
      const endMs = Date.parse(endDate)
      return Date.parse(startDate) <= clock.nowMs && clock.nowMs < endMs && endMs <= clock.nowMs + 90 * DAY_MS
    })
    const hasEnded = ends.every((endMs) => endMs <= clock.nowMs)
    const endMs = hasEnded ? Math.max(...ends) : Math.min(...active.map(({ endDate }) => Date.parse(endDate)))
    if (Number.isFinite(endMs)) due.push(`${key} ${new Date(endMs).toISOString()}`)
  }
  return due.sort()
}

const serviceKey = ({ device, service, endDate }: ServiceRow) => `${device.deviceUuid} ${service} ${endDate}`

t.test('refuses malformed queries, formats that it has not, and callers without permission', async (t) => {
  await checkRefusals(t, portal, [
    [403, 'no.access', pathOf('services')],
    [404, 'customer.multi', pathOf('points')],
    [400, 'customer.multi', pathOf('services', 'days=31')],
    [400, 'customer.multi', pathOf('services', 'service=Other')],
    [400, 'customer.multi', pathOf('services', 'level=exceeded')],
    [400, 'customer.multi', pathOf('plans', 'days=30')],
    [400, 'customer.multi', pathOf('plans', 'level=ok')],
    [400, 'customer.multi', pathOf('backups', 'sort=percent')],
    [400, 'customer.multi', pathOf('backups', 'size=1001')]
  ])
  const browser = await portal.as('customer.multi')
  t.equal((await browser.call(pathOf('services'), { headers: { accept: 'image/png' } })).status, 406)
})

t.test(
  'services: equal the subscriptions of the API, sorted by their end, with the counts of the start page',
  async (t) => {
    const browser = await portal.as('customer.multi')
    const list = await allOf(browser, 'services')
    const expected = await Promise.all(NOTABLE.multi.map((id) => dueServices(browser, id)))
    t.strictSame(list.items.map(serviceKey).sort(), expected.flat().sort())
    t.ok(list.items.length > 10)
    const ends = list.items.map(({ endDate }) => endDate)
    t.strictSame(ends, ends.toSorted())
    t.strictSame(list.totals.map(({ customer }) => customer.id).sort(), [...NOTABLE.multi].sort())
    await eventually(async () => {
      const { items } = await browser.json<AttentionList>(organizationPath('attention'))
      const counted = items.map(({ id, counts }) => [
        id,
        counts.servicesEnded?.count,
        counts.servicesEnding?.count
      ])
      const listed = list.totals.map(({ customer, ended, ending }) => [customer.id, ended, ending])
      return JSON.stringify(counted) === JSON.stringify(listed)
    }, 60_000)

    const daysLeft = ({ endDate }: ServiceRow) => Math.ceil((Date.parse(endDate) - clock.nowMs) / DAY_MS)
    const filters: [query: string, matches: (row: ServiceRow) => boolean][] = [
      ['days=0', (row) => daysLeft(row) <= 0],
      ['days=30', (row) => daysLeft(row) > 0 && daysLeft(row) <= 30],
      ['days=90', (row) => daysLeft(row) > 0],
      ['service=Recover', ({ service }) => service === 'Recover'],
      [
        `customerId=${NOTABLE.multi[1]}&service=NDS`,
        ({ customer, service }) => customer.id === NOTABLE.multi[1] && service === 'NDS'
      ],
      ['q=CHILLER', ({ device }) => device.deviceName.toLowerCase().includes('chiller')]
    ]
    for (const [query, matches] of filters) {
      const { items, page } = await browser.json<Worklists['services']>(
        pathOf('services', `size=1000&${query}`)
      )
      t.strictSame(items.map(serviceKey), list.items.filter(matches).map(serviceKey), query)
      t.ok(page.totalElements > 0, query)
    }
    const sorted = await browser.json<Worklists['services']>(
      pathOf('services', 'sort=customer&order=desc&size=1000')
    )
    const names = sorted.items.map(({ customer }) => customer.orgName)
    t.strictSame(names, names.toSorted().reverse())
  }
)

t.test('plans: equal the usage of each device, the highest first', async (t) => {
  const browser = await portal.as('customer.multi')
  const list = await allOf(browser, 'plans')
  const usages = new Map<string, Usage>()
  for (const id of NOTABLE.multi)
    for (const { deviceUuid } of (await devicesOf(browser, id, 'service=NDS&size=1000')).items) {
      const path = `/api/portal/v1/customers/${id}/devices/${deviceUuid}/usage`
      usages.set(deviceUuid, await browser.json<Usage>(path))
    }
  const expected = [...usages]
    .filter(([, { level, planLimit }]) => level !== 'ok' && planLimit !== null)
    .map(([uuid, { planLimit, used, percent, level }]) => ({ uuid, planLimit, used, percent, level }))
    .sort((a, b) => (b.percent ?? 0) - (a.percent ?? 0))
  const listed = list.items.map(({ device, planLimit, used, percent, level }: PlanRow) => {
    return { uuid: device.deviceUuid, planLimit, used, percent, level }
  })
  t.strictSame(listed, expected)
  t.ok(listed.length > 1)
  const exceeded = await browser.json<Worklists['plans']>(pathOf('plans', 'level=exceeded'))
  t.equal(exceeded.page.totalElements, expected.filter(({ level }) => level === 'exceeded').length)
})

t.test('shows a person only the customers, lists and totals of the own roles', async (t) => {
  const custom = await portal.as('custom.user')
  for (const name of WORKLIST_NAMES) {
    const list = await allOf(custom, name, NOTABLE.partner)
    const ids = list.totals.map(({ customer }) => customer.id).sort()
    t.strictSame(ids, [...NOTABLE.custom].sort(), name)
    t.ok(list.items.every(({ customer }) => NOTABLE.custom.some((id) => id === customer.id)))
    const foreign = await custom.json<Worklists['services']>(
      pathOf(name, `customerId=${NOTABLE.northwind}`, NOTABLE.partner)
    )
    t.strictSame(foreign.items, [], `${name} of a foreign customer`)
  }
  // An NDS operator may query data, but not see backups.
  const operator = await portal.as('nds.operator')
  const backups = await operator.json<Worklists['backups']>(pathOf('backups', '', NOTABLE.partner))
  t.match(backups, { items: [], totals: [], partial: [], readAt: null })
  const plans = await operator.json<Worklists['plans']>(pathOf('plans', '', NOTABLE.partner))
  t.equal(plans.totals.length + plans.partial.length, customersOf(state, NOTABLE.partner).length)
})

/** A gateway of its own, with an upstream whose answers the test decides. */
const startWithUpstream = (t: Test) => openGateway(t, { startedSandbox: sandbox })

t.test('names customers that cannot be read, and lists the others', async (t) => {
  const { upstream, signInAs } = await startWithUpstream(t)
  const browser = await signInAs('customer.multi')
  const isFailing = (target: string) => target.includes(`/subscription/customers/${NOTABLE.multi[1]}`)
  upstream.rule = ({ target }) => (isFailing(target) ? { status: 403 } : undefined)
  const read = () => browser.json<Worklists['services']>(pathOf('services'))
  await eventually(async () => (await read()).totals.length === 2)
  const list = await read()
  t.strictSame(
    list.partial.map(({ id }) => id),
    [NOTABLE.multi[1]]
  )
  t.notOk(list.items.some(({ customer }) => customer.id === NOTABLE.multi[1]))
})

t.test('reads no foreign customer, and answers neither their rows nor their names', async (t) => {
  const { upstream, signInAs } = await startWithUpstream(t)
  const browser = await signInAs('custom.user')
  for (const name of WORKLIST_NAMES) {
    const list = await allOf(browser, name, NOTABLE.partner)
    t.ok(JSON.stringify(list).includes(NOTABLE.custom[0]), name)
    t.notMatch(JSON.stringify(list), NOTABLE.northwind, name)
  }
  const isForeign = ({ target, body }: { target: string; body: string }) =>
    /c-1001|c-2001/.test(target + body) && !target.includes('/organizations/100')
  t.strictSame(
    upstream.asked.filter(isForeign).map(({ target }) => target),
    []
  )
  const answer = await browser.call(pathOf('services', '', NOTABLE.partnerWithoutTechView))
  t.equal(answer.status, 403)
  t.match((await answer.json()) as Problem, { status: 403 })
})

t.test('backups: devices without a good backup in 30 days, with the last one before', async (t) => {
  const browser = await portal.as('customer.multi')
  const [without, old] = (await devicesOf(browser, MULTI, 'service=Recover&size=2')).items
  const lost = [without?.deviceUuid ?? '', old?.deviceUuid ?? '']
  const [, lastOfOld] = [
    await loseBackups(browser, lost[0] ?? '', 0),
    await loseBackups(browser, lost[1] ?? '', 30)
  ]
  t.ok(lastOfOld)
  clock.nowMs += 31 * 60_000
  await eventually(async () => (await allOf(browser, 'backups')).items.length === 2, 60_000)
  const list = await allOf(browser, 'backups')
  const rows = list.items.map(({ device, lastBackup, noneSince }: BackupRow) => [
    device.deviceUuid,
    lastBackup,
    noneSince
  ])
  t.strictSame(rows, [
    [lost[0], null, null],
    [lost[1], lastOfOld, null]
  ])
  t.match(
    list.totals.find(({ customer }) => customer.id === MULTI),
    { missing: 2, rows: 2, more: 0 }
  )
})

t.test('as CSV and NDJSON: all rows that match, whatever the page; formulas are text', async (t) => {
  const browser = await portal.as('customer.multi')
  const list = await allOf(browser, 'services')
  const [row] = list.items
  const device = [...NOTABLE.multi]
    .flatMap((id) => state.devices.of(id))
    .find(({ deviceUuid }) => deviceUuid === row?.device.deviceUuid)
  if (!device) throw new Error('the sample has no such device')
  const { deviceName } = device
  device.deviceName = '=HYPERLINK("http://evil.example")'
  clock.nowMs += 31 * 60_000
  await eventually(async () =>
    (await allOf(browser, 'services')).items.some((item) => item.device.deviceName.startsWith('='))
  )
  const query = 'page=7&size=1&days=90'
  const { page } = await browser.json<Worklists['services']>(pathOf('services', query))
  const csv = await browser.call(pathOf('services', query), { headers: { accept: 'text/csv' } })
  t.match(csv.headers.get('content-disposition'), /attachment; filename=services-\d{4}-\d\d-\d\d\.csv/)
  t.equal(csv.headers.get('x-partial'), '0')
  const lines = (await csv.text()).trimEnd().split('\r\n')
  t.equal(lines.length, page.totalElements + 1)
  t.equal(lines[0], 'Customer,Device,Host ID,Project,Service,Ends,Days left,Device UUID')
  const everything = await (
    await browser.call(pathOf('services'), { headers: { accept: 'text/csv' } })
  ).text()
  t.match(everything, `"'=HYPERLINK(""http://evil.example"")"`)
  // Old rows of other customers may be read again between two calls.
  await eventually(async () => {
    const { totals, partial, readAt } = await browser.json<Worklists['services']>(pathOf('services'))
    const ndjson = await browser.call(pathOf('services', query), {
      headers: { accept: 'application/x-ndjson' }
    })
    const [summary, ...rows] = (await ndjson.text()).trimEnd().split('\n')
    return rows.length === page.totalElements && summary === JSON.stringify({ totals, partial, readAt })
  })
  device.deviceName = deviceName
})

function devicesOf(browser: Browser, customer: string, query: string) {
  return browser.json<{ items: { deviceUuid: string }[] }>(
    `/api/portal/v1/customers/${customer}/devices?${query}`
  )
}

/** Deletes the backups of a device that are newer than a number of days, or all. Returns the last complete one that is left. */
async function loseBackups(browser: Browser, deviceUuid: string, days: number): Promise<string | undefined> {
  const path = `/api/v1/recover/customers/${MULTI}/backups?deviceUuid=${deviceUuid}&size=1000`
  interface Raw {
    id: string
    backupDate: string
    status: string
  }
  const { _embedded } = await browser.json<{ _embedded: { backups: Raw[] } }>(path)
  const since = clock.nowMs + 31 * 60_000 - days * DAY_MS
  const isLost = ({ backupDate }: Raw) => days === 0 || Date.parse(backupDate) >= since
  for (const backup of _embedded.backups.filter(isLost))
    state.backupChanges.set(backup.id, { isDeleted: true })
  return _embedded.backups.find((backup) => !isLost(backup) && backup.status === 'COMPLETE')?.backupDate
}
