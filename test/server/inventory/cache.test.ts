import t from 'tap'
import type { CustomerTree, DevicePage, ProjectList } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, signIn } from '#test/support/portal.ts'
import type { Answer } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'
import { openGateway, openSandbox } from '../../support/scenes/gateway.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
const PARTIAL_MS = 2_000
const BACK_OFF_MS = 30_000
const customerPath = (rest: string) => `/api/portal/v1/customers/${NOTABLE.northwind}/${rest}`
const PROJECTS = customerPath('projects')
const TREE = customerPath('tree')

const SUBSCRIPTIONS = '/api/v1/subscription/customers/'
const SECOND_PAGE = '/devices?page=1&size=1000'
const LISTS = ['/projects?page=0', '/devices?page=0&size=1000', SECOND_PAGE, SUBSCRIPTIONS]

const sandbox = await openSandbox(t)
const { state } = sandbox
const time = { now: Date.now() }
const { upstream, portal } = await openGateway(t, {
  startedSandbox: sandbox,
  clock: () => time.now,
  env: { CALLS_IN_FLIGHT: '100', SESSION_IDLE_SECONDS: '43200' }
})
// People sign in while the clocks of gateway and authority are equal.
const browser = await portal.as('customer.user')
const colleague = await signIn(portal.url, sandbox, 'customer.user')
const admin = await portal.as('customer.admin')
const editor = await portal.as('partner.admin')

/** Makes all snapshots expire, and resets the upstream. */
function resetAll(): void {
  time.now += STALE_MAX_MS + 1
  upstream.rule = () => undefined
  upstream.asked.length = 0
}
t.beforeEach(resetAll)

const callsTo = (part: string) => upstream.asked.filter(({ target }) => target.includes(part)).length
const listFetches = () => callsTo('/projects?page=0')
const names = async (browser: Browser) =>
  (await browser.json<ProjectList>(PROJECTS)).projects.map(({ projectName }) => projectName)
const reset: Answer = (response) => void response.destroy()
const garbage: Answer = (response) => void response.writeHead(200).end('<h1>')
const tooLarge: Answer = { status: 200, body: { _embedded: { devices: Array(1001).fill({}) } } }

function fail(part: string, answer: Answer, times = Number.POSITIVE_INFINITY): void {
  let remaining = times
  upstream.rule = ({ target }) => {
    if (!target.includes(part) || remaining === 0) return undefined
    remaining -= 1
    return answer
  }
}

t.test('one fetch serves any number of concurrent calls', async (t) => {
  const paths = [PROJECTS, TREE, customerPath('devices'), customerPath('devices?q=ahu&page=2')]
  const calls = Array.from({ length: 40 }, (_, index) => browser.call(paths[index % 4] ?? ''))
  for (const call of calls) t.equal((await call).status, 200)
  for (const part of LISTS) t.equal(callsTo(part), 1, part)
})

t.test('people with the same roles share a snapshot, but people with other roles do not', async (t) => {
  for (const person of [browser, colleague]) await person.json(PROJECTS)
  t.equal(listFetches(), 1)
  await admin.json(PROJECTS)
  t.equal(listFetches(), 2)
  const by = upstream.asked.filter(({ target }) => target.includes('/projects?page=0')).map(({ by }) => by)
  t.equal(new Set(by).size, 2)
})

t.test('fetches lists again only after half a minute, in the background', async (t) => {
  await browser.json(PROJECTS)
  time.now += FRESH_MS - 1
  await browser.json(PROJECTS)
  t.equal(listFetches(), 1)

  state.projects.add({ id: 'p-late', projectName: 'A late one', customerId: NOTABLE.northwind })
  t.teardown(() => state.projects.remove('p-late'))
  const gate = Promise.withResolvers<undefined>()
  upstream.rule = ({ target }) => (target.includes('/projects?page=0') ? gate.promise : undefined)
  time.now += 2
  t.notOk((await names(colleague)).includes('A late one'))
  gate.resolve(undefined)
  await eventually(async () => (await names(browser)).includes('A late one'))
  t.equal(listFetches(), 2)
})

t.test('fetches lists again after the clock was set back', async (t) => {
  await browser.json(PROJECTS)
  time.now -= FRESH_MS
  await browser.json(PROJECTS)
  t.equal(listFetches(), 2)
})

t.test('a slow search of points can use its snapshot after a newer one has replaced it', async (t) => {
  await browser.json(PROJECTS)
  time.now += FRESH_MS + 1
  state.projects.add({ id: 'p-newer', projectName: 'A newer one', customerId: NOTABLE.northwind })
  t.teardown(() => state.projects.remove('p-newer'))
  const gate = Promise.withResolvers<undefined>()
  upstream.rule = ({ target }) => (target.includes('/entitymodel/') ? gate.promise : undefined)
  const searches = Array.from({ length: 3 }, () => browser.call(customerPath('points?q=temp&size=10')))
  await eventually(async () => (await names(colleague)).includes('A newer one'))
  gate.resolve(undefined)
  for (const answer of await Promise.all(searches)) {
    t.equal(answer.status, 200)
    t.ok(((await answer.json()) as { items: unknown[] }).items.length > 0)
  }
})

t.test('a failed reload keeps the previous snapshot for 15 minutes', async (t) => {
  const before = await browser.json<CustomerTree>(TREE)
  for (const answer of [{ status: 503 }, reset, garbage, tooLarge]) {
    // Waits longer than the cache remembers a failure.
    time.now += FRESH_MS + BACK_OFF_MS
    fail('/devices?page=0', answer)
    const count = callsTo('/devices?page=0')
    t.strictSame(await browser.json(TREE), before)
    await eventually(() => callsTo('/devices?page=0') > count)
    t.strictSame(await browser.json(TREE), before)
  }
  fail('/devices?page=0', { status: 503 })
  time.now += STALE_MAX_MS
  t.equal((await browser.call(TREE)).status, 503)
  resetAll()
  t.not((await browser.json<CustomerTree>(TREE)).assembledAt, before.assembledAt)
})

const change = (method: string, path: string, body?: object) =>
  editor.call(`/api/v2/management/${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    ...(body ? { body: JSON.stringify(body) } : {})
  })
const deviceNames = async () => {
  const { items } = await editor.json<DevicePage>(customerPath('devices?q=burst&size=1000'))
  return items.map(({ deviceName }) => deviceName)
}

t.test('a burst of edits fetches the customer once, and each list has the edits before it', async (t) => {
  const devices = state.devices.of(NOTABLE.northwind).slice(0, 12)
  for (const [number, { id }] of devices.entries()) {
    const answer = await change('PATCH', `devices/${id}`, { deviceName: `Burst ${number}` })
    t.equal(answer.status, 200)
  }
  t.equal(listFetches(), 1, 'all proofs of ownership use one fetch')
  t.equal((await deviceNames()).length, 12)
  t.equal(listFetches(), 2)
  await change('PATCH', `devices/${devices[0]?.id}`, { deviceName: 'Burst again' })
  t.ok((await deviceNames()).includes('Burst again'))
  t.equal(listFetches(), 3)
})

t.test('a list that is being fetched during an edit is not shown after it', async (t) => {
  const [device] = state.devices.of(NOTABLE.northwind)
  await change('PATCH', `devices/${device?.id}`, { deviceName: 'Burst before' })
  const { promise, resolve } = Promise.withResolvers<void>()
  let isHeld = false
  upstream.rule = async ({ target }) => {
    if (!target.includes(SUBSCRIPTIONS) || isHeld) return undefined
    isHeld = true
    await promise
    return undefined
  }
  const earlier = deviceNames()
  await eventually(async () => isHeld)
  await change('PATCH', `devices/${device?.id}`, { deviceName: 'Burst after' })
  const later = deviceNames()
  t.ok((await later).includes('Burst after'))
  resolve()
  await earlier
  t.ok((await deviceNames()).includes('Burst after'), 'the earlier fetch does not replace the later one')
})

t.test('edits prove ownership with data of at most half a minute', async (t) => {
  const [device] = state.devices.of(NOTABLE.northwind)
  const edit = () => change('PATCH', `devices/${device?.id}`, { location: 'Roof' })
  await edit()
  time.now += FRESH_MS
  await edit()
  t.equal(listFetches(), 1)
  time.now += 1
  await edit()
  t.equal(listFetches(), 2)
})

t.test('a deleted device cannot be addressed right after its deletion', async (t) => {
  const device = state.devices.of(NOTABLE.northwind).at(-1)
  t.equal((await change('PATCH', `devices/${device?.id}`, { location: 'Roof' })).status, 200)
  t.equal((await change('DELETE', `devices/${device?.id}`)).status, 204)
  const before = upstream.asked.length
  t.equal((await change('PATCH', `devices/${device?.id}`, { location: 'Cellar' })).status, 404)
  t.equal(
    upstream.asked.slice(before).filter(({ target }) => target.includes(`/devices/${device?.id}`)).length,
    0
  )
})

t.test('a reload fetches each list once, whether the list has changed or not', async (t) => {
  const firstAnswer = await browser.call(TREE)
  const before = (await firstAnswer.json()) as CustomerTree
  const reload = async () => {
    upstream.asked.length = 0
    time.now += FRESH_MS + 1
    // Repeats the call, since the previous fetch may still be running.
    await eventually(async () => {
      await browser.json(TREE)
      return LISTS.every((part) => callsTo(part) > 0)
    })
  }
  const eachOnce = () => LISTS.every((part) => callsTo(part) === 1)
  await reload()
  t.strictSame(await browser.json(TREE), before)
  const etag = firstAnswer.headers.get('etag') ?? ''
  t.equal((await browser.call(TREE, { headers: { 'if-none-match': etag } })).status, 304)
  t.ok(eachOnce())

  const [subscription] = state.subscriptions.get(NOTABLE.northwind) ?? []
  if (!subscription) return t.fail('the sample has no subscription')
  const { endDate } = subscription
  t.teardown(() => Object.assign(subscription, { endDate }))
  subscription.endDate = '2099-12-31T00:00:00.000Z'
  await reload()
  await eventually(async () => JSON.stringify(await browser.json(TREE)).includes('2099-12-31'))
  t.ok(eachOnce())
})

t.test('answers a failure without a previous snapshot, and does not cache the failure', async (t) => {
  const network = { title: 'Network Connectivity Failed', detail: 'Unable to get the details.' }
  const cases: [answer: Answer, status: number, words: object][] = [
    [{ status: 503 }, 503, network],
    [garbage, 502, { title: 'Something went wrong' }],
    [{ status: 403 }, 403, { title: 'Not allowed' }]
  ]
  for (const [failure, status, words] of cases) {
    resetAll()
    fail('/devices?page=0', failure)
    const answer = await browser.call(PROJECTS)
    t.equal(answer.status, status)
    t.match(await answer.json(), words)
    upstream.rule = () => undefined
    t.equal((await browser.call(PROJECTS)).status, 200)
  }
})

t.test('after too large answers, does not fetch a customer again for half a minute', async (t) => {
  fail('/devices?page=0', tooLarge)
  const answers = await Promise.all(Array.from({ length: 5 }, () => browser.call(TREE)))
  for (const answer of answers) {
    t.equal(answer.status, 502)
    t.match(await answer.json(), { type: 'urn:portal:problem:upstream_too_large' })
  }
  t.equal(listFetches(), 1)
  upstream.rule = () => undefined
  time.now += BACK_OFF_MS - 1
  t.equal((await browser.call(TREE)).status, 502)
  t.equal(listFetches(), 1)
  t.equal((await admin.call(TREE)).status, 200, 'a caller with other roles')
  time.now += 2
  t.equal((await browser.call(TREE)).status, 200)
})

t.test('reports failed subscriptions as missing, and soon fetches them again', async (t) => {
  for (const answer of [{ status: 503 }, garbage]) {
    resetAll()
    fail(SUBSCRIPTIONS, answer)
    const devices = await browser.json<DevicePage>(customerPath('devices?size=1000'))
    t.strictSame(devices.partial, ['subscriptions'])
    t.ok(devices.items.every(({ subscriptions }) => subscriptions.length === 0))
    t.strictSame((await browser.json<ProjectList>(PROJECTS)).partial, ['subscriptions'])
    t.match(await browser.json<CustomerTree>(TREE), { partial: ['subscriptions'], projects: { length: 63 } })
    upstream.rule = () => undefined
    time.now += PARTIAL_MS + 1
    const complete = await browser.json<DevicePage>(customerPath('devices?size=1000'))
    t.strictSame(complete.partial, [])
    t.ok(complete.items.some(({ subscriptions }) => subscriptions.length > 0))
  }
})

t.test('cancels a fetch when no caller waits for it', async (t) => {
  const gate = Promise.withResolvers<undefined>()
  upstream.rule = ({ target }) => (target.includes('/devices?page=0') ? gate.promise : undefined)
  const aborter = new AbortController()
  const call = browser.call(TREE, { signal: aborter.signal }).catch(() => 'gone')
  await eventually(() => callsTo('/devices?page=0') > 0)
  aborter.abort()
  t.equal(await call, 'gone')
  await eventually(() => portal.logged.some((line) => line.includes('"status":499')))
  upstream.rule = () => undefined
  // The next caller starts a new fetch, so the first fetch was cancelled.
  await browser.json(TREE)
  t.equal(callsTo('/devices?page=0'), 2)
  t.equal(callsTo(SECOND_PAGE), 1, 'the first fetch read no second page')
  gate.resolve(undefined)
})
