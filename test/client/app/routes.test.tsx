import '../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor } from '@testing-library/react'
import { matchPath } from 'react-router-dom'
import t from 'tap'
import { forgetPerson } from '#client/lib/storage.ts'
import { PUBLIC_SEGMENTS, SCREEN_SEGMENTS } from '#server/http/static.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { routePaths } from '../../support/browser/pages.ts'
import { WALKED } from '../../support/browser/walk.ts'
import { DEVICES, PROJECTS } from '../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../support/client/dom.ts'
import { BOOTSTRAP, bootstrap, card, device, pageOf, problem, user } from '../../support/client/gateway.ts'
import { openPortal } from '../../support/client/portal.tsx'

const LOGOUT = '/auth/logout'
const FRAMES = '/auth/logout/frames'
const INTEGRATORS = '/api/v2/management/organizations/search/findByIsTechViewEnabled'

const emptyPage = { page: pageOf(0) }
const answers = {
  [DEVICES]: { ...emptyPage, items: [], partial: [] },
  [`${DEVICES}/x`]: device(1, { deviceUuid: 'x', projectId: null, subscriptions: [] }),
  [INTEGRATORS]: { _embedded: { organizations: [{ id: '1', orgName: 'Brightwater Controls' }] } },
  [FRAMES]: { frames: [] },
  [LOGOUT]: { redirect: 'https://id.example/end' },
  '/api/portal/v1/customers/9/alarms': { ...emptyPage, items: [] },
  '/api/v2/management/users': emptyPage,
  '/api/v2/management/roles': emptyPage
}

const people = {
  globalAdmin: { user: user('global_admin', '/', { userType: 'INTERNAL', organizationId: null }) },
  customerUser: {
    user: user('customer_user', '/organizations/1/customers/9', { userType: 'CUSTOMER' }),
    customers: { count: 1, only: card('9') }
  },
  multiCustomer: {
    user: user(null, '', {
      userType: 'CUSTOMER',
      roleAssignments: ['9', '10'].map((id) => ({
        id,
        role: 'customer_user' as const,
        scope: `/organizations/1/customers/${id}`
      }))
    })
  },
  unassigned: { user: user(null, '', { userType: 'UNASSIGNED' }), customers: { count: 0, only: null } },
  noAccess: { user: user('noaccess', '/organizations/1') },
  operator: { user: user('nds_operator', '/organizations/1') }
} satisfies Record<string, Partial<Bootstrap>>

/** The person opens `at` and arrives at `address`, which defaults to `at`. */
const landings: [who: string, rest: Partial<Bootstrap>, at: string, heading: string, address?: string][] = [
  ['a person without a role', people.unassigned, '/', 'Access denied', '/errors/authorization'],
  ['a person with role noaccess', people.noAccess, '/customers/9', 'Access denied', '/errors/authorization'],
  ['a user of other customers', people.multiCustomer, '/customers/77', 'Brightwater Controls', '/'],
  ['a user of other customers', people.multiCustomer, '/customers/77/alarms', 'Brightwater Controls', '/'],
  ['a partner', {}, '/integrators/1', 'Page Not Found'],
  ['a global admin without an integrator', people.globalAdmin, '/customers/9', 'Page Not Found'],
  ['a partner', {}, '/nowhere/at/all', 'Page Not Found'],
  ['an NDS operator', people.operator, '/customers/9/alarms', 'Access denied'],
  ['a global admin', people.globalAdmin, '/', 'Users & Roles'],
  ['a global admin', people.globalAdmin, '/integrators/1', 'Brightwater Controls'],
  ['a global admin', people.globalAdmin, '/integrators/1/customers/9', 'Northwind'],
  ['a partner', {}, '/', 'Brightwater Controls'],
  ['a partner with one customer', { customers: { count: 1, only: card('9') } }, '/', 'Brightwater Controls'],
  ['a user of one customer', people.customerUser, '/', 'Northwind', '/customers/9'],
  ['a user of several customers', people.multiCustomer, '/', 'Brightwater Controls'],
  ['a user of several customers', people.multiCustomer, '/customers/9', 'Northwind'],
  ['a partner', {}, '/customers/9/alarms', 'Alarms'],
  ['a partner', {}, '/customers/9/devicedetails?deviceUuid=x', 'AHU-1']
]

for (const [who, rest, at, heading, address = at] of landings) {
  t.test(`${who} who opens ${at} arrives at ${address}, “${heading}”`, async (t) => {
    const portal = openPortal(t, at, answers, rest)
    await portal.findByRole('heading', { level: 1, name: heading })
    t.equal(portal.address(), address)
    await waitFor(() => assert.ok(document.title.includes(heading.split(' ')[0] ?? '')))
  })
}

t.test('a 401 right after three sign-ins shows an error instead of a loop', async (t) => {
  sessionStorage.setItem('portal.sign-ins', JSON.stringify([Date.now(), Date.now(), Date.now()]))
  const portal = openPortal(t, '/', { [BOOTSTRAP]: problem(401) })
  await portal.findByRole('alert')
  t.same(portal.left, [])
})

t.test('shows an error if the portal cannot start; “Refresh” starts the portal', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) })
  await portal.findByRole('heading', { level: 1, name: 'Portal could not start' })
  portal.getByRole('heading', { name: 'Network Connectivity Failed' })
  portal.getByText('Unable to get the details.')
  portal.getByText('request-1')
  portal.gateway.answers[BOOTSTRAP] = bootstrap()
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
})

t.test('a portal that cannot start shows the support contact of the last visit', async (t) => {
  const firstVisit = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) })
  await firstVisit.findByRole('heading', { name: 'Network Connectivity Failed' })
  t.notOk(firstVisit.queryByText(/contact support/))
  firstVisit.unmount()
  const lastVisit = openPortal(t, '/', answers)
  await lastVisit.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
  lastVisit.unmount()
  forgetPerson()
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  t.equal(portal.getByRole('link', { name: '+1 555 0100' }).getAttribute('href'), 'tel:+15550100')
  portal.getByRole('link', { name: 'support@portal.example' })
})

const goOnline = () => fireEvent(window, new window.Event('online'))

t.test('a portal that could not start starts once the connection is back', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) }, {}, true)
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[BOOTSTRAP] = bootstrap()
  goOnline()
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
})

t.test('a portal that could not start tries again by itself', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) }, {}, true)
  await portal.findByText(/^Trying again in \d+ s$/)
  portal.gateway.answers[BOOTSTRAP] = bootstrap()
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
})

t.test('a list that failed to load is loaded once the connection is back', async (t) => {
  const portal = openPortal(t, '/customers/9', { ...answers, [DEVICES]: problem(503) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[DEVICES] = answers[DEVICES]
  goOnline()
  await portal.findByRole('heading', { name: 'No Devices Registered' })
  t.notOk(portal.queryByRole('heading', { name: 'Network Connectivity Failed' }))
})

t.test('names an unknown address and links to the start page', async (t) => {
  const portal = openPortal(t, '/nowhere/at/all', answers)
  await portal.findByText('/nowhere/at/all')
  t.equal(portal.getByRole('main').querySelector('a')?.getAttribute('href'), '/')
})

for (const status of [403, 404])
  t.test(`a ${status} for a customer shows “Page Not Found” on the customer’s pages`, async (t) => {
    const portal = openPortal(t, '/customers/9/alarms', { ...answers, [PROJECTS]: problem(status) })
    await portal.findByRole('heading', { name: 'Page Not Found' })
    portal.getByText('/customers/9/alarms')
  })

const hiddenPages: [what: string, address: string][] = [
  ['an integrator with tech view turned off', '/integrators/2'],
  ['a customer of an integrator with tech view turned off', '/integrators/2/customers/9'],
  ['a customer under the wrong integrator', '/integrators/3/customers/9'],
  ['a page of an integrator with tech view turned off', '/reports?organizationId=2']
]
for (const [what, address] of hiddenPages)
  t.test(`a global admin does not find ${what}`, async (t) => {
    const organizations = ['1', '3'].map((id) => ({ id, orgName: `Integrator ${id}` }))
    const moreAnswers = {
      [INTEGRATORS]: { _embedded: { organizations } },
      '/api/portal/v1/organizations/2/customers': { ...emptyPage, items: [] }
    }
    const portal = openPortal(t, address, { ...answers, ...moreAnswers }, people.globalAdmin)
    await portal.findByRole('heading', { name: 'Page Not Found' })
    t.equal(localStorage.getItem('portal.integrator.u-1'), address.includes('/3/') ? '"3"' : null)
  })

t.test('shows a customer’s page while integrators cannot be loaded', async (t) => {
  const failingAnswers = { ...answers, [INTEGRATORS]: problem(500) }
  const portal = openPortal(t, '/integrators/1/customers/9', failingAnswers, people.globalAdmin)
  await portal.findByRole('heading', { level: 1, name: 'Northwind' })
  await portal.findByText(/Integrators could not be loaded/)
  t.notOk(portal.queryByText('Page Not Found'))
})

t.test('a person without access sees account, support contact and “Log out”', async (t) => {
  const portal = openPortal(t, '/', answers, people.unassigned)
  await portal.findByText('Maria Ruiz', { selector: 'main strong' })
  portal.getByText('support@portal.example')
  t.notOk(portal.queryByRole('navigation'))
  fireEvent.click(portal.getByRole('link', { name: 'Log out' }))
  await waitFor(() => assert.deepEqual(portal.left, ['https://id.example/end']))
  const [call] = portal.callsTo(LOGOUT)
  t.equal(call?.method, 'POST')
  t.equal(call?.headers.get('x-portal-csrf'), '1')
})

t.test('a failed sign-out reports that the session continues', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [LOGOUT]: problem(503) })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Log out' }))
  await portal.findByText(/You are still signed in/)
  t.same(portal.left, [])
  portal.gateway.answers[LOGOUT] = answers[LOGOUT]
  fireEvent.click(portal.getByRole('button', { name: 'Try again' }))
  await waitFor(() => assert.deepEqual(portal.left, ['https://id.example/end']))
})

t.test('a sign-out whose answer was lost may have ended the session', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [LOGOUT]: problem(504) })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Log out' }))
  await portal.findByText(/You may be signed out already\.$/)
  t.notOk(portal.queryByText(/You are still signed in/))
})

t.test('/signed-out makes no call to the gateway', async (t) => {
  const portal = openPortal(t, '/signed-out')
  await portal.findByRole('heading', { name: 'You signed out' })
  portal.getByText(/session has ended/)
  t.equal(portal.getByRole('link').getAttribute('href'), '/auth/login')
  t.same(portal.gateway.calls, [])
})

const REQUEST = '74c51fc1-1986-4ed5-b125-461d34f8c41a'
const failures: [query: string, text: RegExp, retryable: boolean][] = [
  ['', /for an unknown reason/, true],
  ['reason=toString', /for an unknown reason/, true],
  ['reason=refused&by=__proto__', /no longer accepts this sign-in/, true],
  ['reason=misconfigured&by=authority', /wrong setting/, false],
  ['reason=refused&by=management-api', /cannot use this portal/, false],
  ['reason=busy&by=gateway&wait=10', /Too many people .* Try again in 10 s\./, true],
  ['reason=busy&wait=12', /Too many sign-ins .* Try again in 12 s\./, true],
  ['reason=busy&wait=1e9', /within a minute\.$/, true],
  ['reason=expired', /too long/, true],
  ['reason=unavailable&by=authority', /sign-in service does not answer/, true],
  ['reason=unavailable&by=management-api', /knows your account and roles does not answer/, true],
  ['reason=unavailable&by=session-store', /cannot store sessions/, true]
]

for (const [query, text, retryable] of failures) {
  t.test(
    `a failed sign-in (${query}) shows its cause, the support contact and a retry if useful`,
    async (t) => {
      const support = { phone: '+1 555 0100', email: 'help@portal.example' }
      const portal = openPortal(t, `/signin-failed?${query}&request=${REQUEST}`, { '/auth/support': support })
      await portal.findByRole('heading', { name: 'Sign-in did not finish' })
      portal.getByText(text)
      await portal.findByRole('link', { name: support.email })
      portal.getByRole('link', { name: support.phone })
      portal.getByText(REQUEST)
      const retryLink = portal.queryByRole('link', { name: 'Try again' })
      t.equal(retryLink?.getAttribute('href'), retryable ? '/auth/login' : undefined)
    }
  )
}

t.test('a sign-in that could not begin is repeated by itself', async (t) => {
  const rounds: (() => void)[] = []
  const { setTimeout: realSetTimeout } = globalThis
  // Keeps the round, so that it begins neither early on a busy machine nor after ten seconds of waiting.
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms = 0, ...rest: unknown[]) =>
      ms > 9_000 && ms <= 20_000 ? rounds.push(work) : realSetTimeout(work, ms, ...rest)
  })
  const openedMs = performance.now()
  const address = '/signin-failed?reason=unavailable&by=authority&returnTo=%2Freports%3Fa%3D1'
  const portal = openPortal(t, address, { '/auth/support': problem(503) }, {}, true)
  await portal.findByRole('heading', { name: 'Sign-in is not available' })
  portal.getByText('The sign-in service does not answer right now.')
  await portal.findByText(/^Trying again in (\d|1\d|20) s$/)
  const { atMs } = portal.retries.next.getState()
  t.ok(atMs !== null && atMs >= openedMs + 10_000 && atMs <= performance.now() + 20_000)
  const signIn = '/auth/login?returnTo=%2Freports%3Fa%3D1'
  t.equal(portal.getByRole('link', { name: 'Try now' }).getAttribute('href'), signIn)
  t.same(portal.left, [])
  t.equal(rounds.length, 1)
  act(() => rounds[0]?.())
  t.same(portal.left, [signIn])
})

t.test('the page of a failed sign-in returns to no spelling of the sign-out page', async (t) => {
  for (const returnTo of ['/logout', '/LOGOUT', '/%6Cogout/', '/a/..%2flogout?x', 'https://other.example/']) {
    const query = new URLSearchParams({ reason: 'unavailable', returnTo })
    const portal = openPortal(t, `/signin-failed?${query}`, { '/auth/support': problem(503) })
    const link = await portal.findByRole('link', { name: 'Try now' })
    t.equal(link.getAttribute('href'), '/auth/login?returnTo=%2F', returnTo)
    portal.unmount()
  }
})

t.test('an address in another case is no page, and signs nobody out', async (t) => {
  for (const address of ['/LOGOUT', '/Logout/', '/Reports', '/customers/9/Alarms']) {
    const portal = openPortal(t, address, answers)
    await portal.findByRole('heading', { name: 'Page Not Found' })
    t.same(portal.callsTo(LOGOUT), [], address)
    portal.unmount()
  }
})

t.test('shows no text from the address on the page of a failed sign-in', async (t) => {
  const portal = openPortal(t, '/signin-failed?request=call%20+1%20555%200199', {
    '/auth/support': problem(503)
  })
  await portal.findByText(/for an unknown reason/)
  t.notOk(portal.queryByText(/0199/))
})

t.test('a global admin chooses an integrator, and the choice is remembered', async (t) => {
  const portal = openPortal(t, '/', answers, people.globalAdmin)
  const box = await portal.findByRole('combobox', { name: 'Integrator' })
  portal.getByRole('link', { name: 'Users & Roles' })
  fireEvent.click(box)
  fireEvent.change(box, { target: { value: 'zz' } })
  await portal.findByText('No integrator has this name.')
  fireEvent.change(box, { target: { value: 'bright' } })
  fireEvent.keyDown(box, { key: 'Enter' })
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
  t.equal(portal.address(), '/integrators/1')
  await waitFor(() => assert.equal(localStorage.getItem('portal.integrator.u-1'), '"1"'))
  const crumbs = portal.getByRole('navigation', { name: 'Breadcrumb' })
  t.equal(crumbs.textContent, 'HomeBrightwater Controls')
})

for (const [page, heading] of [
  ['/worklists/services', 'Services'],
  ['/alarms', 'Alarms']
] as const)
  t.test(`${page} stays open when a global admin chooses an integrator`, async (t) => {
    const list = { ...emptyPage, items: [], totals: [], partial: [], readAt: null }
    const moreAnswers = { '/api/portal/v1/organizations/1/worklists/services': list }
    const portal = openPortal(t, page, { ...answers, ...moreAnswers }, people.globalAdmin)
    fireEvent.click(await portal.findByRole('combobox', { name: 'Integrator' }))
    fireEvent.click(await portal.findByRole('option', { name: 'Brightwater Controls' }))
    await waitFor(() => assert.equal(portal.address(), `${page}?organizationId=1`))
    await portal.findByRole('heading', { level: 1, name: heading })
  })

t.test('reports that integrators could not be loaded, and retries', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [INTEGRATORS]: problem(500) }, people.globalAdmin)
  await portal.findByText(/Integrators could not be loaded/)
  portal.gateway.answers[INTEGRATORS] = answers[INTEGRATORS]
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByRole('combobox', { name: 'Integrator' })
})

t.test('a navigation focuses the heading of the new screen', async (t) => {
  const portal = openPortal(t, '/', answers)
  fireEvent.click(await portal.findByRole('link', { name: /Customer 9/ }))
  const heading = await portal.findByRole('heading', { level: 1, name: /Customer 9|Northwind/ })
  await waitFor(() => assert.ok(document.activeElement === heading))
})

t.test('the theme follows the system until a theme is chosen', async (t) => {
  const currentTheme = () => document.documentElement.dataset.theme
  const portal = openPortal(t, '/', answers)
  const account = await portal.findByRole('button', { name: /Maria Ruiz$/ })
  await waitFor(() => {
    setDisplay({ dark: true })
    assert.equal(currentTheme(), 'dark')
  })
  fireEvent.click(account)
  fireEvent.click(await portal.findByRole('menuitemradio', { name: 'Light' }))
  t.equal(currentTheme(), 'light')
  t.equal(localStorage.getItem('portal.theme'), 'light')
  setDisplay({ dark: false })
  setDisplay({ dark: true })
  t.equal(currentTheme(), 'light')
  fireEvent.click(portal.getByRole('button', { name: /Maria Ruiz$/ }))
  t.equal(portal.getByRole('menuitemradio', { name: 'Light' }).getAttribute('aria-checked'), 'true')
  fireEvent.click(portal.getByRole('menuitemradio', { name: 'System' }))
  t.equal(currentTheme(), 'dark')
})

t.test('applies a theme that was chosen in another tab', async (t) => {
  const currentTheme = () => document.documentElement.dataset.theme
  const portal = openPortal(t, '/', answers)
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  await portal.findByRole('menu')
  const chooseInOtherTab = (choice: string, key = 'portal.theme') => {
    localStorage.setItem('portal.theme', choice)
    fireEvent(window, new window.StorageEvent('storage', { key }))
  }
  chooseInOtherTab('light')
  chooseInOtherTab('dark', 'portal.zone')
  t.equal(currentTheme(), 'light', 'ignores a change of another key')
  chooseInOtherTab('dark')
  t.equal(currentTheme(), 'dark')
  const dark = portal.getByRole('menuitemradio', { name: 'Dark' })
  await waitFor(() => assert.equal(dark.getAttribute('aria-checked'), 'true'))
})

t.test('while the dark theme is off, the theme is light and the menu offers no theme', async (t) => {
  localStorage.setItem('portal.theme', 'dark')
  const { flags } = bootstrap()
  const portal = openPortal(t, '/', answers, { flags: { ...flags, enableDarkTheme: false } })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  await portal.findByRole('menu')
  const items = ['Configure Notifications', 'Recent messages', 'Your sessions', 'Log out']
  t.same(textsOf(portal.getAllByRole('menuitem')), items)
  t.notOk(portal.queryByRole('menuitemradio'))
  await waitFor(() => assert.equal(document.documentElement.dataset.theme, 'light'))
})

t.test('on a small screen the navigation is in a drawer', async (t) => {
  setDisplay({ wide: false })
  const privacy = [{ label: 'Privacy', url: 'https://portal.example/privacy' }]
  const portal = openPortal(t, '/', answers, { links: { ...bootstrap().links, privacy } })
  const menuButton = await portal.findByRole('button', { name: 'Open menu' })
  t.notOk(portal.queryByText('Version 1.0'))
  fireEvent.click(menuButton)
  await portal.findByText('Version 1.0')
  portal.getByRole('link', { name: /Privacy/ })
  fireEvent.click(portal.getByRole('button', { name: 'Close' }))
  t.notOk(portal.queryByText('Version 1.0'))
})

t.test('a small screen has the desktop layout while the mobile flag is off', async (t) => {
  setDisplay({ wide: false })
  const { flags } = bootstrap()
  const portal = openPortal(t, '/', answers, { flags: { ...flags, enableMobileResponsive: false } })
  await portal.findByText('Version 1.0')
  await waitFor(() => assert.equal(document.documentElement.dataset.layout, 'desktop'))
})

t.test('the gateway serves the page at the address of every screen', async (t) => {
  const firstSegments = routePaths().map((path) => path.split('/')[1] ?? '')
  const screens = firstSegments.filter((segment) => segment !== '*')
  t.strictSame([...new Set(screens)].sort(), [...SCREEN_SEGMENTS].sort())
})

t.test('the list WALKED covers every screen that needs a sign-in', (t) => {
  const missingPaths = routePaths().filter(
    (path) =>
      !path.endsWith('*') &&
      !PUBLIC_SEGMENTS.includes(path.slice(1)) &&
      !WALKED.some((pattern) =>
        matchPath(path.replace('/integrators/:organizationId/customers', '/customers'), pattern)
      )
  )
  t.strictSame(missingPaths, [])
  t.end()
})
