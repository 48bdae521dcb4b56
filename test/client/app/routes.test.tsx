import '../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor } from '@testing-library/react'
import { matchPath, type RouteObject } from 'react-router-dom'
import t from 'tap'
import { routes } from '#client/app/router.tsx'
import { forgetPerson } from '#client/lib/storage.ts'
import { PUBLIC, SCREENS } from '#server/http/static.ts'
import type { Bootstrap } from '#shared/entities.ts'
import { routePaths } from '../../support/browser/pages.ts'
import { WALKED } from '../../support/browser/walk.ts'
import { setDisplay } from '../../support/client/dom.ts'
import { bootstrap, card, device, problem, projectList, user } from '../../support/client/gateway.ts'
import { openPortal } from '../../support/client/portal.tsx'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const LOGOUT = '/auth/logout'
const FRAMES = '/auth/logout/frames'
const INTEGRATORS = '/api/v2/management/organizations/search/findByIsTechViewEnabled'
const CUSTOMERS = '/api/portal/v1/organizations/1/customers'
const PROJECTS = '/api/portal/v1/customers/9/projects'
const DEVICES = '/api/portal/v1/customers/9/devices'

const noPage = { number: 0, size: 20, totalPages: 0, totalElements: 0 }
const answers = {
  [CUSTOMERS]: { items: [card('9')], page: { ...noPage, totalPages: 1, totalElements: 1 } },
  [PROJECTS]: projectList(),
  [DEVICES]: { items: [], page: noPage, partial: [] },
  [`${DEVICES}/x`]: device(1, { deviceUuid: 'x', projectId: null, subscriptions: [] }),
  [INTEGRATORS]: { _embedded: { organizations: [{ id: '1', orgName: 'Brightwater Controls' }] } },
  [FRAMES]: { frames: [] },
  [LOGOUT]: { redirect: 'https://id.example/end' },
  '/api/v1/alarms/customers/9/alarms:search': { page: noPage },
  '/api/portal/v1/customers/9/alarms': { items: [], page: noPage },
  '/api/v2/management/users': { page: noPage },
  '/api/v2/management/roles': { page: noPage }
}
const as = (rest: Partial<Bootstrap>) => ({ ...answers, [BOOTSTRAP]: bootstrap(rest) })

const people = {
  globalAdmin: { user: user('global_admin', '/', { userType: 'INTERNAL', organizationId: null }) },
  customerUser: {
    user: user('customer_user', '/organizations/1/customers/9', { userType: 'CUSTOMER' }),
    customers: { count: 1, only: card('9') }
  },
  multi: {
    user: user(null, '', {
      userType: 'CUSTOMER',
      roleAssignments: ['9', '10'].map((id) => ({
        id,
        role: 'customer_user' as const,
        scope: `/organizations/1/customers/${id}`
      }))
    })
  },
  nobody: { user: user(null, '', { userType: 'UNASSIGNED' }), customers: { count: 0, only: null } },
  noAccess: { user: user('noaccess', '/organizations/1') },
  operator: { user: user('nds_operator', '/organizations/1') }
} satisfies Record<string, Partial<Bootstrap>>

const landings: [who: string, rest: Partial<Bootstrap>, asked: string, address: string, heading: string][] = [
  ['somebody without a role', people.nobody, '/', '/errors/authorization', 'Access denied'],
  [
    'somebody with a marker role only',
    people.noAccess,
    '/customers/9',
    '/errors/authorization',
    'Access denied'
  ],
  [
    'a customer user of several customers, for one that is not theirs',
    people.multi,
    '/customers/77',
    '/',
    'Brightwater Controls'
  ],
  [
    'the same, for a page of one that is not theirs',
    people.multi,
    '/customers/77/alarms',
    '/',
    'Brightwater Controls'
  ],
  ['a partner, for an integrator', {}, '/integrators/1', '/integrators/1', 'Page Not Found'],
  [
    'a global admin, for a customer without its integrator',
    people.globalAdmin,
    '/customers/9',
    '/customers/9',
    'Page Not Found'
  ],
  ['a partner, for an unknown address', {}, '/nowhere/at/all', '/nowhere/at/all', 'Page Not Found'],
  [
    'an NDS operator, for the alarms page',
    people.operator,
    '/customers/9/alarms',
    '/customers/9/alarms',
    'Access denied'
  ],
  ['a global admin', people.globalAdmin, '/', '/', 'Users & Roles'],
  [
    'a global admin, for an integrator',
    people.globalAdmin,
    '/integrators/1',
    '/integrators/1',
    'Brightwater Controls'
  ],
  [
    'a global admin, for a customer',
    people.globalAdmin,
    '/integrators/1/customers/9',
    '/integrators/1/customers/9',
    'Northwind'
  ],
  ['a partner', {}, '/', '/', 'Brightwater Controls'],
  [
    'a partner with a single customer',
    { customers: { count: 1, only: card('9') } },
    '/',
    '/',
    'Brightwater Controls'
  ],
  ['a customer user with a single customer', people.customerUser, '/', '/customers/9', 'Northwind'],
  ['a customer user of several customers', people.multi, '/', '/', 'Brightwater Controls'],
  ['the same, for one of theirs', people.multi, '/customers/9', '/customers/9', 'Northwind'],
  ['a partner, for the alarms page', {}, '/customers/9/alarms', '/customers/9/alarms', 'Alarms'],
  [
    'a partner, for a device',
    {},
    '/customers/9/devicedetails?deviceUuid=x',
    '/customers/9/devicedetails?deviceUuid=x',
    'AHU-1'
  ]
]

for (const [who, rest, asked, address, heading] of landings) {
  t.test(`${who} at ${asked} arrives at ${address}: ${heading}`, async (t) => {
    const portal = openPortal(t, asked, as(rest))
    await portal.findByRole('heading', { level: 1, name: heading })
    t.equal(portal.address(), address)
    await waitFor(() => assert.ok(document.title.includes(heading.split(' ')[0] ?? '')))
  })
}

t.test('a 401 leads through sign-in and back to the same address', async (t) => {
  const portal = openPortal(t, '/customers/9?page=2', { [BOOTSTRAP]: problem(401) })
  await waitFor(() => assert.equal(portal.left.length, 1))
  t.match(portal.left[0], /^\/auth\/login\?returnTo=%2F/)
})

t.test('a 401 right after three sign-ins shows an error instead of a circle', async (t) => {
  sessionStorage.setItem('portal.sign-ins', JSON.stringify([Date.now(), Date.now(), Date.now()]))
  const portal = openPortal(t, '/', { [BOOTSTRAP]: problem(401) })
  await portal.findByRole('alert')
  t.same(portal.left, [])
})

t.test('a portal that cannot start says so, and starts by Refresh', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.getByText('Unable to get the details.')
  portal.getByText('request-1')
  portal.gateway.answers[BOOTSTRAP] = bootstrap()
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
})

t.test('a portal that cannot start shows the known support contact', async (t) => {
  const stranger = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) })
  await stranger.findByRole('heading', { name: 'Network Connectivity Failed' })
  t.equal(stranger.queryByText(/contact support/), null)
  stranger.unmount()
  const before = openPortal(t, '/', answers)
  await before.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
  before.unmount()
  forgetPerson()
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  t.equal(portal.getByRole('link', { name: '+1 555 0100' }).getAttribute('href'), 'tel:+15550100')
  portal.getByRole('link', { name: 'support@portal.example' })
})

const connectionIsBack = () => fireEvent(window, new window.Event('online'))

t.test('a portal that cannot start starts by itself once the connection is back', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: problem(503) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[BOOTSTRAP] = bootstrap()
  connectionIsBack()
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
})

t.test('a list that failed shows by itself once the connection is back', async (t) => {
  const portal = openPortal(t, '/customers/9', { ...answers, [DEVICES]: problem(503) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[DEVICES] = answers[DEVICES]
  connectionIsBack()
  await portal.findByRole('heading', { name: 'No Devices Registered' })
  t.equal(portal.queryByRole('heading', { name: 'Network Connectivity Failed' }), null)
})

t.test('an unknown address is named, with the way home', async (t) => {
  const portal = openPortal(t, '/nowhere/at/all', answers)
  await portal.findByText('/nowhere/at/all')
  t.equal(portal.getByRole('main').querySelector('a')?.getAttribute('href'), '/')
})

t.test('a customer that the gateway does not know is not found', async (t) => {
  const portal = openPortal(t, '/customers/9', {
    ...answers,
    [PROJECTS]: problem(404),
    [DEVICES]: problem(404)
  })
  await portal.findByRole('heading', { name: 'Page Not Found' })
})

for (const status of [403, 404])
  t.test(
    `a customer that the gateway answers ${status} for is not found on any page of its area`,
    async (t) => {
      const portal = openPortal(t, '/customers/9/alarms', { ...answers, [PROJECTS]: problem(status) })
      await portal.findByRole('heading', { name: 'Page Not Found' })
      portal.getByText('/customers/9/alarms')
    }
  )

const notTheirs: [what: string, address: string][] = [
  ['an integrator with tech view turned off', '/integrators/2'],
  ['a customer of such an integrator', '/integrators/2/customers/9'],
  ['a customer below an integrator that is not its own', '/integrators/3/customers/9'],
  ['a page that belongs to such an integrator', '/reports?organizationId=2']
]
for (const [what, address] of notTheirs)
  t.test(`a global admin does not find ${what}`, async (t) => {
    const integrators = ['1', '3'].map((id) => ({ id, orgName: `Integrator ${id}` }))
    const portal = openPortal(t, address, {
      ...as(people.globalAdmin),
      [INTEGRATORS]: { _embedded: { organizations: integrators } },
      '/api/portal/v1/organizations/2/customers': { items: [], page: noPage }
    })
    await portal.findByRole('heading', { name: 'Page Not Found' })
    t.equal(localStorage.getItem('portal.integrator.u-1'), address.includes('/3/') ? '"3"' : null)
  })

t.test('does not report an unknown integrator while integrators cannot be loaded', async (t) => {
  const portal = openPortal(t, '/integrators/1/customers/9', {
    ...as(people.globalAdmin),
    [INTEGRATORS]: problem(500)
  })
  await portal.findByRole('heading', { level: 1, name: 'Northwind' })
  await portal.findByText(/Integrators could not be loaded/)
  t.equal(portal.queryByText('Page Not Found'), null)
})

t.test(
  'a person without access sees the account, the support contact and Log out, but no navigation',
  async (t) => {
    const portal = openPortal(t, '/', as(people.nobody))
    await portal.findByText('Maria Ruiz', { selector: 'main strong' })
    portal.getByText('support@portal.example')
    t.equal(portal.queryByRole('navigation'), null)
    fireEvent.click(portal.getByRole('link', { name: 'Log out' }))
    await waitFor(() => assert.deepEqual(portal.left, ['https://id.example/end']))
    const [call] = portal.callsTo(LOGOUT)
    t.equal(call?.method, 'POST')
    t.equal(call?.headers.get('x-portal-csrf'), '1')
  }
)

t.test('a failed log out reports that the session continues', async (t) => {
  const portal = openPortal(t, '/', { ...answers, [LOGOUT]: problem(503) })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Log out' }))
  await portal.findByText(/You are still signed in/)
  t.same(portal.left, [])
  portal.gateway.answers[LOGOUT] = answers[LOGOUT]
  fireEvent.click(portal.getByRole('button', { name: 'Try again' }))
  await waitFor(() => assert.deepEqual(portal.left, ['https://id.example/end']))
})

t.test('/signed-out asks the gateway nothing', async (t) => {
  const portal = openPortal(t, '/signed-out')
  await portal.findByRole('heading', { name: 'You signed out' })
  portal.getByText(/session has ended/)
  t.equal(portal.getByRole('link').getAttribute('href'), '/auth/login')
  t.same(portal.gateway.calls, [])
})

const REQUEST = '74c51fc1-1986-4ed5-b125-461d34f8c41a'
const failures: [query: string, text: RegExp, again: boolean][] = [
  ['', /for an unknown reason/, true],
  ['reason=toString', /for an unknown reason/, true],
  ['reason=refused&by=__proto__', /no longer accepts this sign-in/, true],
  ['reason=misconfigured&by=authority', /wrong setting/, false],
  ['reason=refused&by=management-api', /cannot use this portal/, false],
  ['reason=busy&wait=12', /Too many sign-ins .* Try again in 12 s\./, true],
  ['reason=busy&wait=1e9', /within a minute\.$/, true],
  ['reason=expired', /too long/, true],
  ['reason=unavailable&by=authority', /sign-in service does not answer/, true],
  ['reason=unavailable&by=management-api', /knows your account and roles does not answer/, true],
  ['reason=unavailable&by=session-store', /cannot store sessions/, true]
]

for (const [query, text, again] of failures) {
  t.test(`a failed sign-in (${query}) shows the cause, the contact and a retry if useful`, async (t) => {
    const support = { phone: '+1 555 0100', email: 'help@portal.example' }
    const portal = openPortal(t, `/signin-failed?${query}&request=${REQUEST}`, { '/auth/support': support })
    await portal.findByRole('heading', { name: 'Sign-in did not finish' })
    portal.getByText(text)
    await portal.findByRole('link', { name: support.email })
    portal.getByRole('link', { name: support.phone })
    portal.getByText(REQUEST)
    const way = portal.queryByRole('link', { name: 'Try again' })
    t.equal(way?.getAttribute('href'), again ? '/auth/login' : undefined)
  })
}

t.test('the page of a failed sign-in shows no text from its address', async (t) => {
  const portal = openPortal(t, '/signin-failed?request=call%20+1%20555%200199', {
    '/auth/support': problem(503)
  })
  await portal.findByText(/for an unknown reason/)
  t.equal(portal.queryByText(/0199/), null)
})

t.test('the menu of a global admin leads through integrators, and remembers the last', async (t) => {
  const portal = openPortal(t, '/', as(people.globalAdmin))
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

t.test('reports that integrators could not be loaded, and retries', async (t) => {
  const portal = openPortal(t, '/', { ...as(people.globalAdmin), [INTEGRATORS]: problem(500) })
  await portal.findByText(/Integrators could not be loaded/)
  portal.gateway.answers[INTEGRATORS] = answers[INTEGRATORS]
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByRole('combobox', { name: 'Integrator' })
})

t.test('after a navigation the focus is on the heading of the new screen', async (t) => {
  const portal = openPortal(t, '/', answers)
  fireEvent.click(await portal.findByRole('link', { name: /Customer 9/ }))
  const heading = await portal.findByRole('heading', { level: 1, name: /Customer 9|Northwind/ })
  await waitFor(() => assert.ok(document.activeElement === heading))
})

t.test('the theme follows the system until one is chosen', async (t) => {
  const shown = () => document.documentElement.dataset.theme
  const portal = openPortal(t, '/', answers)
  const account = await portal.findByRole('button', { name: /Maria Ruiz$/ })
  await waitFor(() => {
    setDisplay({ dark: true })
    assert.equal(shown(), 'dark')
  })
  fireEvent.click(account)
  fireEvent.click(await portal.findByRole('menuitemradio', { name: 'Light' }))
  t.equal(shown(), 'light')
  t.equal(localStorage.getItem('portal.theme'), 'light')
  setDisplay({ dark: false })
  setDisplay({ dark: true })
  t.equal(shown(), 'light')
  fireEvent.click(portal.getByRole('button', { name: /Maria Ruiz$/ }))
  t.equal(portal.getByRole('menuitemradio', { name: 'Light' }).getAttribute('aria-checked'), 'true')
  fireEvent.click(portal.getByRole('menuitemradio', { name: 'System' }))
  t.equal(shown(), 'dark')
})

t.test('applies a theme that was chosen in another tab, also in the menu', async (t) => {
  const shown = () => document.documentElement.dataset.theme
  const portal = openPortal(t, '/', answers)
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  await portal.findByRole('menu')
  const chooseElsewhere = (choice: string, key = 'portal.theme') => {
    localStorage.setItem('portal.theme', choice)
    fireEvent(window, new window.StorageEvent('storage', { key }))
  }
  chooseElsewhere('light')
  chooseElsewhere('dark', 'portal.zone')
  t.equal(shown(), 'light', 'something else was said')
  chooseElsewhere('dark')
  t.equal(shown(), 'dark')
  const dark = portal.getByRole('menuitemradio', { name: 'Dark' })
  await waitFor(() => assert.equal(dark.getAttribute('aria-checked'), 'true'))
})

t.test('is light without a choice while the dark theme is off', async (t) => {
  localStorage.setItem('portal.theme', 'dark')
  const { flags } = bootstrap()
  const portal = openPortal(t, '/', as({ flags: { ...flags, enableDarkTheme: false } }))
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  await portal.findByRole('menu')
  t.same(
    portal.getAllByRole('menuitem').map((item) => item.textContent),
    ['Configure Notifications', 'Recent messages', 'Your sessions', 'Log out']
  )
  t.equal(portal.queryByRole('menuitemradio'), null)
  await waitFor(() => assert.equal(document.documentElement.dataset.theme, 'light'))
})

t.test('on a small screen the navigation is in a drawer', async (t) => {
  setDisplay({ wide: false })
  const privacy = [{ label: 'Privacy', url: 'https://portal.example/privacy' }]
  const portal = openPortal(t, '/', as({ links: { ...bootstrap().links, privacy } }))
  const open = await portal.findByRole('button', { name: 'Open menu' })
  t.equal(portal.queryByText('Version 1.0'), null)
  fireEvent.click(open)
  await portal.findByText('Version 1.0')
  portal.getByRole('link', { name: /Privacy/ })
  fireEvent.click(portal.getByRole('button', { name: 'Close' }))
  t.equal(portal.queryByText('Version 1.0'), null)
})

t.test('without the mobile flag a small screen gets the desktop layout', async (t) => {
  setDisplay({ wide: false })
  const { flags } = bootstrap()
  const portal = openPortal(t, '/', as({ flags: { ...flags, enableMobileResponsive: false } }))
  await portal.findByText('Version 1.0')
  await waitFor(() => assert.equal(document.documentElement.dataset.layout, 'desktop'))
})

t.test('the gateway gives the page to the addresses of screens, and knows each', async (t) => {
  const firstOf = ({ path, index, children = [] }: RouteObject): string[] => {
    const first = path?.split('/').find((part) => part !== '')
    return index ? [''] : first === undefined ? children.flatMap(firstOf) : [first]
  }
  const known = routes.flatMap(firstOf).filter((path) => path !== '*')
  t.strictSame([...new Set(known)].sort(), [...SCREENS].sort())
})

t.test('the walk of the roles goes to every screen behind a sign-in', (t) => {
  const missing = routePaths().filter(
    (path) =>
      !path.endsWith('*') &&
      !PUBLIC.includes(path.slice(1)) &&
      !WALKED.some((walked) =>
        matchPath(path.replace('/integrators/:organizationId/customers', '/customers'), walked)
      )
  )
  t.strictSame(missing, [])
  t.end()
})
