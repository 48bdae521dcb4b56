import t from 'tap'
import type { Bootstrap, CustomerCard, Device, Page, Problem, ProjectList } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const customersPath = (organization: string, query = '') =>
  `/api/portal/v1/organizations/${organization}/customers${query}`
const customerPath = (customer: string, rest: string) => `/api/portal/v1/customers/${customer}/${rest}`

const portal = await startPortal(t)
const { state } = portal.sandbox
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const customersOfPartner = customersOf(state, NOTABLE.partner).sort((a, b) =>
  byName.compare(a.orgName, b.orgName)
)

const cards = (browser: Browser, organization: string, query = '') =>
  browser.json<Page<CustomerCard>>(customersPath(organization, query))
const problemOf = async (answer: Response) => (await answer.json()) as Problem

t.test('what is asked wrongly is told which parameter it is', async (t) => {
  const browser = await portal.as('partner.admin')
  const devices = customerPath(NOTABLE.northwind, 'devices')
  const customers = customersPath(NOTABLE.partner)
  const cases: [path: string, parameter: string][] = [
    [`${devices}?page=-1`, 'page'],
    [`${devices}?page=1.5`, 'page'],
    [`${devices}?page=x`, 'page'],
    [`${devices}?page=1&page=2`, 'page'],
    [`${devices}?size=0`, 'size'],
    [`${devices}?size=1001`, 'size'],
    [`${devices}?sort=systemGuid`, 'sort'],
    [`${devices}?sort=`, 'sort'],
    [`${devices}?order=up`, 'order'],
    [`${devices}?q=${'x'.repeat(201)}`, 'q'],
    [`${customers}?page=-1`, 'page'],
    [`${customers}?size=1001`, 'size'],
    [`${customers}?keyword=${'x'.repeat(201)}`, 'keyword']
  ]
  for (const [path, parameter] of cases) {
    const answer = await browser.call(path)
    t.equal(answer.status, 400, path.slice(0, 80))
    t.match(await problemOf(answer), {
      type: 'urn:portal:problem:bad_request',
      detail: `querystring/${parameter}`
    })
  }
})

t.test('what does not exist is 404, in our form', async (t) => {
  const browser = await portal.as('global.admin')
  for (const path of [
    customersPath('none'),
    customerPath('none', 'projects'),
    customerPath('none', 'devices'),
    customerPath('none', 'tree'),
    customerPath(NOTABLE.partner, 'projects'),
    customerPath(NOTABLE.northwind, 'devices/no-such-device'),
    customerPath('', 'projects'),
    customerPath('x'.repeat(90), 'projects'),
    '/api/portal/v1',
    '/api/portal/v1/',
    '/api/portal/v2/bootstrap'
  ]) {
    const answer = await browser.call(path)
    t.equal(answer.status, path.includes('//') ? 400 : 404, path)
    t.match(answer.headers.get('content-type'), 'application/problem+json')
    t.match(await problemOf(answer), { requestId: /./, title: /./, detail: /./ })
  }
  const foreign = portal.sandbox.state.devices.of(NOTABLE.otherPartnersCustomer)[0]
  const answer = await browser.call(customerPath(NOTABLE.northwind, `devices/${foreign?.deviceUuid}`))
  t.equal(answer.status, 404, 'another customer’s device')
})

t.test('customers come in pages, in the order of their names', async (t) => {
  const browser = await portal.as('partner.admin')
  const seen: CustomerCard[] = []
  const lengths: number[] = []
  for (let page = 0; page < 4; page += 1) {
    const { items, page: at } = await cards(browser, NOTABLE.partner, `?page=${page}`)
    t.strictSame(at, { number: page, size: 20, totalPages: 3, totalElements: 45 })
    lengths.push(items.length)
    seen.push(...items)
  }
  t.strictSame(lengths, [20, 20, 5, 0])
  t.strictSame(
    seen,
    customersOfPartner.map(({ id, orgName }) => ({
      id,
      orgName,
      projectCount: state.projects.of(id).length,
      deviceCount: state.devices.of(id).length,
      scope: `/organizations/100/customers/${id}`
    }))
  )
  t.equal((await cards(browser, NOTABLE.partner, '?size=1000')).items.length, 45)
  t.equal((await cards(browser, NOTABLE.partner, '?size=1&page=44')).items.length, 1)
})

t.test('a keyword finds part of a name, whatever its case', async (t) => {
  const browser = await portal.as('partner.user')
  for (const keyword of ['hospital', 'HOSPITAL', ' Hospital ', 'a', '&', 'St. B', 'zzz', '.*', '%']) {
    const wanted = keyword.trim().toLowerCase()
    const expected = customersOfPartner.filter(({ orgName }) => orgName.toLowerCase().includes(wanted))
    const { items, page } = await cards(
      browser,
      NOTABLE.partner,
      `?size=1000&keyword=${encodeURIComponent(keyword)}`
    )
    t.strictSame(
      items.map(({ id }) => id),
      expected.map(({ id }) => id),
      keyword
    )
    t.equal(page.totalElements, expected.length)
  }
})

t.test('everybody sees the customers that are theirs, and nobody else’s', async (t) => {
  const cases: [username: string, organization: string, customers: number | string[]][] = [
    ['no.access', NOTABLE.partner, []],
    ['customer.admin', NOTABLE.partner, []],
    ['customer.admin', 'c-1002', []],
    ['partner.admin', NOTABLE.partnerWithoutTechView, []],
    ['custom.user', NOTABLE.partner, [...NOTABLE.custom]],
    ['customer.multi', NOTABLE.multi[0], [...NOTABLE.multi]],
    ['customer.admin', NOTABLE.northwind, [NOTABLE.northwind]],
    ['customer.user', NOTABLE.northwind, [NOTABLE.northwind]],
    ['partner.user', NOTABLE.partner, 45],
    ['niagara.remote', NOTABLE.partner, 45],
    ['nds.operator', NOTABLE.partner, 45],
    ['global.admin', NOTABLE.partner, 45],
    ['global.admin', NOTABLE.partnerWithoutTechView, 6]
  ]
  for (const [username, organization, customers] of cases) {
    const answer = await (await portal.as(username)).call(customersPath(organization, '?size=1000'))
    const name = `${username} at ${organization}`
    if (Array.isArray(customers) && customers.length === 0) {
      t.equal(answer.status, 403, name)
      continue
    }
    const { items } = (await answer.json()) as Page<CustomerCard>
    if (Array.isArray(customers)) t.strictSame(items.map(({ id }) => id).sort(), customers, name)
    else t.equal(items.length, customers, name)
    for (const { scope, id } of items) t.match(scope, new RegExp(`^/organizations/\\d+/customers/${id}$`))
  }
})

t.test('projects come with their device counts, in the order of their names', async (t) => {
  const browser = await portal.as('customer.user')
  const list = await browser.json<ProjectList>(customerPath(NOTABLE.northwind, 'projects'))
  t.strictSame(list.totals, { projects: 63, devices: 1240 })
  t.strictSame(list.partial, [])
  t.strictSame(list.customer, {
    id: NOTABLE.northwind,
    orgName: 'Northwind Hospitals',
    scope: `/organizations/100/customers/${NOTABLE.northwind}`
  })
  const counts = new Map<string, number>()
  for (const { projectId } of state.devices.of(NOTABLE.northwind))
    counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  const expected = [...state.projects.of(NOTABLE.northwind)]
    .sort((a, b) => byName.compare(a.projectName, b.projectName))
    .map(({ id, projectName }) => ({ id, projectName, deviceCount: counts.get(id) ?? 0 }))
  t.strictSame(list.projects, expected)
})

t.test('a customer without projects, and one whose project has no devices, are no errors', async (t) => {
  const browser = await portal.as('partner.user')
  const empty = await browser.json<ProjectList>(customerPath(NOTABLE.withoutProjects, 'projects'))
  t.match(empty, { projects: [], totals: { projects: 0, devices: 0 }, partial: [] })
  const bare = await browser.json<ProjectList>(customerPath(NOTABLE.withoutDevices, 'projects'))
  t.match(bare, { projects: [{ deviceCount: 0 }], totals: { projects: 1, devices: 0 } })
  for (const id of [NOTABLE.withoutProjects, NOTABLE.withoutDevices]) {
    const page = await browser.json<Page<Device>>(customerPath(id, 'devices'))
    t.match(page, { items: [], page: { number: 0, size: 15, totalPages: 0, totalElements: 0 } })
  }
})

t.test('the first call of the client tells who is there and what they may do', async (t) => {
  const all = ['devices:view', 'projects:view', 'alarms:query', 'live:read']
  const cases: [
    username: string,
    customers: [count: number, only: string | null],
    may: string[],
    mayNot: string[]
  ][] = [
    ['no.access', [0, null], [], ['devices:view', 'customers:view', 'users:view']],
    ['invited.user', [0, null], [], ['devices:view']],
    ['global.admin', [0, null], [...all, 'customers:view', 'service-accounts:create'], []],
    ['partner.admin', [45, null], [...all, 'customers:view', 'devices:register', 'users:view'], []],
    [
      'partner.user',
      [45, null],
      [...all, 'exports:download'],
      ['devices:register', 'users:view', 'live:write']
    ],
    ['niagara.remote', [45, null], [...all, 'remote:connect'], ['exports:view', 'live:write']],
    ['nds.operator', [45, null], [...all, 'live:write', 'alarms:manage'], ['remote:connect', 'recover:view']],
    [
      'customer.admin',
      [1, NOTABLE.northwind],
      [...all, 'users:view', 'reports:create'],
      ['customers:view', 'projects:create']
    ],
    ['customer.user', [1, NOTABLE.northwind], all, ['customers:view', 'reports:create', 'remote:connect']],
    ['customer.multi', [3, null], all, ['customers:view', 'users:view']],
    ['custom.user', [2, null], [...all, 'users:view'], ['customers:view']]
  ]
  for (const [username, [count, only], may, mayNot] of cases) {
    const { customers, actions, user } = await (await portal.as(username)).json<Bootstrap>(BOOTSTRAP)
    t.equal(customers.count, count, username)
    t.equal(customers.only?.id ?? null, only, username)
    for (const action of may) t.ok((actions as string[]).includes(action), `${username} may ${action}`)
    for (const action of mayNot)
      t.notOk((actions as string[]).includes(action), `${username} may not ${action}`)
    t.equal(user.email, `${username}@portal.example`)
  }
})

t.test('the deployment’s texts, links and flags are told; what is not set is null', async (t) => {
  const now = Date.now()
  const bare = await (await portal.as('customer.user')).json<Bootstrap>(BOOTSTRAP)
  t.match(bare, {
    banner: null,
    support: { phone: null, email: null },
    links: { remote: null, thirdPartyApp: null, privacy: [], licensing: null },
    session: { noticeSeconds: 60 }
  })
  const env = {
    SERVICE_BANNER: 'Maintenance tonight',
    FEATURE_FLAGS: 'enableServiceBanner,-enableDarkTheme',
    THIRD_PARTY_APP_URL: 'https://apps.example/start',
    SUPPORT_PHONE: '+1 555 0100',
    SUPPORT_EMAIL: 'help@example.com',
    PRIVACY_LINKS: 'Privacy|https://example.com/privacy,Imprint|https://example.com/imprint',
    LICENSING_URL: 'https://licensing.example/',
    REMOTE_URL: 'https://remote.example',
    SESSION_NOTICE_SECONDS: '90'
  }
  const dressed = await startPortal(t, { startedSandbox: portal.sandbox, clock: () => now, env })
  t.match(await (await dressed.as('customer.user')).json<Bootstrap>(BOOTSTRAP), {
    banner: 'Maintenance tonight',
    flags: { enableServiceBanner: true, enableDarkTheme: false, enableHistoryCharting: true },
    support: { phone: '+1 555 0100', email: 'help@example.com' },
    links: {
      remote: 'https://remote.example',
      thirdPartyApp: { label: 'apps.example', url: 'https://apps.example/start' },
      privacy: [
        { label: 'Privacy', url: 'https://example.com/privacy' },
        { label: 'Imprint', url: 'https://example.com/imprint' }
      ],
      licensing: 'https://licensing.example/'
    },
    session: { noticeSeconds: 90 },
    now: new Date(now).toISOString()
  })
  const quiet = { ...env, FEATURE_FLAGS: '-enableServiceBanner,-enableThirdPartyApps' }
  const off = await startPortal(t, { startedSandbox: portal.sandbox, env: quiet })
  t.match(await (await off.as('customer.user')).json<Bootstrap>(BOOTSTRAP), {
    banner: null,
    links: { thirdPartyApp: null }
  })
})

t.test('changed roles take effect with the next page load', async (t) => {
  const alone = await startPortal(t)
  const browser = await alone.as('customer.user')
  const devices = customerPath(NOTABLE.northwind, 'devices')
  t.equal((await browser.call(devices)).status, 200)
  const user = alone.sandbox.state.users.get('u-customer-user')
  if (!user) return t.fail('the sample has no such user')
  const [role] = user.roleAssignments
  user.roleAssignments = []
  t.strictSame((await browser.json<Bootstrap>(BOOTSTRAP)).actions, [])
  t.equal((await browser.call(devices)).status, 403)
  user.roleAssignments = role ? [{ ...role, roleName: 'ncp_customer_admin', roleNumber: 4 }] : []
  t.ok((await browser.json<Bootstrap>(BOOTSTRAP)).actions.includes('users:view'))
  t.equal((await browser.call(devices)).status, 200)
})

t.test('answers about people and customers are not kept on the way', async (t) => {
  const browser = await portal.as('customer.user')
  for (const path of [
    BOOTSTRAP,
    customerPath(NOTABLE.northwind, 'projects'),
    customerPath(NOTABLE.northwind, 'tree')
  ])
    t.equal((await browser.call(path)).headers.get('cache-control'), 'private, no-cache', path)
  const refused = await browser.call(customersPath(NOTABLE.partner))
  t.equal(refused.headers.get('cache-control'), 'no-store')
})
