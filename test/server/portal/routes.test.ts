// The aggregated endpoints through a running gateway, and their shared code.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { bootstrapFor } from '#server/portal/bootstrap.ts'
import { cardsOf, pageOfCards } from '#server/portal/customers.ts'
import { sendJson } from '#server/portal/encoding.ts'
import type { CustomerCard, ProjectList } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { Bootstrap, Problem } from '#shared/answers/portal.ts'
import type { Organization } from '#shared/entities.ts'
import type { Assignment } from '#shared/permissions.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import { startControlledUpstream } from '#test/support/controlled-upstream.ts'
import { leastConfig } from '#test/support/least-config.ts'
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

t.test('answers 404 with a problem for unknown objects and paths', async (t) => {
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
  t.equal(answer.status, 404, 'a device of another customer')
})

t.test('the bootstrap names the user and the allowed actions', async (t) => {
  const cases: [username: string, count: number, only: string | null, may: string[], mayNot: string[]][] = [
    ['no.access', 0, null, [], ['devices:view', 'customers:view', 'users:view']],
    ['invited.user', 0, null, [], ['devices:view']],
    ['global.admin', 0, null, ['devices:view', 'customers:view', 'service-accounts:create'], []],
    ['partner.user', 45, null, ['customers:view', 'exports:download'], ['users:view', 'live:write']],
    ['customer.admin', 1, NOTABLE.northwind, ['users:view'], ['customers:view', 'projects:create']],
    ['customer.multi', 3, null, ['live:read'], ['customers:view', 'users:view']],
    ['custom.user', 2, null, ['users:view'], ['customers:view']]
  ]
  for (const [username, count, only, may, mayNot] of cases) {
    const { customers, actions, user } = await (await portal.as(username)).json<Bootstrap>(BOOTSTRAP)
    t.match([customers.count, customers.only?.id ?? null], [count, only], username)
    const has = (action: string) => (actions as string[]).includes(action)
    t.strictSame([may.filter(has), mayNot.filter(has)], [may, []], username)
    t.equal(user.email, `${username}@portal.example`)
  }
})

t.test('the bootstrap reads the user and the customers at the same time', async (t) => {
  const upstream = await startControlledUpstream(t, portal.sandbox)
  const { as } = await startPortal(t, {
    startedSandbox: portal.sandbox,
    env: { UPSTREAM_MANAGEMENT_URL: upstream.url }
  })
  const browser = await as('partner.user')
  const customersAsked = Promise.withResolvers<void>()
  upstream.rule = async ({ target }) => {
    if (target.includes('/customers')) customersAsked.resolve()
    if (target.endsWith('/myUser')) await customersAsked.promise
    return undefined
  }
  t.match(await browser.json(BOOTSTRAP), { user: { id: 'u-partner-user' }, customers: { count: 45 } })
})

t.test('lists customers by name, in pages, and finds them by part of the name', async (t) => {
  const browser = await portal.as('partner.admin')
  const listedCards: CustomerCard[] = []
  for (const [number, length] of [20, 20, 5, 0].entries()) {
    const { items, page } = await cards(browser, NOTABLE.partner, `?page=${number}`)
    t.strictSame(page, { number, size: 20, totalPages: 3, totalElements: 45 })
    t.equal(items.length, length)
    listedCards.push(...items)
  }
  const expected = customersOfPartner.map(({ id, orgName }) => ({
    id,
    orgName,
    scope: `/organizations/100/customers/${id}`,
    projectCount: state.projects.of(id).length,
    deviceCount: state.devices.of(id).length
  }))
  t.strictSame(listedCards, expected)
  const { items } = await cards(browser, NOTABLE.partner, '?size=1000&keyword=%20HOSPITAL')
  t.ok(items.length > 0)
  const hospitals = expected.filter(({ orgName }) => /hospital/i.test(orgName))
  t.strictSame(items, hospitals)
})

t.test('lists projects by name, with their device counts', async (t) => {
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

async function bootstrapOf(env: Record<string, string>, now = Date.now()) {
  const { user } = await (await portal.as('customer.user')).json<Bootstrap>(BOOTSTRAP)
  return bootstrapFor(user, [], leastConfig(env), now)
}
const DEPLOYMENT = {
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

t.test('the bootstrap of a deployment without settings has no texts and links', async (t) => {
  const now = Date.now()
  t.match(await bootstrapOf({}, now), {
    banner: null,
    support: { phone: null, email: null },
    links: { remote: null, thirdPartyApp: null, privacy: [], licensing: null },
    session: { noticeSeconds: 60 },
    now: new Date(now).toISOString()
  })
})

t.test('the bootstrap has the texts, links and flags of the deployment', async (t) => {
  t.match(await bootstrapOf(DEPLOYMENT), {
    banner: DEPLOYMENT.SERVICE_BANNER,
    flags: { enableServiceBanner: true, enableDarkTheme: false, enableHistoryCharting: true },
    support: { phone: DEPLOYMENT.SUPPORT_PHONE, email: DEPLOYMENT.SUPPORT_EMAIL },
    links: {
      remote: DEPLOYMENT.REMOTE_URL,
      thirdPartyApp: { label: 'apps.example', url: DEPLOYMENT.THIRD_PARTY_APP_URL },
      privacy: [{ label: 'Privacy', url: 'https://example.com/privacy' }, { label: 'Imprint' }],
      licensing: DEPLOYMENT.LICENSING_URL
    },
    session: { noticeSeconds: 90 }
  })
})

t.test('the bootstrap has no banner and no third-party app while their flags are off', async (t) => {
  const FEATURE_FLAGS = '-enableServiceBanner,-enableThirdPartyApps'
  t.match(await bootstrapOf({ ...DEPLOYMENT, FEATURE_FLAGS }), {
    banner: null,
    links: { thirdPartyApp: null }
  })
})

const textOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
const app = Fastify()
app.get<{ Params: { bytes: string } }>('/:bytes', (request, reply) =>
  sendJson(request, reply, Buffer.from(textOf(Number(request.params.bytes))))
)
t.teardown(() => app.close())
t.test('compresses large answers in an encoding that the caller accepts', async (t) => {
  const cases: [bytes: number, accepts: string | undefined, encoding: 'br' | 'gzip' | undefined][] = [
    ...[undefined, '', 'identity', 'zstd', 'br;q=0', 'br;q=0, gzip;q=0'].map(
      (accepts) => [4096, accepts, undefined] as [number, string | undefined, undefined]
    ),
    [1023, 'br', undefined],
    [1024, 'gzip, deflate, br, zstd', 'br'],
    [1024, 'gzip', 'gzip'],
    [1024, 'br;q=0, *', 'gzip']
  ]
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [bytes, accepts, encoding] of cases) {
    const headers: Record<string, string> = accepts === undefined ? {} : { 'accept-encoding': accepts }
    const answer = await app.inject({ url: `/${bytes}`, headers })
    t.equal(answer.headers['content-encoding'], encoding, `${bytes} ${accepts}`)
    t.match(answer.headers, { vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' })
    const { rawPayload } = answer
    t.equal((encoding ? decoders[encoding](rawPayload) : rawPayload).toString(), textOf(bytes))
  }
})

const organization = (id: string, orgName: string, partnerId: string | null = '100'): Organization => ({
  id,
  orgName,
  partnerId,
  isTechViewEnabled: false,
  projectCount: 1,
  deviceCount: 2
})
const at = (scope: string, role: Assignment['role'] = 'customer_user'): Assignment => ({ role, scope })
const ids = async (organizations: Organization[], requestedId: string, ...roles: Assignment[]) =>
  (await cardsOf(organizations, requestedId, roles)).map(({ id }) => id)

t.test('hides listed customers that the caller may not view', async (t) => {
  const sites = [organization('a', 'A'), organization('b', 'B'), organization('x', 'X', '200')]
  t.strictSame(await ids(sites, '100'), [], 'no role')
  t.strictSame(await ids(sites, '100', at('/organizations/100', 'custom')), [], 'the custom marker')
  t.strictSame(await ids(sites, '100', at('/organizations/10', 'partner_user')), [], 'a shorter id')
  t.strictSame(await ids(sites, '100', at('/organizations/100/customers/b')), ['b'])
  t.strictSame(await ids(sites, '100', at('/organizations/200/customers/b')), [], 'another integrator')
  t.strictSame(await ids(sites, '100', at('/organizations/100', 'partner_user')), ['a', 'b'])
  t.strictSame(await ids(sites, '100', at('/', 'global_admin')), ['a', 'b', 'x'])
})

t.test('shows a customer once that is listed twice', async (t) => {
  const sites = ['a', 'b', 'a'].map((id) => organization(id, id.toUpperCase()))
  t.strictSame(await ids(sites, '100', at('/', 'global_admin')), ['a', 'b'])
})

t.test('places a customer without an integrator below the requested organization', async (t) => {
  const orphans = [organization('a', 'A', null)]
  const scopes = async (...roles: Assignment[]) =>
    (await cardsOf(orphans, '100', roles)).map(({ scope }) => scope)
  t.strictSame(await scopes(at('/organizations/7/customers/a')), [])
  t.strictSame(await scopes(at('/organizations/7', 'partner_user')), [])
  t.strictSame(await scopes(at('/organizations/100', 'partner_user')), ['/organizations/100/customers/a'])
})

t.test('sorts customers by name in natural order, and finds them by part of the name', async (t) => {
  const sites = ['Site 10', 'site 2', 'Ärzte', 'Zoo'].map((name, index) => organization(String(index), name))
  const cards = await cardsOf(sites, '100', [at('/', 'global_admin')])
  t.equal(cards.map(({ orgName }) => orgName).join(), 'Ärzte,site 2,Site 10,Zoo')
  t.strictSame(pageOfCards(cards, ' SITE ', 0, 20).items, cards.slice(1, 3))
  t.strictSame(pageOfCards(cards, '', 1, 3), {
    items: cards.slice(3),
    page: { number: 1, size: 3, totalPages: 2, totalElements: 4 }
  })
  t.strictSame(pageOfCards(cards, '.*', 0, 20).items, [])
})

t.test('reads each role only a few times, for any number of customers', async (t) => {
  const COUNT = 5_000
  let reads = 0
  const roles = Array.from({ length: COUNT }, (_, index) => ({
    role: 'customer_user' as const,
    get scope() {
      reads += 1
      return `/organizations/7/customers/${index}`
    }
  }))
  const sites = Array.from({ length: COUNT }, (_, index) => organization(`${index}`, `Site ${index}`, '7'))
  t.equal((await cardsOf(sites, '100', roles)).length, COUNT)
  t.ok(reads < 10 * COUNT, `${reads} reads`)
})

t.test('other work runs while thousands of customers are sorted', async (t) => {
  const sites = Array.from({ length: 5_000 }, (_, index) =>
    organization(`${index}`, `Site ${(index * 7_919) % 5_000}`, '100')
  )
  let turns = 0
  let isRunning = true
  const count = () => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  t.equal((await cardsOf(sites, '100', [at('/', 'global_admin')])).length, sites.length)
  isRunning = false
  t.ok(turns > 5, `${turns} turns`)
})
