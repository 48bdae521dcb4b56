// The counts over the whole sandbox: each is what the list shows that it leads to, and no call more than is said.
import t from 'tap'
import { ATTENTION_KINDS, type AttentionKind, type AttentionList, PLAN_LEVELS } from '#shared/attention.ts'
import type { Device, DevicePage, Page } from '#shared/entities.ts'
import type { Usage } from '#shared/usage.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'

const clock = { nowMs: Date.now() }
// Alarms go off and pass as its time does: it stands still between a count and the list that it is compared with.
const sandbox = await startSandbox({ clock: () => clock.nowMs })
t.teardown(sandbox.stop)
const { calls, faults, state } = sandbox
const portal = await startPortal(t, {
  startedSandbox: sandbox,
  clock: () => clock.nowMs,
  env: { SESSION_IDLE_SECONDS: '604800', SESSION_ABSOLUTE_SECONDS: '604800' },
  limits: { backgroundGapMs: 0 }
})

const path = (organization: string = NOTABLE.partner, query = '') =>
  `/api/portal/v1/organizations/${organization}/attention${query}`
const listed = (browser: Browser, organization?: string, query?: string) =>
  browser.json<AttentionList>(path(organization, query))
const statusOf = async (person: string, organization?: string, query?: string) =>
  (await (await portal.as(person)).call(path(organization, query))).status

/** Asked until nothing is missing. */
async function complete(browser: Browser, organization?: string): Promise<AttentionList> {
  let list = await listed(browser, organization)
  await eventually(async () => {
    list = await listed(browser, organization)
    return list.partial.length === 0
  }, 60_000)
  return list
}

t.test('who may not see the customers, or asks for another integrator or oddly, gets none', async (t) => {
  t.equal(await statusOf('partner.admin', NOTABLE.partnerWithoutTechView), 403)
  t.equal(await statusOf('customer.user', NOTABLE.partner), 403)
  t.equal(await statusOf('no.access', NOTABLE.partner), 403)
  for (const query of ['?maxAge=59', '?maxAge=86401', '?maxAge=x', '?size=5'])
    t.equal(await statusOf('partner.admin', NOTABLE.partner, query), 400, query)
})

t.test(
  'the first answer comes at once, says what is not read, and each count is absent, null or old',
  async (t) => {
    const list = await listed(await portal.as('partner.user'))
    t.strictSame(list.partial, ATTENTION_KINDS)
    t.equal(list.items.length, 45)
    t.strictSame(list.items[0]?.counts, Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, null])))
  }
)

t.test('each count is what its list shows, for every customer of the sandbox', async (t) => {
  const browser = await portal.as('partner.admin')
  await loseBackups(browser, NOTABLE.northwind)
  const { items } = await complete(browser)
  const counted = Object.fromEntries(
    items.map(({ id, counts }) => [
      id,
      Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, counts[kind]?.count]))
    ])
  )
  const shown: Record<string, Record<AttentionKind, number>> = {}
  for (const { id } of items) shown[id] = await shownOf(browser, id)
  t.strictSame(counted, shown)
  const totals = ATTENTION_KINDS.map((kind) =>
    items.reduce((sum, { counts }) => sum + (counts[kind]?.count ?? 0), 0)
  )
  t.ok(
    totals.every((total) => total > 0),
    `something of each: ${totals}`
  )

  const { items: withPlan } = await browser.json<DevicePage>(
    devicesPath(NOTABLE.northwind, 'service=NDS&size=1000')
  )
  const levels: Record<string, string> = {}
  for (const device of withPlan) levels[device.deviceUuid] = await levelOf(browser, NOTABLE.northwind, device)
  for (const level of PLAN_LEVELS) {
    const { items: devices, partial } = await browser.json<DevicePage>(
      devicesPath(NOTABLE.northwind, `plan=${level}&size=1000`)
    )
    t.strictSame(partial, [])
    const wanted = withPlan.filter(({ deviceUuid }) => levels[deviceUuid] === level)
    t.strictSame(devices, wanted, `${level}, as the usage of each device says`)
  }
})

t.test('a count that a role may not see is absent, and nothing is read for it', async (t) => {
  calls.length = 0
  const { items } = await complete(await portal.as('niagara.remote'))
  t.ok(items.every(({ counts }) => !('withoutBackup' in counts) && 'alarms' in counts))
  t.strictSame(readsOf('/backups'), [])
})

t.test('a customer user is told of their own customers alone', async (t) => {
  const [own = ''] = NOTABLE.multi
  const { items } = await complete(await portal.as('customer.multi'), own)
  t.strictSame(items.map(({ id }) => id).sort(), [...NOTABLE.multi])
})

t.test('whoever sees the same is answered from what is known, and asks no upstream', async (t) => {
  const known = await complete(await portal.as('partner.admin'))
  calls.length = 0
  t.strictSame(await listed(await portal.as('partner.admin')), known)
  t.strictSame(upstreamReads(), [])
})

t.test('the same counts have the same ETag, and come compressed', async (t) => {
  const browser = await portal.as('partner.admin')
  await complete(browser)
  const first = await browser.call(path(), { headers: { 'accept-encoding': 'gzip' } })
  t.equal(first.headers.get('content-encoding'), 'gzip')
  const etag = first.headers.get('etag') ?? ''
  t.equal(((await first.json()) as AttentionList).items.length, 45)
  const again = await browser.call(path(), { headers: { 'accept-encoding': 'gzip', 'if-none-match': etag } })
  t.equal(again.status, 304)
  t.equal(
    (await browser.call(path(), { headers: { 'accept-encoding': 'identity', 'if-none-match': etag } }))
      .status,
    200
  )
})

t.test('all counts of a customer take as many calls as are said', async (t) => {
  calls.length = 0
  const { items } = await complete(await portal.as('nds.operator'))
  const plans = new Set(readsOf('/metrics-detail'))
  t.equal(readsOf('/api/v1/subscription/').length, items.length)
  t.equal(
    readsOf('/devices?').length,
    items.reduce((sum, { deviceCount }) => sum + Math.max(1, Math.ceil(deviceCount / 1000)), 0)
  )
  t.equal(readsOf('alarms:search').length, 2 * items.length)
  t.equal(readsOf('/metrics-detail').length, plans.size, 'each plan once')
  t.equal(
    upstreamReads().length,
    readsOf('/api/v1/subscription/').length + readsOf('/devices?').length + 2 * items.length + plans.size
  )
})

t.test('counts that are not older than asked stay, older ones are read again, and say when', async (t) => {
  const browser = await portal.as('nds.operator')
  const before = (await complete(browser)).items[0]?.counts.alarms?.readAt ?? ''
  clock.nowMs += 60_000
  calls.length = 0
  t.equal((await listed(browser, NOTABLE.partner, '?maxAge=60')).items[0]?.counts.alarms?.readAt, before)
  t.strictSame(readsOf('alarms:search'), [], 'a minute old')
  clock.nowMs += 1
  await listed(browser, NOTABLE.partner, '?maxAge=60')
  await eventually(async () => ((await listed(browser)).items[0]?.counts.alarms?.readAt ?? '') > before)
})

t.test('an outage keeps what is known with its age and names it; a refusal forgets it', async (t) => {
  const browser = await portal.as('partner.user')
  const before = await complete(browser)
  const stateOf = async () => {
    const list = await listed(browser)
    const { counts, partial } = list.items.find(({ id }) => id === NOTABLE.northwind) ?? {}
    return { alarms: counts?.alarms, partial, all: list.partial }
  }
  const known = before.items.find(({ id }) => id === NOTABLE.northwind)?.counts.alarms
  faults.set('alarms', '503')
  clock.nowMs += 11 * 60_000
  await eventually(async () => (await stateOf()).partial?.includes('alarms'))
  t.strictSame(await stateOf(), { alarms: known, partial: ['alarms'], all: ['alarms'] })
  /** It is tried again after a minute, which must not pass before all customers had their turn. */
  let asked = 0
  const minutesLater = async () => {
    if (asked % 100 === 0) clock.nowMs += 60_000
    asked += 1
    return stateOf()
  }
  faults.set('alarms', '403')
  await eventually(async () => (await minutesLater()).alarms === null)
  faults.clear()
  await eventually(async () => (await minutesLater()).all.length === 0)
  t.match((await stateOf()).alarms, { count: Number })
})

t.test('a change through the gateway is counted anew', async (t) => {
  const browser = await portal.as('partner.admin')
  const ended = async () => {
    const { items } = await listed(browser)
    return items.find(({ id }) => id === NOTABLE.northwind)?.counts.servicesEnded?.count ?? 0
  }
  await complete(browser)
  const before = await ended()
  const { items } = await browser.json<DevicePage>(devicesPath(NOTABLE.northwind, 'expires=0&size=1'))
  clock.nowMs += 1
  const answer = await browser.call(`/api/v2/management/devices/${items[0]?.id}`, {
    method: 'DELETE',
    headers: { 'x-customer-id': NOTABLE.northwind }
  })
  t.equal(answer.status, 204)
  await eventually(async () => (await ended()) === before - 1)
})

/** What was read of the upstreams by itself: who calls and which customers there are aside. */
const upstreamReads = () =>
  calls
    .filter(
      ({ url }) => url.startsWith('/api/') && !/\/myUser|\/organizations\/\w+$|\/customers\?page=/.test(url)
    )
    .map(({ url }) => url)
const readsOf = (part: string) => upstreamReads().filter((url) => url.includes(part))

const devicesPath = (customer: string, query: string) =>
  `/api/portal/v1/customers/${customer}/devices?${query}`

async function levelOf(browser: Browser, customer: string, { deviceUuid }: Device): Promise<string> {
  return (await browser.json<Usage>(`/api/portal/v1/customers/${customer}/devices/${deviceUuid}/usage`)).level
}

/** What the lists of the screens show, one after the other. */
async function shownOf(browser: Browser, customer: string): Promise<Record<AttentionKind, number>> {
  const totalOf = async (query: string) =>
    (await browser.json<DevicePage>(devicesPath(customer, `size=1&${query}`))).page.totalElements
  const alarms = await browser.json<Page<unknown>>(`/api/portal/v1/customers/${customer}/alarms?size=1`)
  return {
    servicesEnded: await totalOf('expires=0'),
    plansExceeded: await totalOf('plan=exceeded'),
    alarms: alarms.page.totalElements,
    servicesEnding: await totalOf('expires=30'),
    plansWarning: await totalOf('plan=warning'),
    withoutBackup: await unsavedOf(browser, customer)
  }
}

/** Of the first two devices: the sandbox saves all of them. */
async function loseBackups(browser: Browser, customer: string): Promise<void> {
  const { items } = await browser.json<DevicePage>(devicesPath(customer, 'size=2&service=Recover'))
  for (const { deviceUuid } of items)
    for (const { id } of await backupsOf(browser, customer, `deviceUuid=${deviceUuid}`))
      state.backupChanges.set(id, { isDeleted: true })
}

interface Backup {
  id: string
  deviceUuid: string
  status: string
  backupDate: string
}

async function backupsOf(browser: Browser, customer: string, query: string): Promise<Backup[]> {
  const all: Backup[] = []
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const list = await browser.json<{ _embedded?: { backups: Backup[] }; page: { totalPages: number } }>(
      `/api/v1/recover/customers/${customer}/backups?${query}&size=1000&page=${page}`
    )
    pages = list.page.totalPages
    all.push(...(list._embedded?.backups ?? []))
  }
  return all
}

/** As the page of saved backups finds them: two lists compared. */
async function unsavedOf(browser: Browser, customer: string): Promise<number> {
  const { items } = await browser.json<DevicePage>(devicesPath(customer, 'size=1000&service=Recover'))
  const good = new Set<string>()
  for (const { deviceUuid, status, backupDate } of await backupsOf(browser, customer, 'sort=backupDate,desc'))
    if (status === 'COMPLETE' && Date.parse(backupDate) >= clock.nowMs - 30 * 86_400_000) good.add(deviceUuid)
  return items.filter(({ deviceUuid }) => !good.has(deviceUuid)).length
}
