import t from 'tap'
import { startSandbox } from '../../app.ts'
import { callAs } from '../call-as.ts'

const sandbox = await startSandbox({ clock: () => Date.parse('2026-03-11T12:00:00Z') })
t.teardown(sandbox.stop)
const call = await callAs(sandbox, 'customer.admin')
const PREFERENCES = '/api/v1/notifications/users/u-customer-admin'
const NOTIFIER = '/api/v1/notifier/users/u-customer-admin'

interface Shown {
  notificationId: string
  content: string
  generatedDate: string
  readStatus: boolean
  substitutions: Record<string, string | null>
}

async function list(query: string): Promise<Shown[]> {
  return (await call('GET', `${NOTIFIER}/inapp?${query}`)).body.content
}

t.test('preferences are two, both on at first, and are changed by a list', async (t) => {
  const both = [
    { eventTypeId: 1, notificationType: 'email', subscribe: true },
    { eventTypeId: 2, notificationType: 'email', subscribe: true }
  ]
  t.same((await call('GET', PREFERENCES)).body, both)
  const off = { eventTypeId: 2, notificationType: 'email', subscribe: false }
  t.match(await call('PUT', PREFERENCES, [off]), { status: 200, body: [both[0], off] })
  t.same((await call('GET', PREFERENCES)).body, [both[0], off])
  t.same((await call('GET', '/api/v1/notifications/users/u-customer-user')).body, [both[0], off])
})

t.test('malformed preferences change nothing', async (t) => {
  const before = (await call('GET', PREFERENCES)).body
  for (const bad of [
    {},
    [],
    [{ eventTypeId: 3, notificationType: 'email', subscribe: true }],
    [{ eventTypeId: 1, notificationType: 'sms', subscribe: true }],
    [{ eventTypeId: 1, notificationType: 'email', subscribe: 'no' }]
  ])
    t.equal((await call('PUT', PREFERENCES, bad)).status, 400, JSON.stringify(bad))
  t.same((await call('GET', PREFERENCES)).body, before)
  t.equal((await call('GET', '/api/v1/notifications/users/none')).status, 404)
})

t.test('notifications come by page, the latest first, all of them or the unread', async (t) => {
  const first = await call('GET', `${NOTIFIER}/inapp?page=0&size=20&sortBy=generatedDate,desc`)
  t.equal(first.body.content.length, 20)
  t.ok(first.body.page.totalElements > 30)
  t.equal(first.body.page.totalPages, Math.ceil(first.body.page.totalElements / 20))
  const all = await list('size=100')
  const dates = all.map((one) => one.generatedDate)
  t.same(dates, [...dates].sort().reverse())
  t.same(
    (await list('size=100&sortBy=generatedDate,asc')).map((one) => one.generatedDate),
    [...dates].sort()
  )
  const unread = await list('readStatus=false&size=100')
  t.ok(unread.length > 3 && unread.length < all.length)
  t.notOk(unread.some((one) => one.readStatus))
  t.equal((await call('GET', `${NOTIFIER}/inapp?readStatus=perhaps`)).status, 400)
})

t.test('texts hold placeholders, known and unknown, and markup', async (t) => {
  const all = await list('size=100')
  const text = all.map((one) => one.content).join(' ')
  for (const part of [
    '{service_account_name}',
    '{licensing_website_link}',
    '{request_number}',
    '<script>',
    '<b>'
  ])
    t.match(text, part)
  const [first] = all
  t.same(Object.keys(first?.substitutions ?? {}).sort(), [
    'customer_id',
    'licensing_website_link',
    'number_of_days_for_expiry',
    'service_account_id',
    'service_account_name',
    'subscription_name'
  ])
  const account = all.find((one) => one.substitutions.service_account_id)?.substitutions
  t.ok(sandbox.state.serviceAccounts.get(account?.service_account_id ?? ''))
})

t.test('notifications are marked one by one, several, or all at once', async (t) => {
  const unread = async () => (await list('readStatus=false&size=100')).map((one) => one.notificationId)
  const [first = '', second = '', third = '', ...rest] = await unread()
  const mark = (readStatus: boolean, notificationIds: string[]) =>
    call('PUT', NOTIFIER, { readStatus, readAllNotifications: false, notificationIds })
  t.match(await mark(true, [first]), { status: 200 })
  t.match(await mark(true, [second, third]), { status: 200 })
  t.same(await unread(), rest)
  await mark(false, [first])
  t.same(await unread(), [first, ...rest])
  t.equal((await mark(true, [first, 'none'])).status, 404)
  t.same(await unread(), [first, ...rest], 'a refused call changes nothing')
  const all = { readStatus: true, readAllNotifications: true, notificationIds: [] }
  t.match(await call('PUT', NOTIFIER, all), { status: 200 })
  t.same(await unread(), [])
})

t.test('people without a role have been told nothing, others less than the sample people', async (t) => {
  const count = async (id: string) =>
    (await call('GET', `/api/v1/notifier/users/${id}/inapp`)).body.page.totalElements
  t.equal(await count('u-no-access'), 0)
  t.ok((await count('u-c-1001-1')) < 10)
  t.equal((await call('GET', '/api/v1/notifier/users/none/inapp')).status, 404)
})
