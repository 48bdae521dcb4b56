import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { browser } from '#client/lib/browser.ts'
import { noteSignOut, readSignOut } from '#client/lib/http/sign-in.ts'
import { recall } from '#client/lib/storage.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import type { RealRole } from '#shared/permissions.ts'
import { textsOf } from '../../../support/client/dom.ts'
import {
  type Answer,
  type Answers,
  BOOTSTRAP,
  bootstrap,
  type Call,
  card,
  pageOf,
  problem,
  user
} from '../../../support/client/gateway.ts'
import { openPortal } from '../../../support/client/portal.tsx'

const ORGANIZATION = '/api/v2/management/organizations/1'
const AUDIT = `${ORGANIZATION}/auditLogs`
const TECH_SUPPORT = `${ORGANIZATION}/techSupport`
const FRAMES = '/auth/logout/frames'
const LOGOUT = '/auth/logout'
const emptyPage = { page: pageOf(0) }
const answers = {
  '/api/portal/v1/customers/9/devices': { ...emptyPage, items: [], partial: [] },
  '/api/v2/management/organizations/search/findByIsTechViewEnabled': {
    _embedded: { organizations: [{ id: '1', orgName: 'Brightwater Controls' }] }
  },
  '/api/v1/charts-and-reports/9/reports': emptyPage,
  '/api/v2/management/roles': emptyPage,
  '/api/v2/management/users': emptyPage,
  '/api/v2/management/organizations/1/allUsers': emptyPage,
  '/api/v2/management/organizations/1/userInvitations': emptyPage
}

const globalAdmin = { user: user('global_admin', '/', { userType: 'INTERNAL', organizationId: null }) }
const customerOf = (role: 'customer_admin' | 'customer_user' | 'nds_operator') => ({
  user: user(role, '/organizations/1/customers/9', { userType: 'CUSTOMER' }),
  customers: { count: 1, only: card('9') }
})

const partner = (role: RealRole) => ({ user: user(role, '/organizations/1') })

const menus: [who: string, rest: Partial<Bootstrap>, entries: string][] = [
  ['a global admin', globalAdmin, 'Users & Roles, Saved Reports'],
  [
    'a partner admin',
    {},
    'Home, Devices, Saved Reports, Users & Roles, Audit Log, Saved Exports, Register Device'
  ],
  ['a partner user', partner('partner_user'), 'Home, Devices, Saved Reports, Audit Log, Saved Exports'],
  ['Niagara Remote', partner('niagara_remote'), 'Home, Devices, Saved Reports, Audit Log'],
  ['an NDS operator of a customer', customerOf('nds_operator'), 'Home, Saved Reports, Audit Log'],
  [
    'a customer admin',
    customerOf('customer_admin'),
    'Home, Saved Reports, Users & Roles, Audit Log, Saved Exports'
  ],
  ['a customer user', customerOf('customer_user'), 'Home, Saved Reports, Audit Log, Saved Exports'],
  [
    'a global admin at an integrator',
    globalAdmin,
    'Users & Roles, Customers, Devices, Saved Reports, Audit Log, Saved Exports'
  ]
]
for (const [who, rest, entries] of menus) {
  t.test(`the menu of ${who} has ${entries}`, async (t) => {
    const portal = openPortal(t, who.endsWith('integrator') ? '/integrators/1' : '/', answers, rest)
    const menu = await portal.findByRole('navigation', { name: 'Main' })
    await portal.findByRole('heading', { level: 1, name: /Brightwater|Northwind|Users/ })
    await waitFor(() => assert.equal(textsOf(menu.querySelectorAll('a')).join(', '), entries))
  })
}

t.test('a banner names the integrator that a global admin works in; “Leave” clears the choice', async (t) => {
  const portal = openPortal(t, '/reports?organizationId=1', answers, globalAdmin)
  await portal.findByRole('heading', { level: 1, name: 'Saved Reports' })
  const strip = await portal.findByRole('region', { name: 'Integrator' })
  await waitFor(() => assert.match(strip.textContent ?? '', /You work in Brightwater Controls/))
  t.equal(portal.getByRole('link', { name: 'Audit Log' }).getAttribute('href'), '/auditlog?organizationId=1')
  fireEvent.click(portal.getByRole('button', { name: 'Leave' }))
  await waitFor(() => assert.ok(portal.queryByRole('region', { name: 'Integrator' }) === null))
  t.equal(portal.address(), '/')
  await portal.router.navigate('/reports')
  await portal.findByRole('heading', { level: 1, name: 'Choose an integrator' })
})

t.test('“Leave” keeps the integrator while the person stays with unsaved input', async (t) => {
  const portal = openPortal(t, '/users/adduser?organizationId=1', answers, globalAdmin)
  const chosenId = () => recall('portal.integrator.u-1')
  const leave = async (answer: 'Stay' | 'Leave') => {
    fireEvent.click(
      within(portal.getByRole('region', { name: 'Integrator' })).getByRole('button', { name: 'Leave' })
    )
    const question = await portal.findByRole('alertdialog', { name: 'Leave without sending the invitation?' })
    fireEvent.click(within(question).getByRole('button', { name: answer }))
  }
  const field = await portal.findByLabelText('E-mail addresses')
  fireEvent.change(field, { target: { value: 'new.person@example.com ' } })
  await waitFor(() => assert.equal(chosenId(), '1'))
  await leave('Stay')
  await waitFor(() => assert.ok(portal.queryByRole('alertdialog') === null))
  t.equal(chosenId(), '1')
  await leave('Leave')
  await waitFor(() => assert.ok(portal.queryByRole('region', { name: 'Integrator' }) === null))
  t.equal(chosenId(), null)
  t.equal(portal.address(), '/')
})

t.test('a third-party application and the privacy links open in new tabs', async (t) => {
  const links = {
    ...bootstrap().links,
    thirdPartyApp: { label: 'Energy Desk', url: 'https://energy.example/' },
    privacy: [{ label: 'Privacy', url: 'https://portal.example/privacy' }]
  }
  const portal = openPortal(t, '/', answers, { links })
  for (const name of [/Energy Desk/, /Privacy/]) {
    const link = await portal.findByRole('link', { name })
    t.match(link.textContent, /opens a new tab/)
    t.equal(link.getAttribute('target'), '_blank')
    t.equal(link.getAttribute('rel'), 'noopener noreferrer')
  }
  portal.getByText('Version 1.0')
})

t.test('the pages of a customer link to the alarms only if the person may open alarms', async (t) => {
  const admin = openPortal(t, '/', answers)
  await admin.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
  t.notOk(admin.queryByRole('link', { name: 'Alarms' }))
  await admin.router.navigate('/customers/9')
  const link = await admin.findByRole('link', { name: 'Alarms' })
  t.equal(link.getAttribute('href'), '/customers/9/alarms')
  admin.unmount()
  const operator = openPortal(t, '/customers/9', answers, partner('nds_operator'))
  await operator.findByRole('heading', { level: 1, name: 'Northwind' })
  t.notOk(operator.queryByRole('link', { name: 'Alarms' }))
})

t.test('hides a blank service banner', async (t) => {
  const portal = openPortal(t, '/', answers, { banner: '  ' })
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
  t.notOk(portal.queryByRole('complementary', { name: 'Service message' }))
})

t.test('shows markup in a service banner as text', async (t) => {
  const portal = openPortal(t, '/', answers, { banner: '<b>Maintenance</b> on Sunday' })
  await portal.findByText('<b>Maintenance</b> on Sunday')
})

t.test('asks for confirmation before turning on tech support access', async (t) => {
  let enabled = false
  const portal = openPortal(t, '/', {
    ...answers,
    [ORGANIZATION]: () => ({ isTechViewEnabled: enabled }),
    [AUDIT]: {
      _embedded: { auditLogs: [{ timestamp: '2026-02-28T09:30:00Z', actor: { name: 'Maria Ruiz' } }] }
    },
    [TECH_SUPPORT]: ({ query }: Call) => {
      enabled = query.get('enable') === 'true'
      return {}
    }
  })
  fireEvent.click(await portal.findByRole('switch', { name: 'Tech support access' }))
  const question = portal.getByRole('alertdialog').textContent
  t.match(question, /Turn tech support access on\?.*customers, projects, devices/)
  fireEvent.click(portal.getByRole('button', { name: 'Cancel' }))
  t.equal(enabled, false)
  fireEvent.click(portal.getByRole('switch', { name: 'Tech support access' }))
  fireEvent.click(portal.getByRole('button', { name: 'Turn on' }))
  t.match((await portal.findByText(/Since/)).textContent, /Since 28-Feb-2026 \d\d:\d\d by Maria Ruiz/)
  t.equal(enabled, true)
  t.equal(portal.callsTo(TECH_SUPPORT)[0]?.method, 'PATCH')
})

t.test('shows a failed change of tech support access in the confirmation dialog', async (t) => {
  const portal = openPortal(t, '/', {
    ...answers,
    [ORGANIZATION]: { isTechViewEnabled: true },
    [AUDIT]: {},
    [TECH_SUPPORT]: problem(503)
  })
  fireEvent.click(await portal.findByRole('switch', { name: 'Tech support access' }))
  fireEvent.click(portal.getByRole('button', { name: 'Turn off' }))
  t.match(
    (await portal.findByRole('alert')).textContent,
    /Network Connectivity Failed\. .*Nothing was changed/
  )
  await portal.findByText('Turned on before the audit log begins')
})

t.test('after a lost answer, the switch shows the new state and the dialog keeps its question', async (t) => {
  let enabled = false
  const portal = openPortal(t, '/', {
    ...answers,
    [ORGANIZATION]: () => ({ isTechViewEnabled: enabled }),
    [AUDIT]: {},
    [TECH_SUPPORT]: () => {
      enabled = true
      return problem(504)
    }
  })
  fireEvent.click(await portal.findByRole('switch', { name: 'Tech support access' }))
  fireEvent.click(portal.getByRole('button', { name: 'Turn on' }))
  await portal.findByText('Turned on before the audit log begins')
  const toggle = portal.getByRole('switch', { name: 'Tech support access', hidden: true })
  t.ok((toggle as HTMLInputElement).checked)
  t.match(
    portal.getByRole('alertdialog').textContent,
    /^Turn tech support access on\?.*The change may have been made anyway/
  )
})

for (const [who, rest] of [
  ['with the flag off', { flags: { ...bootstrap().flags, enableTechSupport: false } }],
  ['for a partner user', partner('partner_user')]
] as [string, Partial<Bootstrap>][]) {
  t.test(`there is no tech support toggle ${who}`, async (t) => {
    const portal = openPortal(t, '/', answers, rest)
    await portal.findByRole('button', { name: /^Notifications/ })
    t.notOk(portal.queryByRole('switch'))
    t.same(portal.callsTo(ORGANIZATION), [])
  })
}

const remoteErrors: [code: string, heading: string][] = [
  ['offline', 'The device cannot be reached'],
  ['notLicensed', 'Remote is not active on this device'],
  ['denied', 'Remote access was refused'],
  ['timeout', 'The device did not answer in time'],
  ['', 'The remote connection did not work'],
  ['toString', 'The remote connection did not work'],
  ['some/other', 'The remote connection did not work'],
  ['%3Cscript%3E', 'The remote connection did not work']
]
for (const [code, heading] of remoteErrors) {
  t.test(`errors/remote/${code} shows “${heading}”`, async (t) => {
    const portal = openPortal(t, `/errors/remote/${code}`, answers)
    await portal.findByRole('heading', { level: 1, name: heading })
    portal.getByText('support@portal.example')
    t.equal(portal.getByRole('main').querySelector('a.button')?.getAttribute('href'), '/')
  })
}

const PROVIDER = 'https://id.example'

t.test('/logout loads the frames of other applications, then ends the session', async (t) => {
  const frames = ['https://one.example/out', 'https://two.example/out']
  const portal = openPortal(t, '/signed-out', {
    [FRAMES]: { frames },
    [LOGOUT]: { redirect: 'https://id.example/end?state=of-this-end' }
  })
  await portal.router.navigate('/logout')
  await portal.findByRole('heading', { name: 'Signing out…' })
  const iframes = () => [...document.querySelectorAll('iframe')]
  await waitFor(() =>
    assert.deepEqual(
      iframes().map(({ src }) => src),
      frames
    )
  )
  for (const iframe of iframes())
    t.equal(iframe.getAttribute('sandbox'), 'allow-scripts allow-same-origin allow-forms')
  fireEvent.load(iframes()[0] as Element)
  t.same(portal.callsTo(LOGOUT), [])
  fireEvent.load(iframes()[1] as Element)
  await waitFor(() => assert.deepEqual(portal.left, ['https://id.example/end?state=of-this-end']))
  t.equal(portal.callsTo(LOGOUT).length, 1)
  t.equal(browser.guarded, false)
  t.match(readSignOut(), { ending: 'signed-out', returnTo: null, state: 'of-this-end' })
  t.same(portal.callsTo(BOOTSTRAP), [])
})

t.test('/logout ends the session when the addresses of frames cannot be loaded', async (t) => {
  const portal = openPortal(t, '/', {
    ...answers,
    [FRAMES]: problem(503),
    [LOGOUT]: { redirect: '/signed-out' }
  })
  await portal.router.navigate('/logout')
  await waitFor(() => assert.deepEqual(portal.left, ['/signed-out']))
})

const signOutAnswers = {
  [FRAMES]: { frames: ['https://one.example/out'] },
  [LOGOUT]: { redirect: `${PROVIDER}/end` }
}

for (const referrer of ['', 'https://other.example/', 'http://localhost/signin-failed', `${PROVIDER}/`]) {
  t.test(`/logout opened by a link of ${referrer || 'no page'} signs out only after a click`, async (t) => {
    t.intercept(document, 'referrer', { value: referrer })
    const portal = openPortal(t, '/logout', signOutAnswers)
    const button = await portal.findByRole('button', { name: 'Log out' })
    await waitFor(() => assert.equal(portal.callsTo(FRAMES).length, 1))
    t.notOk(document.querySelector('iframe'))
    t.same(portal.callsTo(LOGOUT), [])
    t.equal(portal.getByRole('link', { name: 'Back to the portal' }).getAttribute('href'), '/')
    fireEvent.click(button)
    fireEvent.load((await portal.findByTitle('Single logout')) as Element)
    await waitFor(() => assert.deepEqual(portal.left, [`${PROVIDER}/end`]))
  })
}

t.test('“Log out” of the menu signs out without a question', async (t) => {
  const portal = openPortal(t, '/', { ...answers, ...signOutAnswers })
  fireEvent.click(await portal.findByRole('button', { name: /Account/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Log out' }))
  fireEvent.load((await portal.findByTitle('Single logout')) as Element)
  await waitFor(() => assert.deepEqual(portal.left, [`${PROVIDER}/end`]))
})

t.test('a call refused after the session ended leads to the signed-out page', async (t) => {
  const portal = openPortal(t, '/', {
    ...answers,
    '/api/portal/v1/customers/9/projects': problem(401)
  })
  await portal.findByRole('heading', { level: 1, name: 'Brightwater Controls' })
  const endedSession = { authenticated: false, expires_in: 0, expired: true, ended: 'authority' }
  portal.gateway.answers['/auth/session'] = endedSession
  await portal.router.navigate('/customers/9')
  await waitFor(() => assert.ok(portal.left.includes('/signed-out')))
  t.match(readSignOut(), { ending: 'authority', returnTo: /./ })
})

const currentSession = {
  id: 'a',
  browser: 'Firefox',
  system: 'Windows',
  network: '203.0.113.*',
  since: '2026-02-28T09:00:00.000Z',
  lastUsed: '2026-02-28T09:30:00.000Z',
  current: true
}
const phoneSession = { ...currentSession, id: 'b/', browser: 'Safari', system: 'iOS', current: false }
const unknownSession = {
  ...currentSession,
  id: 'c',
  browser: null,
  system: null,
  network: null,
  current: false
}

async function openSessions(t: Test, sessions: Answer, more: Answers = {}) {
  const portal = openPortal(t, '/', { ...answers, '/auth/sessions': sessions, ...more })
  fireEvent.click(await portal.findByRole('button', { name: /^Account of/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Your sessions' }))
  return { portal, dialog: within(await portal.findByRole('dialog', { name: 'Your sessions' })) }
}

t.test('shows an error and “Refresh” when sessions cannot be loaded', async (t) => {
  const { portal, dialog } = await openSessions(t, problem(500))
  await dialog.findByRole('alert')
  portal.gateway.answers['/auth/sessions'] = { sessions: [currentSession] }
  fireEvent.click(dialog.getByRole('button', { name: 'Refresh' }))
  await dialog.findByText('Firefox on Windows')
  t.notOk(dialog.queryByRole('button', { name: /^End/ }))
})

t.test('ends other sessions, and accepts that a session has already ended', async (t) => {
  const lastSession = { ...phoneSession, id: 'd', network: '2001:db8:1:*', since: '2026-02-28T08:00:00.000Z' }
  let sessions = [currentSession, phoneSession, unknownSession, lastSession]
  const { dialog } = await openSessions(
    t,
    ({ method }: Call) => {
      if (method === 'DELETE') sessions = [currentSession]
      return method === 'DELETE' ? new Response(null, { status: 204 }) : { sessions }
    },
    {
      '/auth/sessions/b%2F': () => {
        sessions = [currentSession, unknownSession, lastSession]
        return problem(404)
      }
    }
  )
  t.match(textsOf(await dialog.findAllByRole('listitem')), [
    /Firefox on Windows This browser/,
    /Safari on iOS Signed in .* 09:00 from.203\.0\.113\.\*Last used/,
    /A browser Signed in .* 09:00 Last used/,
    /Safari on iOS Signed in .* 08:00 from.2001:db8:1:\*Last used/
  ])
  const [endButton] = dialog.getAllByRole('button', { name: 'End the session in Safari on iOS' })
  t.match(
    document.getElementById(endButton?.getAttribute('aria-describedby') ?? '')?.textContent,
    '203.0.113.*'
  )
  fireEvent.click(endButton as HTMLElement)
  await dialog.findByText('The session in Safari on iOS has ended.')
  fireEvent.click(await dialog.findByRole('button', { name: 'End all 2 other sessions' }))
  await dialog.findByText('2 other sessions ended. You stay signed in here.')
  await waitFor(() => assert.ok(!dialog.queryByRole('button', { name: /^End/ })))
})

t.test('shows one button for one other session', async (t) => {
  const { dialog } = await openSessions(t, { sessions: [currentSession, phoneSession] })
  await dialog.findByText('Safari on iOS')
  t.strictSame(
    dialog.getAllByRole('button', { name: /^End/ }).map((button) => button.getAttribute('aria-label')),
    ['End the session in Safari on iOS']
  )
})

t.test('shows an error when a session cannot be ended', async (t) => {
  const { dialog } = await openSessions(
    t,
    { sessions: [currentSession, phoneSession] },
    { '/auth/sessions/b%2F': problem(503) }
  )
  fireEvent.click(await dialog.findByRole('button', { name: 'End the session in Safari on iOS' }))
  t.match((await dialog.findByRole('alert')).textContent, /Nothing was ended\. Try again\./)
})

t.test('the signed-out page names the reason and links to the last page', async (t) => {
  const atMs = Date.now()
  noteSignOut({ ending: 'expired', atMs, returnTo: '/customers/9?q=ahu' })
  const portal = openPortal(t, '/signed-out')
  await portal.findByRole('heading', { name: /^Your session expired at \d\d:\d\d$/ })
  t.equal(
    portal.getByRole('link', { name: 'Sign in' }).getAttribute('href'),
    '/auth/login?returnTo=%2Fcustomers%2F9%3Fq%3Dahu'
  )
  portal.getByText(/nothing happened for a while/)
  portal.unmount()
  noteSignOut({ ending: 'longest', atMs, returnTo: '/' })
  const endedPage = openPortal(t, '/signed-out')
  await endedPage.findByText(/^Your session reached its maximum length\./)
  endedPage.unmount()
  for (const [ending, explanation] of [
    ['authority', /^Your sign-in service has signed you out\. Sign in again/],
    ['person', /^You ended this session from another browser\./],
    ['newer', /^You signed in elsewhere and reached the allowed number/]
  ] as const) {
    noteSignOut({ ending, atMs, returnTo: '/customers/9' })
    const page = openPortal(t, '/signed-out')
    await page.findByRole('heading', { name: 'You were signed out' })
    page.getByText(explanation)
    page.unmount()
  }
  for (const broken of ['{', 'null']) {
    sessionStorage.setItem('portal.ended', broken)
    const page = openPortal(t, '/signed-out')
    await page.findByRole('heading', { name: 'You signed out' })
    page.unmount()
  }
})

t.test('reports a sign-out at the identity provider only if the address has the sent state', async (t) => {
  for (const [address, state, expected] of [
    ['/signed-out', 'sent', false],
    ['/signed-out?state=other', 'sent', false],
    ['/signed-out?state=', null, false],
    ['/signed-out?state=sent', 'sent', true]
  ] as const) {
    noteSignOut({ ending: 'signed-out', atMs: Date.now(), returnTo: null, state })
    const portal = openPortal(t, address)
    await portal.findByText(/^Your session has ended on this device/)
    t.equal(portal.queryByText(/and at your identity provider/) !== null, expected, address)
    portal.unmount()
  }
})

t.test('prompts near the end of the session; “Stay Connected” extends the session', async (t) => {
  const sessionOf = (expires_in: number) => ({ authenticated: true, expires_in, expired: false })
  const failingRenewal = { '/auth/session': sessionOf(40), '/auth/session/renew': problem(503) }
  const portal = openPortal(t, '/', { ...answers, ...failingRenewal })
  const dialog = await portal.findByRole('alertdialog', { name: 'Session Expiring' })
  t.match(portal.getByRole('timer').textContent, /^(3\d|40) seconds left$/)
  t.match(document.title, /Session Expiring/)
  portal.getByRole('button', { name: 'Log Out' })
  fireEvent.click(portal.getByRole('button', { name: 'Stay Connected' }))
  t.match((await portal.findByRole('alert')).textContent, /could not be extended/)
  portal.gateway.answers['/auth/session/renew'] = sessionOf(1800)
  fireEvent.click(portal.getByRole('button', { name: 'Stay Connected' }))
  await waitFor(() => assert.ok(!dialog.isConnected))
  t.notMatch(document.title, /Session Expiring/)
})

t.test('the sidebar collapses to named icons and stays collapsed', async (t) => {
  const portal = openPortal(t, '/', answers, {})
  fireEvent.click(await portal.findByRole('button', { name: 'Collapse the menu' }))
  t.ok(document.documentElement.hasAttribute('data-rail'))
  const reports = await portal.findByTitle('Saved Reports')
  t.equal(portal.getByRole('link', { name: 'Saved Reports' }), reports)
  t.ok(portal.queryByText('Version 1.0') === null)
  t.equal(localStorage.getItem('portal.rail'), 'true')
  fireEvent.click(portal.getByRole('button', { name: 'Support, privacy and version' }))
  portal.getByText('Version 1.0')
  await portal.findByRole('switch', { name: 'Tech support access' })
  fireEvent.click(portal.getByRole('button', { name: 'Expand the menu' }))
  await portal.findByText('Version 1.0')
})

t.test(
  'before the maximum length of the session, a strip says when it ends, and the page stays usable',
  async (t) => {
    const ending = { authenticated: true, expires_in: 40, expired: false, final: true }
    const portal = openPortal(t, '/', { ...answers, '/auth/session': ending })
    const strip = within(await portal.findByRole('alert'))
    strip.getByText(/^You will be signed out at \d\d:\d\d/)
    t.match(strip.getByRole('timer').textContent, /^(3\d|40) seconds left\.$/)
    t.match(document.title, /Session Expiring/)
    t.notOk(portal.queryByRole('alertdialog'))
    t.notOk(portal.queryByRole('button', { name: 'Stay Connected' }))
    fireEvent.click(strip.getByRole('button', { name: 'Close' }))
    t.notOk(portal.queryByText(/You will be signed out/))
    t.notMatch(document.title, /Session Expiring/)
  }
)
