import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { handleError, problems } from '#server/errors.ts'
import { securityPlugin } from '#server/http/security-headers.ts'
import { staticPlugin } from '#server/http/static.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { leastConfig } from '../../support/least-config.ts'

const INDEX = '<!doctype html><head><title>Portal</title></head>'
const CUSTOMER_PAGE = 'features/sites/projects/projects-page.tsx'
const projects = { file: 'assets/projects.js', css: ['assets/projects.css'] }
const index = { file: 'assets/index.js', isEntry: true, css: ['assets/index.css'] }
const manifest = {
  'index.html': { ...index, imports: ['_vendor.js'] },
  '_vendor.js': { file: 'assets/vendor.js' },
  '_lists.js': { file: 'assets/lists.js', imports: ['_vendor.js'] },
  [CUSTOMER_PAGE]: { ...projects, imports: ['index.html', '_lists.js'] },
  'features/people/users/users-page.tsx': { file: 'assets/users.js', imports: ['index.html'] }
}
const root = t.testdir({
  'index.html': INDEX,
  'theme.js': '',
  '.vite': { 'manifest.json': JSON.stringify(manifest) }
})

const person = (userType: string, organizationId: string | null, role: string, scope: string) => ({
  userType,
  organizationId,
  fullName: '</script><script>alert(1)</script>',
  roleAssignments: [{ id: 'r', role, scope }]
})
const people: Record<string, unknown> = {
  partner: {
    user: person('PARTNER', '1', 'partner_admin', '/organizations/1'),
    customers: { only: null }
  },
  customer: {
    user: person('CUSTOMER', '1', 'customer_user', '/organizations/1/customers/9'),
    customers: { only: { id: '9' } }
  },
  global: { user: person('INTERNAL', null, 'global_admin', '/'), customers: {} }
}

let reads = 0
const app = Fastify()
app.setErrorHandler(handleError)
await app.register(securityPlugin, { config: leastConfig() })
await app.register(staticPlugin, { root, sessionCookie: 'portal', waitMs: 60_000 })
app.get('/api/portal/v1/bootstrap', async ({ headers }) => {
  reads += 1
  const name = headers.cookie?.replace('portal=', '') ?? ''
  if (name === 'unavailable') throw problems.storeUnavailable(null)
  if (!people[name]) throw problems.notSignedIn()
  return people[name]
})
const pageFor = (name: string, url = '/') => app.inject({ url, headers: { cookie: `portal=${name}` } })
const linksIn = (page: string) => [...page.matchAll(/<link rel="([^"]+)"[^>]* href="([^"]+)"/g)]
const hrefs = (page: string, relation: string) =>
  linksIn(page).flatMap(([, rel, href]) => (rel === relation ? [href] : []))

t.test('sends the page unchanged when there is no session or the store fails', async (t) => {
  for (const name of ['nobody', 'unavailable']) {
    const { body, headers } = await pageFor(name)
    t.equal(body, INDEX, name)
    t.equal(headers['cache-control'], 'no-cache')
  }
  t.equal((await app.inject('/')).body, INDEX)
})

t.test('links what the address alone says if the bootstrap takes longer than the limit', async (t) => {
  const slowApp = Fastify()
  await slowApp.register(securityPlugin, { config: leastConfig() })
  await slowApp.register(staticPlugin, { root, sessionCookie: 'portal', waitMs: 20 })
  slowApp.get('/api/portal/v1/bootstrap', () => {
    const { promise, resolve } = Promise.withResolvers<object>()
    const timer = setTimeout(() => resolve({}), 60_000)
    t.teardown(() => clearTimeout(timer))
    return promise
  })
  const { body, headers } = await slowApp.inject({
    url: '/customers/9',
    headers: { cookie: 'portal=partner' }
  })
  t.equal(headers['cache-control'], 'no-store')
  t.strictSame(hrefs(body, 'modulepreload'), ['/assets/projects.js', '/assets/lists.js'])
  t.ok(hrefs(body, 'preload').includes('/api/portal/v1/customers/9/projects'))
  t.notMatch(body, 'id="bootstrap"')
})

t.test('reads no session for files and for screens that need no session', async (t) => {
  reads = 0
  for (const url of ['/theme.js', '/index.html', '/signed-out', '/signin-failed', '/logout'])
    t.equal((await pageFor('partner', url)).statusCode, 200, url)
  t.equal(reads, 0)
})

t.test('compresses the prepared page with Brotli if the browser accepts it', async (t) => {
  const cookie = 'portal=partner'
  const send = (encodings: string) =>
    app.inject({ url: '/', headers: { cookie, 'accept-encoding': encodings } })
  t.equal((await send('br;q=0')).headers['content-encoding'], undefined)
  const { headers, rawPayload } = await send('gzip, br')
  t.equal(headers['content-encoding'], 'br')
  t.equal(brotliDecompressSync(rawPayload).toString(), (await pageFor('partner')).body)
})

t.test('the page contains the bootstrap as data that cannot close its script element', async (t) => {
  const { body, headers } = await pageFor('partner')
  t.match(headers, { 'cache-control': 'no-store', 'content-security-policy': /script-src 'self'/ })
  const [, json = ''] = /<script id="bootstrap" type="application\/json">(.*?)<\/script>/.exec(body) ?? []
  t.strictSame(JSON.parse(json), people.partner as Bootstrap)
})

t.test('links to the files of the screen, except files that every page loads', async (t) => {
  const { body } = await pageFor('partner', '/customers/9')
  t.strictSame(hrefs(body, 'modulepreload'), ['/assets/projects.js', '/assets/lists.js'])
  t.ok(hrefs(body, 'preload').includes('/assets/projects.css'))
})

t.test('links to the files of the person’s start screen', async (t) => {
  const preloadsOf = async (name: string) => hrefs((await pageFor(name)).body, 'modulepreload')
  t.strictSame(await preloadsOf('partner'), [])
  t.strictSame(await preloadsOf('customer'), ['/assets/projects.js', '/assets/lists.js'])
  t.strictSame(await preloadsOf('global'), ['/assets/users.js'])
})

t.test('preloads the first calls of the screen for each screen width', async (t) => {
  const { body } = await pageFor('partner', '/customers/9')
  t.match(body, '<link rel="preload" as="fetch" href="/api/portal/v1/customers/9/projects" crossorigin>')
  t.match(body, /size=15&amp;page=0" media="\(min-width: 1280px\) and \(pointer: fine\)"/)
  t.match(body, /size=10&amp;page=0" media="\(max-width: 1279.98px\), \(pointer: coarse\)"/)
  t.notMatch((await pageFor('partner', '/customers/9?q=ahu')).body, '/devices?')
})

const callsOf = async (name: string, url: string) =>
  hrefs((await pageFor(name, url)).body, 'preload').filter((href) => href?.startsWith('/api/'))

t.test('preloads an organization’s attention on a list of customers', async (t) => {
  const attention = '/api/portal/v1/organizations/1/attention'
  t.strictSame(await callsOf('partner', '/'), [attention])
  t.ok((await callsOf('global', '/integrators/1')).includes(attention))
})

t.test('preloads the projects of a customer on each of its pages, also below an integrator', async (t) => {
  const projects = '/api/portal/v1/customers/9/projects'
  for (const page of ['alarms', 'dataservice', 'savedbackups', 'serviceaccount'])
    t.strictSame(await callsOf('partner', `/customers/9/${page}`), [projects], page)
  t.ok((await callsOf('global', '/integrators/1/customers/9/alarms')).includes(projects))
})

t.test('preloads the device that the address names', async (t) => {
  const [, device] = await callsOf('partner', '/customers/9/devicedetails/history?deviceUuid=a%2Fb')
  t.equal(device, '/api/portal/v1/customers/9/devices/a%2Fb')
  t.equal((await callsOf('partner', '/customers/9/devicedetails')).length, 1)
})

t.test('preloads the list of integrators for global admins only', async (t) => {
  const [integrators = ''] = await callsOf('global', '/users')
  t.match(integrators, /findByIsTechViewEnabled/)
  t.strictSame(await callsOf('partner', '/users'), [])
})

t.test('links nothing for an address without a screen', async (t) => {
  t.strictSame(hrefs((await pageFor('partner', '/errors/remote')).body, 'modulepreload'), [])
  t.strictSame(await callsOf('partner', '/errors/remote'), [])
})

t.test('escapes parts of the address', async (t) => {
  const { body } = await pageFor('partner', '/customers/"><script>')
  t.notMatch(body, '"><script>/projects')
  t.match(body, '/customers/%22%3E%3Cscript%3E/projects')
})
