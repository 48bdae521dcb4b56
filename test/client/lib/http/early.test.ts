import '../../../support/client/dom.ts'
import t, { type Test } from 'tap'
import { earlyScript } from '#client/first-screen.ts'
import { takeEarly } from '#client/lib/http/early.ts'
import { request } from '#client/lib/http/request.ts'
import { bootstrap, user } from '../../../support/client/gateway.ts'

const SCRIPT = await earlyScript()
const BOOTSTRAP = '/api/portal/v1/bootstrap'

/** The age of the page does not depend on how long these tests take. */
function pageIsOpenFor(t: Test, ms: number): void {
  t.intercept(performance, 'now', { value: () => ms })
}

/** Runs the script as the page at that address does; what it asked for, and what it wants to have fetched. */
async function run(t: Test, address: string, answer: unknown = bootstrap(), data = '') {
  const asked: string[] = []
  const real = globalThis.fetch
  globalThis.fetch = async (path) => {
    asked.push(String(path))
    return Response.json(answer)
  }
  // The page's own code is not there yet.
  delete window.portalEarly
  pageIsOpenFor(t, 1_000)
  window.history.replaceState(null, '', address)
  document.documentElement.dataset.layout = 'desktop'
  const script = Object.assign(document.createElement('script'), { async: true })
  script.dataset.customers = data
  Object.defineProperty(document, 'currentScript', { value: script, configurable: true })
  t.teardown(() => {
    globalThis.fetch = real
    window.history.replaceState(null, '', '/')
    delete window.portalEarly
  })
  new Function(SCRIPT)()
  await new Promise((resolve) => setImmediate(resolve))
  const links = [...document.head.querySelectorAll('link')]
  const files = links.map((link) => `${link.rel} ${link.getAttribute('href')}`)
  for (const link of links) link.remove()
  return { asked, files }
}

t.test('pages without a session ask for nothing ahead', async (t) => {
  for (const path of ['/logout', '/signed-out', '/signin-failed?reason=expired'])
    t.same((await run(t, path)).asked, [], path)
})

t.test('every other page asks who is signed in, and no more for what it does not know', async (t) => {
  for (const path of ['/reports', '/customers/9/alarms', '/users'])
    t.same((await run(t, path)).asked, [BOOTSTRAP])
})

t.test('the start page asks for its customers, where it is the one that lists them', async (t) => {
  const attention = '/api/portal/v1/organizations/1/attention'
  t.same((await run(t, '/')).asked, [BOOTSTRAP, attention])
  const admin = bootstrap({ user: user('global_admin', '/', { userType: 'INTERNAL' }) })
  t.same((await run(t, '/', admin)).asked, [BOOTSTRAP])
  const only = {
    id: '9',
    orgName: 'Northwind',
    projectCount: 1,
    deviceCount: 1,
    scope: '/organizations/1/customers/9'
  }
  const own = bootstrap({
    user: user('customer_user', only.scope, { userType: 'CUSTOMER' }),
    customers: { count: 1, only }
  })
  t.same((await run(t, '/', own)).asked, [BOOTSTRAP])
  t.same((await run(t, '/', { title: 'no such thing' })).asked, [BOOTSTRAP])
})

t.test(
  'a customer’s page asks for its projects and, where its address says no other view, its devices',
  async (t) => {
    const base = '/api/portal/v1/customers/9'
    const devices = `${base}/devices?sort=deviceName&order=asc&size=15&page=0`
    t.same((await run(t, '/customers/9')).asked, [BOOTSTRAP, `${base}/projects`, devices])
    const admin = bootstrap({ user: user('global_admin', '/', { userType: 'INTERNAL' }) })
    t.same((await run(t, '/integrators/1/customers/9/', admin)).asked, [
      BOOTSTRAP,
      `${base}/projects`,
      devices
    ])
    t.same((await run(t, '/customers/9?page=2')).asked, [BOOTSTRAP, `${base}/projects`])
  }
)

t.test('nothing is asked of a customer whose page its visitor does not get to', async (t) => {
  const admin = bootstrap({ user: user('global_admin', '/', { userType: 'INTERNAL' }) })
  const foreign = user('customer_user', '/organizations/1/customers/8', { userType: 'CUSTOMER' })
  t.same((await run(t, '/customers/9', admin)).asked, [BOOTSTRAP])
  t.same((await run(t, '/integrators/1/customers/9')).asked, [BOOTSTRAP])
  t.same((await run(t, '/customers/9', bootstrap({ user: foreign }))).asked, [BOOTSTRAP])
})

t.test('the code of the screen is fetched along, with its styles', async (t) => {
  const { files } = await run(t, '/', bootstrap(), '/assets/a.js /assets/b.css')
  t.same(files, ['modulepreload /assets/a.js', 'stylesheet /assets/b.css'])
})

t.test('a script that comes later than the page asks for nothing', async (t) => {
  await run(t, '/customers/9')
  const answers = window.portalEarly
  new Function(SCRIPT)()
  t.equal(window.portalEarly, answers)
})

t.test('nothing is handed out that is older than what the page knows', async (t) => {
  const projects = '/api/portal/v1/customers/9/projects'
  const running = run(t, '/customers/9')
  t.equal(takeEarly(projects), undefined, 'the page asks for itself')
  const { asked } = await running
  t.notOk(asked.includes(projects), 'so that it is not asked for again')
  t.equal(takeEarly(projects), undefined, 'now neither')

  await run(t, '/customers/9')
  await request('/api/v2/management/projects', { method: 'POST', body: {} })
  t.equal(takeEarly(projects), undefined, 'after a change')
})

t.test('an answer is handed out once, and not when it is old', async (t) => {
  await run(t, '/reports')
  t.equal(takeEarly('/api/portal/v1/me'), undefined)
  t.equal((await takeEarly(BOOTSTRAP))?.status, 200)
  t.equal(takeEarly(BOOTSTRAP), undefined)
  await run(t, '/reports')
  pageIsOpenFor(t, 30_001)
  t.equal(takeEarly(BOOTSTRAP), undefined)
})
