import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import {
  expiryBadge,
  piecesOf,
  webAddress
} from '#client/features/people/notifications/notification-entry.tsx'
import { NOTIFICATION_PAGE_SIZE } from '#client/lib/limits.ts'
import { formatNotificationTime } from '#client/lib/time/time.ts'
import type { Notification } from '#shared/answers/notifications.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { display, setDisplay } from '../../../../support/client/dom.ts'
import {
  type Answers,
  bootstrap,
  type Call,
  pageOf,
  problem,
  user
} from '../../../../support/client/gateway.ts'
import { holdTimeouts } from '../../../../support/client/held-timeouts.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const LIST = '/api/v1/notifier/users/u-1/inapp'
const MARK = '/api/v1/notifier/users/u-1'

const SUBSTITUTIONS = {
  number_of_days_for_expiry: '7',
  service_account_id: 'sa-1',
  service_account_name: 'Billing <b>export</b>',
  subscription_name: 'NDS',
  customer_id: '9',
  licensing_website_link: 'https://licensing.example/renew'
}

const plainText = (...args: Parameters<typeof piecesOf>) =>
  piecesOf(...args)
    .map(({ text }) => text)
    .join('')

const texts: [what: string, content: string, text: string][] = [
  ['fills placeholders', '{subscription_name}, {number_of_days_for_expiry} days', 'NDS, 7 days'],
  ['shows … for an unknown placeholder', 'Request {request_number} of {greeting}', 'Request … of …'],
  ['ignores names of Object.prototype', '{constructor} {toString} {__proto__}', '… … …'],
  ['keeps other braces', 'a {b c} {} { } {{subscription_name}}', 'a {b c} {} { } {NDS}'],
  ['keeps markup as text', '<b>1</b> {service_account_name}', '<b>1</b> Billing <b>export</b>'],
  ['keeps an empty text', '', '']
]
for (const [what, content, text] of texts)
  t.test(`the text of a notification ${what}`, async (t) => t.equal(plainText(content, SUBSTITUTIONS), text))

t.test('does not fill a placeholder inside an inserted value', async (t) => {
  t.equal(plainText('{one}', { one: '{two}', two: 'x' }), '{two}')
})

const SENT = '2026-11-25T10:00:00Z'
const badgeOf = (days: unknown, now = SENT, changes: Partial<Notification> = {}) =>
  expiryBadge(
    {
      ...{ notificationId: 'n-1', subject: 'Expires soon', content: '', readStatus: false },
      generatedDate: SENT,
      substitutions: { number_of_days_for_expiry: days as string },
      ...changes
    },
    Date.parse(now)
  )

const badges: [days: unknown, level: string | null, text?: string][] = [
  [31, null],
  ['31', null],
  ['30', 'warn', '30 days left'],
  ['8', 'warn', '8 days left'],
  ['7', 'danger', '7 days left'],
  ['1', 'danger', '1 day left'],
  ['0', 'danger', 'Expired'],
  ['-2', 'danger', 'Expired'],
  ...['soon', null, {}, ''].map((days): [unknown, null] => [days, null])
]
for (const [days, level, text] of badges)
  t.test(`${JSON.stringify(days)} days left show ${level ? `a ${level} badge` : 'no badge'}`, async (t) =>
    t.same(badgeOf(days), level && { level, text })
  )

const ages: [sentWith: number, now: string, level: string | null, text?: string][] = [
  [1, '2026-11-26T09:59:00Z', 'danger', '1 day left'],
  [1, '2026-11-26T10:00:00Z', 'danger', 'Expired'],
  [1, '2026-11-28T08:00:00Z', 'danger', 'Expired'],
  [8, '2026-11-25T23:00:00Z', 'warn', '8 days left'],
  [8, '2026-11-26T10:00:00Z', 'danger', '7 days left'],
  [31, '2026-11-26T10:00:00Z', 'warn', '30 days left'],
  [60, '2026-11-28T10:00:00Z', null],
  [5, '2026-11-20T10:00:00Z', 'danger', '5 days left']
]
for (const [sentWith, now, level, text] of ages)
  t.test(`on ${now}, ${sentWith} days sent on ${SENT} show ${text ?? 'no badge'}`, async (t) =>
    t.same(badgeOf(sentWith, now), level && { level, text })
  )

t.test('a notification without a valid date shows the days that were sent', async (t) => {
  t.same(badgeOf('8', SENT, { generatedDate: 'someday' }), { level: 'warn', text: '8 days left' })
})

t.test('a notification that something has expired shows no number of days', async (t) => {
  t.same(badgeOf('8', SENT, { subject: 'Secret has expired' }), { level: 'danger', text: 'Expired' })
})

t.test('links only http(s) addresses', async (t) => {
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'licensing', '', null, 7])
    t.equal(webAddress(address), null)
  t.equal(webAddress('https://licensing.example/renew'), 'https://licensing.example/renew')
})

t.test('formats times as DD/MM/YYYY hh:mm:ss A', async (t) => {
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
    const matches = query.get('readStatus') === 'false' ? notes.filter((note) => !note.readStatus) : notes
    const [number, size] = [Number(query.get('page')), Number(query.get('size'))]
    const content = structuredClone(matches.slice(number * size, (number + 1) * size))
    return { content, page: pageOf(matches.length, number, size) }
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
  return { notes, answers: { [LIST]: list, [MARK]: mark } as Answers }
}

async function openBell(t: Test, { answers }: { answers: Answers }, rest: Partial<Bootstrap> = {}) {
  const portal = openPortal(t, '/', answers, rest)
  const bell = await portal.findByRole('button', { name: /^Notifications/ })
  fireEvent.click(bell)
  const popup = await portal.findByRole('dialog', { name: 'Notifications' })
  return { ...portal, bell, popup: within(popup) }
}

t.test('shows no bell and makes no call while notifications are off', async (t) => {
  const flags = { ...bootstrap().flags, enableNotifications: false }
  const portal = openPortal(t, '/', {}, { flags })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  await portal.findByRole('menuitem', { name: 'Log out' })
  t.notOk(portal.queryByRole('menuitem', { name: 'Configure Notifications' }))
  t.notOk(portal.queryByRole('button', { name: /^Notifications/ }))
  t.same(portal.callsTo(LIST), [])
})

t.test('the bell shows the number of unread notifications', async (t) => {
  const portal = openPortal(t, '/', notifier(120).answers)
  const bell = await portal.findByRole('button', { name: 'Notifications, 120 unread' })
  t.equal(bell.textContent, '99+')
})

t.test('shows an error with “Refresh” when the list fails or is malformed', async (t) => {
  const server = notifier(2)
  const { popup, gateway } = await openBell(t, { answers: { ...server.answers, [LIST]: problem(503) } })
  await popup.findByText('Network Connectivity Failed')
  gateway.answers[LIST] = { items: 'none' }
  fireEvent.click(popup.getByRole('button', { name: 'Refresh' }))
  await popup.findByText('Something went wrong')
  gateway.answers[LIST] = server.answers[LIST]
  fireEvent.click(popup.getByRole('button', { name: 'Refresh' }))
  await popup.findByText('Subject 1')
})

t.test('shows a message when there are no notifications, or no unread notifications', async (t) => {
  const { popup } = await openBell(t, notifier(0))
  await popup.findByText('No notifications')
  fireEvent.click(popup.getByRole('tab', { name: 'Unread' }))
  await popup.findByText('No unread notifications')
})

t.test('shows malformed notifications as plain text', async (t) => {
  const server = notifier(
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
  const { popup } = await openBell(t, server)
  await popup.findByText('<img src=x onerror=alert(1)>', { exact: false })
  t.notOk(document.querySelector('.notifications img'))
  t.equal(popup.getAllByRole('listitem').length, 3)
  t.notOk(document.querySelector('.notifications a'))
})

t.test('links to the service account, the customer by name, and the licensing site', async (t) => {
  const content = '{service_account_name} of {customer_id}: {licensing_website_link}'
  const { answers } = notifier(1, () => ({ content }))
  answers['/api/v2/management/organizations/9'] = { id: '9', orgName: 'Northwind', partnerId: '1' }
  const { popup } = await openBell(t, { answers })
  await popup.findByRole('link', { name: 'Northwind' })
  const links = popup.getAllByRole('link').map((link) => link.getAttribute('href'))
  t.same(links, [
    '/customers/9/serviceaccount/sa-1?focus=secret',
    '/customers/9',
    'https://licensing.example/renew'
  ])
  popup.getByText('7 days left')
  t.match(popup.getByRole('listitem').querySelector('time')?.textContent, /^01\/03\/2026 \d\d:00:00 [AP]M$/)
})

t.test('does not link service accounts that the person may not view', async (t) => {
  const server = notifier(1, () => ({ content: '{service_account_name} of {customer_id}' }))
  const { popup } = await openBell(t, server, { user: user('partner_user', '/organizations/1') })
  const links = (await popup.findAllByRole('link')).map((link) => link.getAttribute('href'))
  t.same(links, ['/customers/9'])
})

t.test('the popup fills a small screen and shortens long subjects', async (t) => {
  setDisplay({ wide: false })
  const server = notifier(1, () => ({ subject: 'x'.repeat(36) }))
  const { popup } = await openBell(t, server)
  await popup.findByText(`${'x'.repeat(34)}…`)
  t.ok(document.querySelector('dialog.screen[open]'))
  fireEvent.click(popup.getByRole('button', { name: 'Close' }))
  t.notOk(document.querySelector('dialog.screen'))
})

t.test('marks a notification as read before the answer, and offers “Undo”', async (t) => {
  const server = notifier(3)
  const { popup, bell, callsTo } = await openBell(t, server)
  fireEvent.click(await popup.findByRole('button', { name: 'Mark as read: Subject 2' }))
  popup.getByRole('button', { name: 'Mark as unread: Subject 2' })
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 2 unread')
  await waitFor(() => assert.ok(server.notes[1]?.readStatus))
  t.same(callsTo(MARK)[0]?.body, { readStatus: true, readAllNotifications: false, notificationIds: ['n-2'] })
  fireEvent.click(popup.getByRole('button', { name: 'Undo' }))
  popup.getByRole('button', { name: 'Mark as read: Subject 2' })
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 3 unread')
  await waitFor(() => assert.equal(server.notes[1]?.readStatus, false))
})

t.test('undoes a failed change and reports the failure', async (t) => {
  const server = notifier(3)
  const { popup, bell, gateway } = await openBell(t, server)
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

t.test('reads the notifications again if the answer to a change was lost', async (t) => {
  const server = notifier(3)
  const { popup, bell, gateway } = await openBell(t, server)
  await popup.findByText('Subject 1')
  const mark = gateway.answers[MARK] as (call: Call) => unknown
  gateway.answers[MARK] = (call: Call) => {
    mark(call)
    return problem(504)
  }
  fireEvent.click(popup.getByRole('button', { name: 'Mark as read: Subject 1' }))
  t.match((await popup.findByRole('alert')).textContent, /The change may have been made anyway\./)
  await popup.findByRole('button', { name: 'Mark as unread: Subject 1' })
  await waitFor(() => assert.equal(bell.getAttribute('aria-label'), 'Notifications, 2 unread'))
  t.pass()
})

t.test('“Undo” of “Mark all as read” marks only previously unread notifications as unread', async (t) => {
  const server = notifier(45, (_note, index) => ({ readStatus: index % 3 === 0 }))
  const readStates = server.notes.map(({ readStatus }) => readStatus)
  const { popup, bell, callsTo } = await openBell(t, server)
  await popup.findByText('Subject 1')
  fireEvent.click(popup.getByRole('button', { name: 'Mark all as read' }))
  t.equal(bell.getAttribute('aria-label'), 'Notifications')
  fireEvent.click(await popup.findByRole('button', { name: 'Undo' }))
  t.same(callsTo(MARK)[0]?.body, { readStatus: true, readAllNotifications: true, notificationIds: [] })
  await waitFor(() =>
    assert.deepEqual(
      server.notes.map(({ readStatus }) => readStatus),
      readStates
    )
  )
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 30 unread')
})

t.test('loads more pages of 20 without repeats or gaps', async (t) => {
  const server = notifier(45)
  const { popup, callsTo } = await openBell(t, server)
  fireEvent.click(popup.getByRole('tab', { name: /^Unread/ }))
  await popup.findByText('Subject 20')
  t.equal(popup.getAllByRole('listitem').length, NOTIFICATION_PAGE_SIZE)
  for (const number of [1, 2, 3])
    fireEvent.click(popup.getByRole('button', { name: `Mark as read: Subject ${number}` }))
  await waitFor(() => assert.equal(server.notes.filter(({ readStatus }) => readStatus).length, 3))
  fireEvent.click(popup.getByRole('button', { name: 'Load more' }))
  await popup.findByText('Subject 23')
  for (let pages = 0; pages < 5 && popup.queryByRole('button', { name: 'Load more' }); pages += 1) {
    const itemCount = popup.getAllByRole('listitem').length
    fireEvent.click(popup.getByRole('button', { name: 'Load more' }))
    await waitFor(() =>
      assert.ok(
        popup.getAllByRole('listitem').length > itemCount || !popup.queryByRole('button', { name: /Load/ })
      )
    )
  }
  const subjects = popup
    .getAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent?.replace('Unread: ', ''))
  t.same([...new Set(subjects)].sort(), server.notes.map(({ subject }) => subject).sort())
  t.equal(subjects.length, 45)
  t.ok(callsTo(LIST).every(({ query }) => query.get('sortBy') === 'generatedDate,desc'))
})

t.test('loads the next page once, after three seconds at the bottom', async (t) => {
  const { popup, callsTo } = await openBell(t, notifier(30))
  await popup.findByRole('button', { name: 'Load more' })
  await waitFor(() => assert.ok(display.watched.size > 0))
  const setBottomInView = [...display.watched].at(-1) as (inView: boolean) => void
  const listCalls = callsTo(LIST).length
  const threeSeconds = holdTimeouts(t, [3_000])
  setBottomInView(true)
  setBottomInView(false)
  setBottomInView(true)
  t.equal(callsTo(LIST).length, listCalls)
  await threeSeconds.end()
  await popup.findByText('Subject 30')
  t.equal(callsTo(LIST).length, listCalls + 1)
})

t.test('Escape closes the popup and restores the focus; a click outside closes the popup', async (t) => {
  const { popup, bell, queryByRole } = await openBell(t, notifier(1))
  await popup.findByText('Subject 1')
  fireEvent.keyDown(popup.getByRole('heading', { name: 'Notifications' }), { key: 'Escape' })
  t.notOk(queryByRole('dialog'))
  t.ok(document.activeElement === bell)
  fireEvent.click(bell)
  fireEvent.pointerDown(document.body)
  t.notOk(queryByRole('dialog'))
})
