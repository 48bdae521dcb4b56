import t, { type Test } from 'tap'
import type { CustomerTree, DevicePage, Problem, ProjectList } from '#shared/entities.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
const customerPath = (rest: string, customer: string = NOTABLE.northwind) =>
  `/api/portal/v1/customers/${customer}/${rest}`
const PROJECTS = customerPath('projects')
const TREE = customerPath('tree')

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const { state, faults, calls } = sandbox

/** Short enough to be waited for, and longer than a busy machine stands still. */
const TIMEOUT_MS = '5000'

/** Has the directory read: what fails after that are the lists. */
const locate = (browser: Browser) => browser.json(`/api/v2/management/organizations/${NOTABLE.northwind}`)

/**
 * A gateway that knows nothing yet, with a clock to move; people sign in at the real time.
 * @param fault that is to come: one that never answers is given up soon
 */
async function scene(t: Test, fault?: string) {
  faults.clear()
  const time = { now: Date.now() }
  const env = { CALLS_IN_FLIGHT: '100', ...(fault === 'timeout' ? { UPSTREAM_TIMEOUT_MS: TIMEOUT_MS } : {}) }
  const portal = await startPortal(t, { startedSandbox: sandbox, clock: () => time.now, env })
  const person = (username = 'customer.user') => signIn(portal.url, sandbox, username)
  const browser = await person()
  calls.length = 0
  return { time, person, browser }
}

const asked = (part: string) => calls.filter(({ url }) => url.includes(part)).length
const lists = () => asked('/projects?page=0')
const names = async (browser: Browser) =>
  (await browser.json<ProjectList>(PROJECTS)).projects.map(({ projectName }) => projectName)

t.test('one fetch serves any number of waiters', async (t) => {
  const { browser } = await scene(t)
  const paths = [PROJECTS, TREE, customerPath('devices'), customerPath('devices?q=ahu&page=2')]
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => browser.call(paths[index % 4] ?? ''))
  )
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
  t.equal(lists(), 1)
  t.equal(asked('/devices?page=0&size=1000'), 1)
  t.equal(asked('/devices?page=1&size=1000'), 1)
  t.equal(asked('/api/v1/subscription/customers/'), 1)
})

t.test('people who see the same share it, people who do not have their own', async (t) => {
  const { browser, person } = await scene(t)
  await browser.json(PROJECTS)
  const before = lists()
  await (await person()).json(PROJECTS)
  t.equal(lists(), before, 'the same roles')
  await (await person('customer.admin')).json(PROJECTS)
  t.equal(lists(), before + 1, 'another role')
  const bearers = new Set(
    calls.filter(({ url }) => url.includes('/projects?page=0')).map(({ headers }) => headers.authorization)
  )
  t.equal(bearers.size, 2, 'each asked with a token of their own')
})

t.test('for half a minute nothing is fetched again, then behind the back of whoever asks', async (t) => {
  const { browser, time } = await scene(t)
  await browser.json(PROJECTS)
  const before = lists()
  time.now += FRESH_MS - 1
  await browser.json(PROJECTS)
  t.equal(lists(), before)

  state.projects.add({ id: 'p-late', projectName: 'A late one', customerId: NOTABLE.northwind })
  t.teardown(() => state.projects.remove('p-late'))
  time.now += 2
  faults.set('management', 'slow:700', 3)
  t.notOk((await names(browser)).includes('A late one'), 'the previous one is served')
  await eventually(async () => (await names(browser)).includes('A late one'))
  t.equal(lists(), before + 1, 'and one fetch was enough')
})

t.test('a failed reload keeps the previous one', async (t) => {
  const [device] = state.devices.of(NOTABLE.northwind)
  if (!device) return t.fail('the sample has no device')
  for (const fault of ['503', '500', 'reset', 'garbage', 'timeout']) {
    const { browser, time } = await scene(t, fault)
    const before = await browser.json<CustomerTree>(TREE)
    time.now += FRESH_MS + 1
    await locate(browser)
    faults.set('management', fault)
    // Whichever of its calls fails first gives up the others, sent or not.
    const count = asked('/organizations/')
    t.strictSame(await browser.json(TREE), before, fault)
    // What was begun before may still be under way.
    await eventually(async () => {
      t.strictSame(await browser.json(TREE), before, `${fault}, once more`)
      return asked('/organizations/') > count
    })
    faults.clear('management')
    device.location = `Where it was not before ${fault}`
    time.now += FRESH_MS + 1
    await eventually(async () => (await browser.json<CustomerTree>(TREE)).assembledAt !== before.assembledAt)
  }
})

t.test('at a reload each list is asked for once, whether it has changed or not', async (t) => {
  const { browser, time } = await scene(t)
  const listed = [
    ['projects', '/projects?page=0'],
    ['devices, first page', '/devices?page=0'],
    ['devices, second page', '/devices?page=1'],
    ['subscriptions', '/api/v1/subscription/customers/']
  ] as const
  const counts = () => listed.map(([name, part]) => [name, asked(part)])
  const reload = async () => {
    calls.length = 0
    time.now += FRESH_MS + 1
    await browser.json(TREE)
    await eventually(async () => asked('/devices?page=1') > 0)
  }
  const before = await browser.json<CustomerTree>(TREE)
  await reload()
  t.strictSame(await browser.json(TREE), before, 'nothing has changed, not even when it was put together')
  t.strictSame(
    counts(),
    listed.map(([name]) => [name, 1])
  )

  const [subscription] = state.subscriptions.get(NOTABLE.northwind) ?? []
  if (!subscription) return t.fail('the sample has no subscription')
  const { endDate } = subscription
  t.teardown(() => Object.assign(subscription, { endDate }))
  subscription.endDate = '2099-12-31T00:00:00.000Z'
  await reload()
  await eventually(async () => JSON.stringify(await browser.json(TREE)).includes('2099-12-31'))
  t.strictSame(
    counts(),
    listed.map(([name]) => [name, 1]),
    'a change takes no further call'
  )
})

t.test('after a quarter of an hour an old one is not served any more', async (t) => {
  const { browser, time } = await scene(t)
  const before = await browser.json<CustomerTree>(TREE)
  time.now += STALE_MAX_MS - 1000
  await locate(browser)
  faults.set('management', '503')
  t.strictSame(await browser.json(TREE), before, 'not yet')
  time.now += 1001
  t.equal((await browser.call(TREE)).status, 503)
  faults.clear()
  t.not((await browser.json<CustomerTree>(TREE)).assembledAt, before.assembledAt)
})

t.test('without a previous one, the failure is told as what it is', async (t) => {
  const network = { title: 'Network Connectivity Failed', detail: 'Unable to get the details.' }
  const other = { title: 'Something went wrong' }
  const cases: [fault: string, status: number, words: object][] = [
    ['503', 503, network],
    ['timeout', 504, network],
    ['reset', 503, network],
    ['500', 502, other],
    ['garbage', 502, other],
    ['404', 404, { title: 'Not found' }],
    ['403', 403, { title: 'Not allowed' }]
  ]
  for (const [fault, status, words] of cases) {
    const { browser } = await scene(t, fault)
    faults.set('management', fault)
    const answer = await browser.call(PROJECTS)
    t.equal(answer.status, status, fault)
    const problem = (await answer.json()) as Problem
    t.match(problem, words)
    t.notMatch(JSON.stringify(problem), /localhost|ECONN|<h1>|undici/)
    faults.clear()
    t.equal((await browser.call(PROJECTS)).status, 200, 'no failure is kept')
  }
})

t.test('an upstream that cannot be reached is tried three times, its own refusal once', async (t) => {
  for (const [fault, tries] of [
    ['reset', 3],
    ['503', 1],
    ['500', 1]
  ] as const) {
    const { browser } = await scene(t)
    faults.set('subscription', fault)
    await browser.json(PROJECTS)
    t.equal(asked('/api/v1/subscription/customers/'), tries, fault)
  }
  const { browser } = await scene(t)
  faults.set('subscription', 'reset', 2)
  t.strictSame((await browser.json<ProjectList>(PROJECTS)).partial, [], 'the third try got through')
})

t.test('failed subscriptions yield none, say so, and are soon asked for again', async (t) => {
  for (const fault of ['503', 'garbage', 'timeout']) {
    const { browser, time } = await scene(t, fault)
    faults.set('subscription', fault)
    const devices = await browser.json<DevicePage>(customerPath('devices?size=1000'))
    t.strictSame(devices.partial, ['subscriptions'], fault)
    t.ok(devices.items.every(({ subscriptions }) => subscriptions.length === 0))
    t.strictSame((await browser.json<ProjectList>(PROJECTS)).partial, ['subscriptions'])
    const tree = await browser.json<CustomerTree>(TREE)
    t.strictSame(tree.partial, ['subscriptions'])
    t.equal(tree.projects.length, 63)
    faults.clear()
    time.now += 2001
    const mended = await browser.json<DevicePage>(customerPath('devices?size=1000'))
    t.strictSame(mended.partial, [])
    t.ok(mended.items.some(({ subscriptions }) => subscriptions.length > 0))
  }
})

t.test('a write through the gateway shows at once, to everybody', async (t) => {
  const { browser: reader, person } = await scene(t)
  const admin = await person('partner.admin')
  const [project] = state.projects.of(NOTABLE.northwind)
  if (!project) return t.fail('the sample has no project')
  const previous = project.projectName
  await Promise.all([names(admin), names(reader)])
  const rename = (projectName: string) =>
    admin.call(`/api/v2/management/projects/${project.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
      body: JSON.stringify({ projectName })
    })
  t.equal((await rename('Renamed through the gateway')).status, 200)
  for (const browser of [admin, reader]) {
    t.ok((await names(browser)).includes('Renamed through the gateway'))
    t.notOk((await names(browser)).includes(previous))
  }
  const before = lists()
  t.equal((await rename('x'.repeat(51))).status, 400)
  await names(admin)
  t.equal(lists(), before, 'a refused write changes nothing')
  await rename(previous)
})

t.test('an unchanged customer keeps its bytes, its ETag and its time of assembly', async (t) => {
  const { browser, time } = await scene(t)
  const first = await browser.call(TREE)
  const before = (await first.json()) as CustomerTree
  const count = asked('/devices?page=0')
  time.now += FRESH_MS + 1
  await eventually(async () => {
    await browser.json(PROJECTS)
    return asked('/devices?page=1') > count
  })
  const again = await browser.call(TREE, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  t.equal(again.status, 304)
  t.equal((await browser.json<CustomerTree>(TREE)).assembledAt, before.assembledAt)
})

t.test('what nobody waits for any more is given up', async (t) => {
  const upstream = await startControlledUpstream(t, sandbox)
  const portal = await startPortal(t, { startedSandbox: sandbox, env: { UPSTREAM_URL: upstream.url } })
  const browser = await signIn(portal.url, sandbox, 'customer.user')
  const asked = (part: string) => upstream.asked.filter(({ target }) => target.includes(part)).length
  const held = Promise.withResolvers<void>()
  upstream.rule = async ({ target }) => {
    if (target.includes('/devices?page=0')) await held.promise
    return undefined
  }
  const gone = new AbortController()
  const call = browser.call(TREE, { signal: gone.signal }).catch(() => 'gone')
  await eventually(() => asked('/devices?page=0') > 0)
  gone.abort()
  t.equal(await call, 'gone')
  await eventually(() => portal.logged.some((line) => line.includes('"status":499')))
  upstream.rule = () => undefined
  // Another caller begins anew: with what was under way it would have needed no further fetch.
  await browser.json(TREE)
  t.equal(asked('/devices?page=0'), 2)
  t.equal(asked('/devices?page=1'), 1, 'the second page was asked for once only')
  held.resolve()
})

t.test('devices are chosen by service and expiry, and by nothing else', async (t) => {
  const { browser } = await scene(t)
  const devices = (query: string) => browser.call(customerPath(`devices?${query}`))
  for (const query of [
    'service=Other',
    'service=',
    'service=nds',
    'expires=8',
    'expires=',
    'expires=-7',
    'expires=7&expires=30'
  ])
    t.equal((await devices(query)).status, 400, query)
  const counts = new Map<string, number>()
  for (const query of ['', 'service=NDS', 'expires=7', 'expires=30', 'service=NDS&expires=30']) {
    const { page } = (await (await devices(query)).json()) as DevicePage
    counts.set(query, page.totalElements)
  }
  const [all = 0, nds = 0, red = 0, orange = 0, both = 0] = [...counts.values()]
  t.ok(
    0 < red && red < orange && orange < all && 0 < both && both < nds && nds < all,
    `${[...counts.values()]}`
  )
})
