import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { asking } from '#client/features/notifications/invitations/api.ts'
import { daysBadge, piecesOf, webAddress } from '#client/features/notifications/notification-entry.tsx'
import { formatNotificationTime } from '#client/lib/time/time.ts'
import { toasts } from '#client/ui/state/toasts.ts'
import type { Bootstrap } from '#shared/entities.ts'
import { NOTIFICATION_PAGE_SIZE } from '#shared/limits.ts'
import { INVITATION, NOTIFICATION_SETTINGS } from '#shared/messages.ts'
import { display, setDisplay } from '../../../support/client/dom.ts'
import { bootstrap, type Call, card, problem, user } from '../../../support/client/gateway.ts'
import { openPortal } from '../../../support/client/portal.tsx'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const CUSTOMERS = '/api/portal/v1/organizations/1/customers'
const LIST = '/api/v1/notifier/users/u-1/inapp'
const MARK = '/api/v1/notifier/users/u-1'
const PREFERENCES = '/api/v1/notifications/users/u-1'
const INVITATIONS = '/api/v2/management/myUser/userInvitations'
const accept = (id: string) => `/api/v2/management/userInvitation/${id}/accept`
const reject = (id: string) => `/api/v2/management/userInvitation/${id}/reject`

const answers = {
  [CUSTOMERS]: { items: [card('9')], page: { number: 0, size: 20, totalPages: 1, totalElements: 1 } }
}

const forgetAsking = () => asking.setState(asking.getInitialState())
const plainText = (...of: Parameters<typeof piecesOf>) =>
  piecesOf(...of)
    .map(({ text }) => text)
    .join('')

t.afterEach(() => {
  toasts.forget()
  forgetAsking()
})

const SUBSTITUTIONS = {
  number_of_days_for_expiry: '7',
  service_account_id: 'sa-1',
  service_account_name: 'Billing <b>export</b>',
  subscription_name: 'NDS',
  customer_id: '9',
  licensing_website_link: 'https://licensing.example/renew'
}

const texts: [what: string, content: string, shows: string][] = [
  [
    'placeholders are filled',
    'The {subscription_name} plan, {number_of_days_for_expiry} days',
    'The NDS plan, 7 days'
  ],
  ['an unknown placeholder becomes …', 'Request {request_number} of {greeting}', 'Request … of …'],
  ['names of Object.prototype are no placeholders', '{constructor} {toString} {__proto__}', '… … …'],
  ['other braces stay', 'a {b c} {} { } {{subscription_name}}', 'a {b c} {} { } {NDS}'],
  [
    'markup stays text',
    '<script>alert(1)</script> {service_account_name}',
    '<script>alert(1)</script> Billing <b>export</b>'
  ],
  ['an empty text stays empty', '', '']
]
for (const [what, content, shows] of texts) {
  t.test(`the text of a notification: ${what}`, async (t) =>
    t.equal(plainText(content, SUBSTITUTIONS), shows)
  )
}

t.test('fills a placeholder once', async (t) => {
  t.equal(plainText('{one}', { one: '{two}', two: 'x' }), '{two}')
  t.same(
    piecesOf('{one}{one}', { one: 'x' }).map(({ at }) => at),
    [0, 5],
    'and each piece has a place of its own'
  )
})

const badges: [days: unknown, level: string | null, text?: string][] = [
  [31, null],
  ['31', null],
  ['30', 'warn', '30 days'],
  ['8', 'warn', '8 days'],
  ['7', 'danger', '7 days'],
  ['1', 'danger', '1 day'],
  ['0', 'danger', 'Expired'],
  ['-2', 'danger', 'Expired'],
  ['soon', null],
  [null, null],
  [{}, null],
  ['', null]
]
for (const [days, level, text] of badges) {
  t.test(`${JSON.stringify(days)} days left make ${level ? `a ${level} badge` : 'no badge'}`, async (t) => {
    t.same(daysBadge(days), level && { level, text })
  })
}

t.test('a notification about something expired shows no days', async (t) => {
  t.same(daysBadge('8', 'Secret has expired'), { level: 'danger', text: 'Expired' })
})

t.test('links only http(s) addresses', async (t) => {
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'licensing', '', null, 7])
    t.equal(webAddress(bad), null)
  t.equal(webAddress('https://licensing.example/renew'), 'https://licensing.example/renew')
})

t.test('shows times as DD/MM/YYYY hh:mm:ss A', async (t) => {
  t.equal(formatNotificationTime('2026-03-05T00:07:09Z', 'UTC'), '05/03/2026 12:07:09 AM')
  t.equal(formatNotificationTime('2026-03-05T12:00:00Z', 'UTC'), '05/03/2026 12:00:00 PM')
  t.equal(formatNotificationTime('2026-12-31T23:59:59Z', 'UTC'), '31/12/2026 11:59:59 PM')
  t.equal(formatNotificationTime('someday', 'UTC'), 'someday')
})

interface Note {
  notificationId: string
  subject: string
  content: string
  generatedDate: string
  readStatus: boolean
  substitutions: unknown
}

function notifier(count: number, change: (note: Note, index: number) => Partial<Note> = () => ({})) {
  const notes = Array.from({ length: count }, (_, index) => {
    const note = {
      notificationId: `n-${index + 1}`,
      subject: `Subject ${index + 1}`,
      content: `Text ${index + 1}`,
      generatedDate: '2026-03-01T10:00:00.000Z',
      readStatus: false,
      substitutions: SUBSTITUTIONS as unknown
    }
    return { ...note, ...change(note, index) }
  })
  const list = ({ query }: Call) => {
    const wanted = query.get('readStatus') === 'false' ? notes.filter((note) => !note.readStatus) : notes
    const [number, size] = [Number(query.get('page')), Number(query.get('size'))]
    const page = { number, size, totalPages: Math.ceil(wanted.length / size), totalElements: wanted.length }
    return { content: structuredClone(wanted.slice(number * size, (number + 1) * size)), page }
  }
  const mark = ({ body }: Call) => {
    const { readStatus, readAllNotifications, notificationIds } = body as {
      readStatus: boolean
      readAllNotifications: boolean
      notificationIds: string[]
    }
    for (const note of notes)
      if (readAllNotifications || notificationIds.includes(note.notificationId)) note.readStatus = readStatus
    return {}
  }
  return { notes, answers: { ...answers, [LIST]: list, [MARK]: mark } }
}

async function openBell(t: Test, { answers }: { answers: object }, rest: Partial<Bootstrap> = {}) {
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: bootstrap(rest) })
  const bell = await portal.findByRole('button', { name: /^Notifications/ })
  fireEvent.click(bell)
  const popup = await portal.findByRole('dialog', { name: 'Notifications' })
  return { ...portal, bell, popup: within(popup) }
}

t.test('shows no bell and makes no call without the flag', async (t) => {
  const flags = { ...bootstrap().flags, enableNotifications: false }
  const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: bootstrap({ flags }) })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  await portal.findByRole('menuitem', { name: 'Log out' })
  t.equal(portal.queryByRole('menuitem', { name: 'Configure Notifications' }), null)
  t.equal(portal.queryByRole('button', { name: /^Notifications/ }), null)
  t.same(portal.callsTo(LIST), [])
})

t.test('the bell has the number of unread notifications', async (t) => {
  const portal = openPortal(t, '/', notifier(120).answers)
  const bell = await portal.findByRole('button', { name: 'Notifications, 120 unread' })
  t.equal(bell.textContent, '99+')
})

t.test('a failed or malformed list shows an error with Refresh', async (t) => {
  const fake = notifier(2)
  const { popup, gateway } = await openBell(t, { answers: { ...fake.answers, [LIST]: problem(503) } })
  await popup.findByText('Network Connectivity Failed')
  gateway.answers[LIST] = { items: 'none' }
  fireEvent.click(popup.getByRole('button', { name: 'Refresh' }))
  await popup.findByText('Something went wrong')
  gateway.answers[LIST] = fake.answers[LIST]
  fireEvent.click(popup.getByRole('button', { name: 'Refresh' }))
  await popup.findByText('Subject 1')
})

t.test('a failed list loads again when the connection is back', async (t) => {
  const { answers } = notifier(1)
  const { gateway, popup } = await openBell(t, { answers: { ...answers, [LIST]: problem(503) } })
  await popup.findByRole('alert')
  gateway.answers[LIST] = answers[LIST]
  fireEvent(window, new window.Event('online'))
  await popup.findByText('Subject 1')
})

t.test('has an empty state for all and for unread', async (t) => {
  const { popup } = await openBell(t, notifier(0))
  await popup.findByText('No notifications')
  fireEvent.click(popup.getByRole('tab', { name: 'Unread' }))
  await popup.findByText('No unread notifications')
})

t.test('shows malformed notifications as plain text', async (t) => {
  const fake = notifier(
    3,
    (_note, index) =>
      [
        { content: '<img src=x onerror=alert(1)> {unknown} {subscription_name}', substitutions: null },
        { subject: null, content: 7, generatedDate: null } as never,
        {
          substitutions: { ...SUBSTITUTIONS, licensing_website_link: 'javascript:alert(1)' },
          content: '{licensing_website_link}'
        }
      ][index] ?? {}
  )
  const { popup } = await openBell(t, fake)
  await popup.findByText('<img src=x onerror=alert(1)>', { exact: false })
  t.equal(document.querySelector('.notifications img'), null)
  t.equal(popup.getAllByRole('listitem').length, 3)
  t.equal(document.querySelector('.notifications a'), null, 'a script is no link')
})

t.test('links the account, the customer by name, and the licensing site', async (t) => {
  const content = '{service_account_name} of {customer_id}: {licensing_website_link}'
  const fake = notifier(1, () => ({ content }))
  Object.assign(fake.answers, {
    '/api/v2/management/organizations/9': { id: '9', orgName: 'Northwind', partnerId: '1' }
  })
  const { popup } = await openBell(t, fake)
  await popup.findByRole('link', { name: 'Northwind' })
  const links = popup.getAllByRole('link').map((link) => link.getAttribute('href'))
  t.same(links, [
    '/customers/9/serviceaccount/sa-1?focus=secret',
    '/customers/9',
    'https://licensing.example/renew'
  ])
  popup.getByText('7 days')
  t.match(popup.getByRole('listitem').querySelector('time')?.textContent, /^01\/03\/2026 \d\d:00:00 [AP]M$/)
})

t.test('does not link service accounts that the person may not view', async (t) => {
  const content = '{service_account_name} of {customer_id}'
  const partnerUser = { user: user('partner_user', '/organizations/1') }
  const { popup } = await openBell(
    t,
    notifier(1, () => ({ content })),
    partnerUser
  )
  const links = (await popup.findAllByRole('link')).map((link) => link.getAttribute('href'))
  t.same(links, ['/customers/9'])
})

t.test('covers a small screen and cuts long subjects', async (t) => {
  setDisplay({ wide: false })
  const subject = 'x'.repeat(36)
  const { popup } = await openBell(
    t,
    notifier(1, () => ({ subject }))
  )
  await popup.findByText(`${'x'.repeat(35)}…`)
  t.ok(document.querySelector('dialog.screen[open]'))
  fireEvent.click(popup.getByRole('button', { name: 'Close' }))
  t.equal(document.querySelector('dialog.screen'), null)
})

t.test('marks one at once and offers Undo', async (t) => {
  const fake = notifier(3)
  const { popup, bell, callsTo } = await openBell(t, fake)
  fireEvent.click(await popup.findByRole('button', { name: 'Mark as read: Subject 2' }))
  popup.getByRole('button', { name: 'Mark as unread: Subject 2' })
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 2 unread')
  await waitFor(() => assert.ok(fake.notes[1]?.readStatus))
  t.same(callsTo(MARK)[0]?.body, { readStatus: true, readAllNotifications: false, notificationIds: ['n-2'] })
  fireEvent.click(popup.getByRole('button', { name: 'Undo' }))
  popup.getByRole('button', { name: 'Mark as read: Subject 2' })
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 3 unread')
  await waitFor(() => assert.equal(fake.notes[1]?.readStatus, false))
})

t.test('undoes a failed marking and reports it', async (t) => {
  const fake = notifier(3)
  const { popup, bell, gateway } = await openBell(t, fake)
  await popup.findByText('Subject 1')
  gateway.answers[MARK] = problem(503)
  fireEvent.click(popup.getByRole('button', { name: 'Mark as read: Subject 1' }))
  t.match((await popup.findByRole('alert')).textContent, /Nothing was marked/)
  popup.getByRole('button', { name: 'Mark as read: Subject 1' })
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 3 unread')
  fireEvent.click(popup.getByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => assert.equal(popup.getAllByRole('button', { name: /^Mark as read/ }).length, 3))
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 3 unread')
})

t.test('Undo of marking all restores only what was unread', async (t) => {
  const fake = notifier(45, (_note, index) => ({ readStatus: index % 3 === 0 }))
  const before = fake.notes.map(({ readStatus }) => readStatus)
  const { popup, bell, callsTo } = await openBell(t, fake)
  await popup.findByText('Subject 1')
  fireEvent.click(popup.getByRole('button', { name: 'Mark all as read' }))
  t.equal(bell.getAttribute('aria-label'), 'Notifications', 'at once')
  fireEvent.click(await popup.findByRole('button', { name: 'Undo' }))
  t.same(callsTo(MARK)[0]?.body, { readStatus: true, readAllNotifications: true, notificationIds: [] })
  await waitFor(() =>
    assert.deepEqual(
      fake.notes.map(({ readStatus }) => readStatus),
      before
    )
  )
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 30 unread')
})

t.test('loads more pages of 20 without repeats or gaps', async (t) => {
  const fake = notifier(45)
  const { popup, callsTo } = await openBell(t, fake)
  fireEvent.click(popup.getByRole('tab', { name: /^Unread/ }))
  await popup.findByText('Subject 20')
  t.equal(popup.getAllByRole('listitem').length, NOTIFICATION_PAGE_SIZE)
  for (const number of [1, 2, 3])
    fireEvent.click(popup.getByRole('button', { name: `Mark as read: Subject ${number}` }))
  await waitFor(() => assert.equal(fake.notes.filter(({ readStatus }) => readStatus).length, 3))
  fireEvent.click(popup.getByRole('button', { name: 'Load more' }))
  await popup.findByText('Subject 23')
  for (let pages = 0; pages < 5 && popup.queryByRole('button', { name: 'Load more' }); pages += 1) {
    const shown = popup.getAllByRole('listitem').length
    fireEvent.click(popup.getByRole('button', { name: 'Load more' }))
    await waitFor(() =>
      assert.ok(
        popup.getAllByRole('listitem').length > shown || !popup.queryByRole('button', { name: /Load/ })
      )
    )
  }
  const subjects = popup
    .getAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent?.replace('Unread: ', ''))
  t.same([...new Set(subjects)].sort(), fake.notes.map(({ subject }) => subject).sort())
  t.equal(subjects.length, 45)
  t.ok(callsTo(LIST).every(({ query }) => query.get('sortBy') === 'generatedDate,desc'))
})

t.test('loads the next page after three seconds at the bottom', async (t) => {
  const { popup, callsTo } = await openBell(t, notifier(30))
  await popup.findByRole('button', { name: 'Load more' })
  await waitFor(() => assert.ok(display.watched.size > 0))
  const bottom = [...display.watched].at(-1) as (inView: boolean) => void
  const before = callsTo(LIST).length
  const since = performance.now()
  bottom(true)
  bottom(false)
  bottom(true)
  await popup.findByText('Subject 30')
  t.ok(performance.now() - since >= 2_990, `${performance.now() - since} ms`)
  t.equal(callsTo(LIST).length, before + 1, 'and once')
})

t.test('Escape closes the popup and restores the focus, a click outside closes it', async (t) => {
  const { popup, bell, queryByRole } = await openBell(t, notifier(1))
  await popup.findByText('Subject 1')
  fireEvent.keyDown(popup.getByRole('heading', { name: 'Notifications' }), { key: 'Escape' })
  t.equal(queryByRole('dialog'), null)
  t.equal(document.activeElement, bell)
  fireEvent.click(bell)
  fireEvent.pointerDown(document.body)
  t.equal(queryByRole('dialog'), null)
})

const both = (one: boolean, two: boolean) => [
  { eventTypeId: 1, notificationType: 'email', subscribe: one },
  { eventTypeId: 2, notificationType: 'email', subscribe: two }
]

async function openSettings(t: Test, preferences: unknown) {
  const portal = openPortal(t, '/', { ...answers, [PREFERENCES]: preferences })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Configure Notifications' }))
  return portal
}

for (const [what, answer] of [
  ['cannot be loaded', problem(500)],
  ['are no list', { subscribe: true }]
] as const) {
  t.test(`settings that ${what}: closes the dialog with a message`, async (t) => {
    const portal = await openSettings(t, answer)
    await portal.findByText(NOTIFICATION_SETTINGS.loadFailed)
    t.equal(NOTIFICATION_SETTINGS.loadFailed, 'An error occurred while fetching notification details.')
    t.equal(portal.queryByRole('dialog'), null)
  })
}

t.test('Save waits for a changed setting', async (t) => {
  const portal = await openSettings(t, ({ method }: Call) => (method === 'GET' ? both(true, false) : {}))
  const first = await portal.findByRole('switch', { name: 'Subscription updates' })
  const save = portal.getByRole('button', { name: 'Save' })
  t.equal(save.getAttribute('aria-disabled'), 'true')
  fireEvent.click(save)
  fireEvent.click(first)
  t.equal(save.getAttribute('aria-disabled'), 'false')
  fireEvent.click(first)
  t.equal(save.getAttribute('aria-disabled'), 'true', 'back to what it was')
  t.equal(portal.callsTo(PREFERENCES).length, 1)
  fireEvent.click(portal.getByRole('switch', { name: 'Service account updates' }))
  fireEvent.click(save)
  await portal.findByText('Notification setting updated.')
  const [, put] = portal.callsTo(PREFERENCES)
  t.equal(put?.method, 'PUT')
  t.same(put?.body, both(true, true))
})

t.test('a failed save shows in the dialog and keeps the choice', async (t) => {
  const portal = await openSettings(t, ({ method }: Call) =>
    method === 'GET' ? both(true, true) : problem(500)
  )
  fireEvent.click(await portal.findByRole('switch', { name: 'Subscription updates' }))
  fireEvent.click(portal.getByRole('button', { name: 'Save' }))
  await portal.findByText('An error occurred while Updating notification details.')
  t.equal((portal.getByRole('switch', { name: 'Subscription updates' }) as HTMLInputElement).checked, false)
})

const unsubscribeAt = (t: Test, query: string, preferences?: unknown) =>
  openPortal(t, `/unsubscribe-email${query}`, {
    ...answers,
    ...(preferences === undefined ? {} : { [PREFERENCES]: preferences })
  })

for (const query of ['', '?eventTypeId=', '?eventTypeId=3', '?eventTypeId=1x', '?eventTypeId=%3Cb%3E']) {
  t.test(
    `an unsubscribe link with "${query}" says that it cannot be used, and changes nothing`,
    async (t) => {
      const portal = unsubscribeAt(t, query)
      await portal.findByRole('dialog', { name: 'This link cannot be used' })
      t.same(portal.callsTo(PREFERENCES), [])
      fireEvent.click(portal.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
      await waitFor(() => assert.equal(portal.address(), '/'))
    }
  )
}

t.test('unsubscribing asks, confirms and keeps the other choices', async (t) => {
  const portal = unsubscribeAt(t, '?eventTypeId=2', ({ method }: Call) =>
    method === 'GET' ? both(false, true) : {}
  )
  const proceed = await portal.findByRole('button', { name: 'Proceed' })
  t.same(portal.callsTo(PREFERENCES).length, 1)
  fireEvent.click(proceed)
  await portal.findByRole('dialog', { name: 'You are unsubscribed' })
  t.same(portal.callsTo(PREFERENCES).at(-1)?.body, both(false, false))
})

t.test('an unsubscribe link works for every role', async (t) => {
  const only = card('9')
  const person = user('customer_user', only.scope, { userType: 'CUSTOMER', organizationId: '9' })
  const portal = openPortal(t, '/unsubscribe-email?eventTypeId=1', {
    '/api/portal/v1/bootstrap': bootstrap({ user: person, customers: { count: 1, only } }),
    [PREFERENCES]: both(true, true)
  })
  await portal.findByRole('dialog', { name: 'Unsubscribe from e-mail?' })
  t.ok(portal.getByRole('heading', { level: 1, name: 'E-mail notifications', hidden: true }))
})

t.test('reports that the person is already unsubscribed', async (t) => {
  const portal = unsubscribeAt(t, '?eventTypeId=1', both(false, true))
  await portal.findByRole('dialog', { name: 'You are unsubscribed' })
  t.equal(portal.callsTo(PREFERENCES).length, 1)
})

t.test('a failed unsubscription offers Retry and the support contact', async (t) => {
  let works = false
  const portal = unsubscribeAt(t, '?eventTypeId=1', ({ method }: Call) => {
    if (!works) return problem(503)
    return method === 'GET' ? both(true, true) : {}
  })
  await portal.findByRole('dialog', { name: 'Unable to connect to the service' })
  portal.getByText('support@portal.example')
  works = true
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Proceed' }))
  await portal.findByRole('dialog', { name: 'You are unsubscribed' })
})

const invitation = (id: string, rest: object = {}) => ({
  id,
  partnerName: 'Brightwater Controls',
  customerName: 'Northwind',
  expiresDate: '2026-04-01T00:00:00Z',
  status: 'PENDING',
  roleAssignments: [{ roleName: 'ncp_customer_user' }],
  ...rest
})
const NONE = { content: [], page: { number: 0, size: 20, totalPages: 0, totalElements: 0 } }
const invited = (...userInvitations: object[]) => ({
  ...answers,
  [INVITATIONS]: { _embedded: { userInvitations } }
})

t.test('asks nothing without a pending invitation or when loading fails', async (t) => {
  for (const answer of [
    {},
    problem(500),
    { _embedded: { userInvitations: [invitation('i-1', { status: 'EXPIRED' })] } }
  ]) {
    const portal = openPortal(t, '/', { ...answers, [INVITATIONS]: answer })
    await waitFor(() => assert.ok(portal.callsTo(INVITATIONS).length > 0))
    await portal.findByText('Customer 9')
    t.equal(portal.queryByText('You are invited'), null)
    portal.unmount()
  }
})

t.test('shows the first invitation with integrator, customer and role', async (t) => {
  const portal = openPortal(t, '/', invited(invitation('i-1'), invitation('i-2', { customerName: 'Harbor' })))
  const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
  t.match(
    dialog.textContent,
    /Invitation 1 of 2.*Brightwater Controls invites you to Northwind as Customer user/
  )
  t.match(dialog.textContent, /until 01-Apr-2026/)
})

t.test('a sparse invitation can be answered', async (t) => {
  const portal = openPortal(t, '/', invited({ id: 'i-1' }))
  const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
  t.match(dialog.textContent, /An integrator invites you to its own organization\./)
})

const answersOf: [button: string, path: string][] = [
  ['Accept', accept('i-1')],
  ['Decline', reject('i-1')]
]
for (const [button, path] of answersOf) {
  t.test(`${button} answers the invitation and reloads the portal`, async (t) => {
    const portal = openPortal(t, '/', { ...invited(invitation('i-1')), [path]: {} })
    fireEvent.click(await portal.findByRole('button', { name: button }))
    await waitFor(() => assert.deepEqual(portal.left, ['reload']))
    t.equal(portal.callsTo(path)[0]?.method, 'POST')
  })
}

for (const way of ['Later', 'Escape'])
  t.test(`an invitation postponed by ${way} returns with the next load`, async (t) => {
    const portal = openPortal(
      t,
      '/',
      invited(invitation('i-1'), invitation('i-2', { customerName: 'Harbor' }))
    )
    const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
    if (way === 'Later') fireEvent.click(portal.getByRole('button', { name: way }))
    else fireEvent(dialog, new window.Event('cancel', { cancelable: true }))
    t.equal(portal.queryByRole('dialog'), null)
    await portal.router.navigate('/?q=x')
    t.equal(portal.queryByRole('dialog'), null)
    portal.unmount()
    forgetAsking()
    const again = openPortal(t, '/', invited(invitation('i-1')))
    await again.findByRole('dialog', { name: 'You are invited' })
  })

t.test('the bell lists an invitation until it is answered', async (t) => {
  const portal = openPortal(t, '/', { ...invited(invitation('i-1')), [LIST]: NONE })
  fireEvent.click(await portal.findByRole('button', { name: 'Later' }))
  const bell = await portal.findByRole('button', { name: 'Notifications, 1 unread' })
  fireEvent.click(bell)
  const list = within(await portal.findByRole('list', { name: 'Invitations' }))
  list.getByText('Northwind')
  t.equal(
    portal.getByRole('button', { name: 'Mark all as read' }).getAttribute('aria-disabled'),
    'true',
    'reading is no answer'
  )
  fireEvent.click(list.getByRole('button', { name: /^Answer/ }))
  await portal.findByRole('dialog', { name: 'You are invited' })
  t.equal(portal.queryByRole('dialog', { name: 'Notifications' }), null)
})

const nobody = bootstrap({
  user: user(null, '', { userType: 'UNASSIGNED' }),
  customers: { count: 0, only: null }
})

t.test('a person without a role sees only invitations, one by one', async (t) => {
  const portal = openPortal(t, '/', {
    ...invited(invitation('i-1'), invitation('i-2', { customerName: 'Harbor' })),
    [BOOTSTRAP]: nobody,
    [reject('i-1')]: problem(404, { code: 'notFound' })
  })
  await portal.findByRole('heading', { level: 1, name: 'You are invited' })
  t.equal(portal.address(), '/errors/authorization')
  portal.getByText('Northwind')
  await portal.findByRole('button', { name: 'Notifications, 2 unread' })
  t.equal(portal.queryByText('Access denied'), null)
  t.equal(portal.queryByRole('dialog'), null, 'not in a dialog as well')
  t.match(document.title, 'You are invited')
  fireEvent.click(portal.getByRole('button', { name: 'Decline' }))
  await portal.findByRole('heading', { level: 1, name: 'User Invitation not found' })
  fireEvent.click(portal.getByRole('button', { name: 'Close' }))
  await portal.findByText('Harbor')
})

for (const [what, answer] of [
  ['no invitation', {}],
  ['invitations that cannot be loaded', problem(503)]
] as const)
  t.test(`denies access to a person without a role and ${what}`, async (t) => {
    const portal = openPortal(t, '/', { ...answers, [BOOTSTRAP]: nobody, [INVITATIONS]: answer })
    await portal.findByRole('heading', { level: 1, name: 'Access denied' })
  })

t.test('an invitation can be answered on a denied page', async (t) => {
  const portal = openPortal(t, '/registerdevice', {
    ...invited(invitation('i-1')),
    [BOOTSTRAP]: bootstrap({ user: user('partner_user', '/organizations/1') })
  })
  await portal.findByRole('heading', { level: 1, name: 'Access denied' })
  fireEvent.click(await portal.findByRole('button', { name: 'Later' }))
  fireEvent.click(portal.getByRole('button', { name: 'Answer' }))
  await portal.findByRole('dialog', { name: 'You are invited' })
})

t.test('accepting lets a person without a role in', async (t) => {
  const portal = openPortal(t, '/', {
    ...invited(invitation('i-1')),
    [BOOTSTRAP]: nobody,
    [accept('i-1')]: {}
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Accept' }))
  await waitFor(() => assert.deepEqual(portal.left, ['/']))
})

t.test('reports a deleted invitation and shows the next one', async (t) => {
  const portal = openPortal(t, '/', {
    ...invited(invitation('i-1'), invitation('i-2', { customerName: 'Harbor' })),
    [accept('i-1')]: problem(404, { code: 'notFound' })
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Accept' }))
  await portal.findByRole('heading', { name: 'User Invitation not found' })
  portal.getByText("We couldn't find an invitation associated with this user.")
  t.equal(INVITATION.notFound.title, 'User Invitation not found')
  fireEvent.click(portal.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  await portal.findByText('Harbor')
})

t.test('shows a failed answer inside the prompt', async (t) => {
  for (const failed of [problem(503), problem(410, { code: 'expired' }), problem(404)]) {
    const portal = openPortal(t, '/', { ...invited(invitation('i-1')), [accept('i-1')]: failed })
    fireEvent.click(await portal.findByRole('button', { name: 'Accept' }))
    await portal.findByText("We couldn't process your request, try again later.")
    portal.getByRole('button', { name: 'Decline' })
    t.same(portal.left, [])
    portal.unmount()
  }
})
