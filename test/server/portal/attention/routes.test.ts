// The counts of a running gateway: each count equals the length of its list and takes a known number of calls.
import t, { type Test } from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { createNotes } from '#server/auth/sessions/notes.ts'
import { createStoredCounts } from '#server/portal/readings/stored-counts.ts'
import { readVisibility } from '#server/upstreams/visibility.ts'
import type { Device, DevicePage } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { AttentionList, Usage } from '#shared/answers/portal.ts'
import { ATTENTION, ATTENTION_KINDS, type AttentionKind, PLAN_LEVELS } from '#shared/attention.ts'
import { ATTENTION_FIRST_MAX } from '#shared/limits.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import { type Asked, startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'
import { openGateway } from '../../../support/scenes/gateway.ts'
import {
  checkRefusals,
  complete,
  MULTI,
  openOrganization,
  organizationPath
} from '../../../support/scenes/organization.ts'
import { assignRoles, giveEqualRights } from '../../../support/scenes/stream.ts'

const { sandbox, portal, clock } = await openOrganization(t)
const { calls, state } = sandbox

const path = (organization: string = NOTABLE.partner, query = '') =>
  organizationPath(`attention${query}`, organization)
const attentionOf = (browser: Browser, organization?: string, query?: string) =>
  browser.json<AttentionList>(path(organization, query))
const firstQuery = (ids: readonly string[]) =>
  `?${new URLSearchParams(ids.map((id): [string, string] => ['first', id]))}`
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `c-unknown-${index}`)
const countsFor = async (browser: Browser, customer: string, organization?: string) =>
  (await attentionOf(browser, organization)).items.find(({ id }) => id === customer)?.counts ?? {}

const AT_ONE_CUSTOMER = {
  roleName: 'customer_user',
  scope: `/organizations/${NOTABLE.partner}/customers/${NOTABLE.custom[0]}`
}

const completeCounts = (browser: Browser) => complete<AttentionList>(browser, path(MULTI))

t.test('refuses malformed queries, and callers without permission', (t) =>
  checkRefusals(t, portal, [
    [403, 'no.access', path()],
    [400, 'partner.admin', path(NOTABLE.partner, '?maxAge=59')],
    [400, 'partner.admin', path(NOTABLE.partner, '?maxAge=86401')],
    [400, 'partner.admin', path(NOTABLE.partner, '?first=')],
    [400, 'partner.admin', path(NOTABLE.partner, '?first=c-1004/alarms')],
    [400, 'partner.admin', path(NOTABLE.partner, '?first=c-1004,c-1005')],
    [400, 'partner.admin', path(NOTABLE.partner, firstQuery(idsOf(ATTENTION_FIRST_MAX + 1)))]
  ])
)

t.test('each count equals the length of its list, and takes a known number of calls', async (t) => {
  const browser = await portal.as('customer.multi')
  await loseBackups(browser, MULTI)
  calls.length = 0
  const first = await attentionOf(browser, MULTI)
  t.strictSame(first.partial, ATTENTION_KINDS)
  t.strictSame(first.items[0]?.counts, Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, null])))
  const { items } = await completeCounts(browser)
  t.strictSame(items.map(({ id }) => id).sort(), [...NOTABLE.multi])
  const plans = readsOf('/metrics-detail')
  const parts = ['/api/v1/subscription/', '/devices?', 'alarms:search', '/backups']
  t.equal(parts.map((part) => readsOf(part).length).join(), '3,3,6,4')
  t.equal(new Set(plans).size, plans.length, 'reads each plan once')
  t.equal(
    upstreamReads().length,
    plans.length + 3 + 3 + 2 * 3 + 4,
    'looks for the last backups of one customer'
  )
  const totals = new Map<string, number>()
  for (const { id, counts } of items) {
    const countsByKind = ATTENTION_KINDS.map((kind) => [kind, counts[kind]?.count ?? 0] as const)
    t.strictSame(Object.fromEntries(countsByKind), await listLengthsOf(browser, id), id)
    for (const [kind, count] of countsByKind) totals.set(kind, (totals.get(kind) ?? 0) + count)

    const planDevices = (await browser.json<DevicePage>(devicesPath(id, 'service=NDS&size=1000'))).items
    const usage: Record<string, Usage> = {}
    for (const device of planDevices) usage[device.deviceUuid] = await usageOf(browser, id, device)
    for (const level of PLAN_LEVELS) {
      const query = `plan=${level}&sort=usagePercent&order=desc&size=1000`
      const list = await browser.json<DevicePage>(devicesPath(id, query))
      t.strictSame(list.partial, [])
      const expected = planDevices
        .filter(({ deviceUuid }) => usage[deviceUuid]?.level === level)
        .map((device) => ({ ...device, usagePercent: usage[device.deviceUuid]?.percent ?? 0 }))
        .sort((a, b) => b.usagePercent - a.usagePercent)
      t.strictSame(list.items, expected, `${level}, the highest usage first`)
    }
  }
  for (const [kind, total] of totals) t.ok(total > 0, kind)
})

t.test('callers with the same rights share counts, with one ETag for each encoding', async (t) => {
  const browser = await signIn(portal.url, sandbox, 'customer.multi')
  calls.length = 0
  const get = (headers: Record<string, string>) => browser.call(path(MULTI), { headers })
  const first = await get({ 'accept-encoding': 'gzip' })
  t.equal(first.headers.get('content-encoding'), 'gzip')
  t.equal(((await first.json()) as AttentionList).items.length, 3)
  const etag = first.headers.get('etag') ?? ''
  t.equal((await get({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status, 304)
  t.equal((await get({ 'accept-encoding': 'identity', 'if-none-match': etag })).status, 200)
  t.strictSame(upstreamReads(), [])
})

t.test('counts again after a change through the gateway', async (t) => {
  const customer = NOTABLE.custom[0]
  const browser = await adminOfOneCustomer(t)
  const endedCount = async () => (await countsFor(browser, customer)).servicesEnded?.count
  await eventually(async () => (await endedCount()) !== undefined, 60_000)
  const before = Number(await endedCount())
  const { items } = await browser.json<DevicePage>(devicesPath(customer, 'expires=0&size=1'))
  clock.nowMs += 1
  const answer = await browser.call(`/api/v2/management/devices/${items[0]?.id}`, {
    method: 'DELETE',
    headers: { 'x-customer-id': customer }
  })
  t.equal(answer.status, 204)
  await eventually(async () => (await endedCount()) === before - 1)
})

t.test('counts a device without backup as soon as its last backup is deleted', async (t) => {
  const customer = NOTABLE.custom[0]
  const browser = await adminOfOneCustomer(t)
  const missingCount = async () => (await countsFor(browser, customer)).withoutBackup?.count
  await eventually(async () => (await missingCount()) !== undefined, 60_000)
  const before = Number(await missingCount())
  // Two devices have lost theirs in an earlier test.
  const { items } = await browser.json<DevicePage>(devicesPath(customer, 'service=Recover&size=3'))
  const backups = await backupsOf(browser, customer, items.at(-1)?.deviceUuid)
  const last = backups.find(({ status }) => status === 'COMPLETE')
  for (const { id } of backups)
    state.backupChanges.set(id, id === last?.id ? { retained: false } : { isDeleted: true })
  clock.nowMs += 1
  const answer = await browser.call(`/api/v1/recover/customers/${customer}/backups/${last?.id}`, {
    method: 'DELETE'
  })
  t.equal(answer.status, 204)
  await eventually(async () => (await missingCount()) === before + 1)
})

t.test('counts a new project at once', async (t) => {
  const customer = NOTABLE.custom[0]
  const browser = await adminOfOneCustomer(t)
  const projectCount = async () =>
    (await attentionOf(browser)).items.find(({ id }) => id === customer)?.projectCount
  const before = Number(await projectCount())
  const answer = await browser.call('/api/v2/management/projects', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer-id': customer },
    body: JSON.stringify({
      projectName: 'Annex',
      customer: `/organizations/${customer}`,
      partner: `/organizations/${NOTABLE.partner}`
    })
  })
  t.equal(answer.status, 201)
  t.equal(await projectCount(), before + 1)
})

// The tests so far share a gateway and its clock. Each of the following has its own; they wait for reads side by side.
t.jobs = 5

t.test('reads counts again when they are older than the query allows, and reports the time', async (t) => {
  const { upstream, signInAs, clock } = await openOrganization(t, { startedSandbox: sandbox })
  const browser = await signInAs('customer.multi')
  const readAt = async () => (await countsFor(browser, MULTI, MULTI)).servicesEnded?.readAt ?? ''
  await completeCounts(browser)
  const before = await readAt()
  clock.nowMs += 60_000
  upstream.asked.length = 0
  await attentionOf(browser, MULTI, '?maxAge=60')
  t.equal(await readAt(), before)
  const again = upstream.asked.filter(({ target }) => target.includes('/subscription/'))
  t.equal(again.length, 0, 'accepts a count that is a minute old')
  clock.nowMs += 1
  await attentionOf(browser, MULTI, '?maxAge=60')
  await eventually(async () => (await readAt()) > before)
})

t.test('an outage is reported and keeps the counts; a refusal removes the counts', async (t) => {
  const { sandbox, signInAs, clock } = await openOrganization(t)
  const { faults } = sandbox
  const browser = await signInAs('customer.multi')
  await completeCounts(browser)
  const stateOf = async () => {
    const { items, partial: partialOverall } = await attentionOf(browser, MULTI)
    return { alarms: items[0]?.counts.alarms, partial: items[0]?.partial, partialOverall }
  }
  const { alarms } = await stateOf()
  faults.set('alarms', '503')
  clock.nowMs += 11 * 60_000
  await eventually(async () => (await stateOf()).partial?.includes('alarms'))
  t.strictSame(await stateOf(), { alarms, partial: ['alarms'], partialOverall: ['alarms'] })
  /**
   * A failure that is still on its way counts from the moved clock, so that the wait before the next reading begins again: the
   * clock moves on only after readings of a busy machine would have ended.
   */
  const afterMinutes = (check: () => Promise<boolean>) =>
    eventually(() => {
      clock.nowMs += 11 * 60_000
      return eventually(check, 20_000).catch(() => false)
    }, 120_000)
  faults.set('alarms', '403')
  await afterMinutes(async () => (await stateOf()).alarms === null)
  faults.clear()
  await afterMinutes(async () => (await stateOf()).partialOverall.length === 0)
  t.match((await stateOf()).alarms, { count: Number })
})

t.test('customers to read first that the caller may not see change nothing and are not read', async (t) => {
  const { upstream, signInAs } = await openOrganization(t, { startedSandbox: sandbox })
  const browser = await signInAs('customer.multi')
  const foreignId = NOTABLE.otherPartnersCustomer
  const query = firstQuery([foreignId, ...idsOf(ATTENTION_FIRST_MAX - 1)])
  await complete(browser, path(MULTI, query))
  t.strictSame(await attentionOf(browser, MULTI, query), await attentionOf(browser, MULTI))
  const aboutOthers = upstream.asked.filter(({ target, body }) => /c-2001|c-unknown/.test(target + body))
  t.strictSame(
    aboutOthers.map(({ target }) => target),
    []
  )
})

t.test('of 200 customers, the one that the latest call names is read before the others', async (t) => {
  const { sandbox, upstream, signInAs } = await openOrganization(t)
  const { state } = sandbox
  const { organizations } = state
  for (let count = customersOf(state, NOTABLE.partner).length; count < 200; count += 1) {
    const id = `c-without-devices-${count}`
    organizations.set(id, {
      id,
      orgName: `Annex ${count}`,
      isTechViewEnabled: false,
      partnerId: NOTABLE.partner
    })
  }
  const browser = await signInAs('partner.admin')
  const opened = Promise.withResolvers<undefined>()
  upstream.rule = ({ target }) => (target.includes('/subscription/') ? opened.promise : undefined)
  const { items } = await attentionOf(browser)
  t.equal(items.length, 200)
  const [replaced = '', named = ''] = items.slice(-2).map(({ id }) => id)
  await attentionOf(browser, NOTABLE.partner, firstQuery([replaced]))
  await attentionOf(browser, NOTABLE.partner, firstQuery([named]))
  await attentionOf(browser, NOTABLE.partner)
  opened.resolve(undefined)

  await eventually(async () => {
    const { servicesEnded, plansExceeded, withoutBackup } = await countsFor(browser, named)
    return servicesEnded && withoutBackup && plansExceeded && plansExceeded.unread === undefined
  }, 60_000)
  const deviceIds = state.devices.of(named).map(({ id }) => id)
  const targets = upstream.asked.map(({ target }) => target)
  const isPlanOfNamed = (target: string) =>
    target.includes('/metrics-detail') && deviceIds.some((id) => target.includes(`deviceId=${id}&`))
  const lastPlan = targets.findLastIndex(isPlanOfNamed)
  const begun = targets.slice(0, lastPlan).filter((target) => target.includes('/subscription/'))
  t.ok(lastPlan > 0)
  t.ok(begun.some((target) => target.includes(named)))
  t.notOk(begun.some((target) => target.includes(replaced)))
  t.ok(begun.length < 100, `${begun.length} customers were begun when the named one was complete`)
})

t.test('tries a refused colleague again after a minute, although the count is fresh', async (t) => {
  const { sandbox, upstream, signInAs, clock } = await openOrganization(t)
  const startedMs = clock.nowMs
  giveEqualRights(sandbox, AT_ONE_CUSTOMER)
  const colleague = await signInAs('partner.user')
  const caller = await signInAs('partner.admin')
  const isOfColleague = ({ by, target }: Asked) =>
    by === 'u-partner-user' && target.includes('/subscription/')
  upstream.rule = (asked) => (isOfColleague(asked) ? { status: 403 } : undefined)
  const ended = async (browser: Browser) => (await countsFor(browser, NOTABLE.custom[0])).servicesEnded
  await eventually(async () => {
    const { items } = await attentionOf(colleague)
    return items[0]?.partial.includes('servicesEnded')
  })
  const count = await eventually(() => ended(caller))
  upstream.rule = () => undefined
  const before = upstream.asked.filter(isOfColleague).length
  clock.nowMs = startedMs + 30_000
  for (let call = 0; call < 5; call += 1) t.equal(await ended(colleague), null)
  t.equal(upstream.asked.filter(isOfColleague).length, before, 'not before')
  clock.nowMs = startedMs + 60_000
  t.equal((await eventually(() => ended(colleague))).count, count.count)
})

for (const status of [403, 500])
  t.test(`reads a count with the caller’s own token after a colleague got ${status}`, async (t) => {
    const { sandbox, upstream, signInAs } = await openGateway(t)
    giveEqualRights(sandbox, AT_ONE_CUSTOMER)
    const colleague = await signInAs('partner.user')
    const caller = await signInAs('partner.admin')
    upstream.rule = ({ by, target }) =>
      by === 'u-partner-user' && target.includes('alarms:search') ? { status } : undefined
    const alarms = async (browser: Browser) => (await countsFor(browser, NOTABLE.custom[0])).alarms
    await eventually(async () => (await attentionOf(colleague)).items[0]?.partial.includes('alarms'))
    await eventually(async () => await alarms(caller))
    const before = await alarms(caller)
    t.equal(await alarms(colleague), null, 'the colleague')
    t.equal((await alarms(caller))?.count, before?.count, 'another caller')
  })

for (const status of [500, 403])
  t.test(`a device whose usage is answered with ${status} delays the plans of no other`, async (t) => {
    const { upstream, signInAs, clock } = await openOrganization(t, { startedSandbox: sandbox })
    const browser = await signInAs('customer.multi')
    const devices = (await browser.json<DevicePage>(devicesPath(MULTI, 'service=NDS&size=1000'))).items
    const isFailing = ({ target }: Asked) => target.includes(`deviceId=${devices[0]?.id}&`)
    upstream.rule = (asked) => (isFailing(asked) ? { status } : undefined)
    const plans = async () => {
      const { items } = await attentionOf(browser, MULTI)
      const { counts, partial } = items.find(({ id }) => id === MULTI) ?? {}
      return partial?.length === 0 && counts?.plansExceeded?.unread === 1 ? counts.plansExceeded : undefined
    }
    // The clock of the gateway stands still, so that nothing is tried a second time.
    const { count, readAt } = await eventually(plans)
    t.equal(upstream.asked.filter(isFailing).length, 1)
    clock.nowMs += ATTENTION.plansExceeded.freshMs
    const again = await eventually(async () => {
      const next = await plans()
      return next && next.readAt > readAt ? next : undefined
    })
    t.equal(again.count, count)
    t.equal(upstream.asked.filter(isFailing).length, 2)
  })

t.test('a plan that the upstream refused to one viewer stays hidden when another reads it', async (t) => {
  const { sandbox, upstream, signInAs, clock } = await openOrganization(t)
  giveEqualRights(sandbox, AT_ONE_CUSTOMER)
  const [customer] = NOTABLE.custom
  const unread = async (browser: Browser) => (await countsFor(browser, customer)).plansExceeded?.unread ?? 0
  const colleague = await signInAs('partner.user')
  const devices = (await colleague.json<DevicePage>(devicesPath(customer, 'service=NDS&size=1000'))).items
  upstream.rule = ({ by, target }) =>
    by === 'u-partner-user' && target.includes(`deviceId=${devices[0]?.id}&`) ? { status: 403 } : undefined
  await eventually(async () => (await unread(colleague)) === 1)
  t.equal((await colleague.call('/auth/logout', { method: 'POST' })).status, 200)
  clock.nowMs += 60_000
  const caller = await signInAs('partner.admin')
  const count = async (browser: Browser) => (await countsFor(browser, customer)).plansExceeded
  await eventually(async () => (await count(caller)) && (await unread(caller)) === 0)
  t.match(await count(await signInAs('partner.user')), { unread: 1 })
})

t.test('many background calls of one person do not delay other people', async (t) => {
  const { upstream, signInAs } = await openOrganization(t, { startedSandbox: sandbox })
  const busyPerson = await signInAs('partner.user')
  const otherPerson = await signInAs('customer.multi')
  const isHanging = ({ by, target }: Asked) => by === 'u-partner-user' && target.includes('/metrics-detail')
  upstream.rule = (asked) => (isHanging(asked) ? new Promise(() => {}) : undefined)
  const planReads = () => upstream.asked.filter(isHanging)
  await attentionOf(busyPerson)
  await eventually(async () => planReads().length > 0, 60_000)
  await eventually(async () => {
    const { items } = await attentionOf(otherPerson, MULTI)
    return items.every(({ counts }) => counts.alarms && counts.servicesEnded)
  }, 60_000)
  t.equal(planReads().length, 1, 'does not send another call while the first hangs')
})

t.test('after a restart the previous counts are available at once, with their age', async (t) => {
  const backend = createMemoryBackend(Date.now)
  const { remember } = backend
  const notes: string[] = []
  backend.remember = (name, value, ms) => {
    if (name.startsWith('note:')) notes.push(value)
    return remember(name, value, ms)
  }
  const options = { startedSandbox: sandbox, backend, secrets: ['s'.repeat(32)] }
  const oldPortal = await startPortal(t, options)
  const oldList = await completeCounts(await signIn(oldPortal.url, sandbox, 'customer.multi'))
  await eventually(() => notes.length > 0)
  t.notMatch(notes.join(), /servicesEnded|count/, 'stores the counts encrypted')
  await oldPortal.app.close()

  const upstream = await startControlledUpstream(t, sandbox)
  upstream.rule = ({ target }) =>
    /myUser|\/customers\?|organizations/.test(target) ? undefined : new Promise(() => {})
  const newPortal = await startPortal(t, { ...options, env: { UPSTREAM_URL: upstream.url } })
  const newList = await attentionOf(await signIn(newPortal.url, sandbox, 'customer.multi'), MULTI)
  t.strictSame(newList.items, oldList.items)
  t.strictSame(newList.partial, ATTENTION_KINDS, 'reads all counts again')
})

t.test('reading the plans of one customer keeps the stored counts of all customers', async (t) => {
  const backend = createMemoryBackend(Date.now)
  const secrets = ['s'.repeat(32)]
  const { upstream, signInAs, clock } = await openOrganization(t, {
    startedSandbox: sandbox,
    backend,
    secrets
  })
  const browser = await signInAs('customer.multi')
  const visibility = readVisibility(await browser.json('/api/v2/management/myUser'))
  const storedCounts = createStoredCounts(createNotes(backend, createEncryption(secrets)), Date.now)
  const storedIds = async () =>
    [...(await storedCounts.read({ organizationId: MULTI, visibility })).keys()].sort()
  await completeCounts(browser)
  await eventually(async () => (await storedIds()).length === NOTABLE.multi.length)
  const { remember } = backend
  const stored: string[][] = []
  backend.remember = async (...note) => {
    await remember(...note)
    if (note[0].startsWith('note:')) stored.push(await storedIds())
  }
  clock.nowMs += ATTENTION.plansExceeded.freshMs
  upstream.asked.length = 0
  await browser.json(devicesPath(MULTI, 'plan=exceeded'))
  await eventually(() => upstream.asked.some(({ target }) => target.includes('/metrics-detail')))
  await completeCounts(browser)
  await eventually(() => stored.length > 0)
  for (const ids of stored) t.strictSame(ids, [...NOTABLE.multi])
})

t.test('a stored count gives way once every plan has been tried, although one cannot be read', async (t) => {
  const backend = createMemoryBackend(Date.now)
  const secrets = ['s'.repeat(32)]
  const options = { startedSandbox: sandbox, backend, secrets }
  const { upstream, signInAs, clock } = await openOrganization(t, options)
  const browser = await signInAs('customer.multi')
  const visibility = readVisibility(await browser.json('/api/v2/management/myUser'))
  const storedCounts = createStoredCounts(createNotes(backend, createEncryption(secrets)), Date.now)
  const plansExceeded = { count: 99, readAt: new Date(clock.nowMs).toISOString() }
  await storedCounts.write({ organizationId: MULTI, visibility }, new Map([[MULTI, { plansExceeded }]]))
  const [device] = (await browser.json<DevicePage>(devicesPath(MULTI, 'service=NDS&size=1'))).items
  upstream.rule = ({ target }) => (target.includes(`deviceId=${device?.id}&`) ? { status: 500 } : undefined)
  const countNow = async () => (await countsFor(browser, MULTI, MULTI)).plansExceeded
  t.equal((await countNow())?.count, 99)
  await eventually(async () => (await countNow())?.unread === 1)
})

t.test('counts again if the stored counts cannot be read', async (t) => {
  const backend = createMemoryBackend(Date.now)
  const secrets = ['s'.repeat(32)]
  const portal = await startPortal(t, { startedSandbox: sandbox, backend, secrets })
  const browser = await signIn(portal.url, sandbox, 'customer.multi')
  const visibility = readVisibility(await browser.json('/api/v2/management/myUser'))
  const notes = createNotes(backend, createEncryption(secrets))
  await notes.write(`counts of ${MULTI} for ${visibility}`, 'null', 60_000)
  await eventually(async () => (await countsFor(browser, MULTI, MULTI)).alarms)
})

const upstreamReads = () => {
  const urls = calls.map(({ url }) => url).filter((url) => url.startsWith('/api/'))
  return urls.filter((url) => !/\/myUser|\/customers\?userType=|\/organizations\/[^/]+$/.test(url))
}
const readsOf = (part: string) => upstreamReads().filter((url) => url.includes(part))

const devicesPath = (customer: string, query: string) =>
  `/api/portal/v1/customers/${customer}/devices?${query}`

function usageOf(browser: Browser, customer: string, { deviceUuid }: Device): Promise<Usage> {
  return browser.json<Usage>(`/api/portal/v1/customers/${customer}/devices/${deviceUuid}/usage`)
}

async function listLengthsOf(browser: Browser, customer: string): Promise<Record<AttentionKind, number>> {
  const totalOf = async (query: string) =>
    (await browser.json<DevicePage>(devicesPath(customer, `size=1&${query}`))).page.totalElements
  const alarms = await browser.json<Page<unknown>>(`/api/portal/v1/customers/${customer}/alarms?size=1`)
  return {
    servicesEnded: await totalOf('expires=0'),
    plansExceeded: await totalOf('plan=exceeded'),
    alarms: alarms.page.totalElements,
    servicesEnding: await totalOf('expires=30'),
    plansWarning: await totalOf('plan=warning'),
    // The sandbox has a backup of every device except those in `loseBackups`.
    withoutBackup: customer === MULTI ? 2 : 0
  }
}

async function loseBackups(browser: Browser, customer: string): Promise<void> {
  const { items } = await browser.json<DevicePage>(devicesPath(customer, 'size=2&service=Recover'))
  for (const { deviceUuid } of items)
    for (const { id } of await backupsOf(browser, customer, deviceUuid))
      state.backupChanges.set(id, { isDeleted: true })
}

interface Backups {
  _embedded: { backups: { id: string; status: string }[] }
}

/** The backups of a device, the newest first. */
async function backupsOf(browser: Browser, customer: string, deviceUuid: string | undefined) {
  const path = `/api/v1/recover/customers/${customer}/backups?deviceUuid=${deviceUuid}&size=1000`
  return (await browser.json<Backups>(path))._embedded.backups
}

/** At one customer, so that the gateway need not read all customers of the integrator. */
function adminOfOneCustomer(t: Test): Promise<Browser> {
  t.teardown(assignRoles(sandbox, 'u-partner-admin', [{ ...AT_ONE_CUSTOMER, roleName: 'partner_admin' }]))
  return portal.as('partner.admin')
}
