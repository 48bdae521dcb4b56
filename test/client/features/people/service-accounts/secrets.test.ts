import '../../../../support/client/dom.ts'
import t from 'tap'
import { dayAfter, dayRefusal, endOfDay, secretExpiry } from '#client/features/people/access/secret-expiry.ts'
import { calendarFile } from '#client/features/people/service-accounts/credentials.tsx'
import { addressesIn } from '#client/features/people/users/invitations/address-input.tsx'
import { chooseZone } from '#client/lib/time/time.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(NOW + days * DAY_MS).toISOString()

t.test('the badge is red within 7 days of expiry, orange within 30 days, and neutral before', async (t) => {
  const cases: [iso: string | null, state: string, days: number, level: string][] = [
    [null, 'none', 0, 'plain'],
    ['no date', 'expired', 0, 'danger'],
    [inDays(-1), 'expired', 0, 'danger'],
    [inDays(0), 'expired', 0, 'danger'],
    [new Date(NOW + 1).toISOString(), 'soon', 1, 'danger'],
    [inDays(7), 'soon', 7, 'danger'],
    [new Date(NOW + 7 * DAY_MS + 1).toISOString(), 'soon', 8, 'warn'],
    [inDays(30), 'soon', 30, 'warn'],
    [new Date(NOW + 30 * DAY_MS + 1).toISOString(), 'active', 31, 'ok']
  ]
  for (const [iso, state, days, level] of cases)
    t.strictSame(secretExpiry(iso, NOW), { state, days, level }, String(iso))
})

t.test('a secret expires at the end of a future day', async (t) => {
  t.teardown(() => chooseZone(null))
  chooseZone('UTC')
  for (const day of ['', '2026-13-01', '01.03.2027', 'tomorrow'])
    t.equal(dayRefusal(day, NOW), 'Choose a date', day)
  t.match(dayRefusal('2026-02-28', NOW), /future date/)
  t.equal(dayRefusal('2026-03-01', NOW), null)
  t.equal(endOfDay('2026-03-01'), '2026-03-01T23:59:59.000Z')
  t.equal(dayAfter(90, NOW), '2026-05-30')
})

t.test('the last day of a secret is a day of the display zone', async (t) => {
  t.teardown(() => chooseZone(null))
  chooseZone('Asia/Tokyo')
  const lateMs = Date.parse('2026-03-01T22:00:00.000Z')
  t.equal(dayAfter(0, lateMs), '2026-03-02')
  t.equal(endOfDay('2026-03-02'), '2026-03-02T14:59:59.000Z')
  t.match(dayRefusal('2026-03-01', lateMs), /future date/)
  chooseZone('America/New_York')
  t.equal(endOfDay('2026-03-08'), '2026-03-09T03:59:59.000Z')
})

t.test('escapes the texts of a calendar entry, which reminds a week before the expiry', async (t) => {
  const file = calendarFile(
    {
      uid: 'sa-1@portal.example',
      title: 'Secret of Heat, Air; Light expires',
      text: 'First line\nSecond \\ line',
      url: 'https://portal.example/customers/9/serviceaccount/sa-1?focus=secret',
      at: '2026-05-30T23:59:59.000Z'
    },
    NOW
  )
  t.match(file, /^BEGIN:VCALENDAR\r\n/)
  t.match(file, 'DTSTART:20260530T235959Z')
  t.match(file, 'TRIGGER:-P7D')
  t.match(file, 'SUMMARY:Secret of Heat\\, Air\\; Light expires')
  t.match(file, 'DESCRIPTION:First line\\nSecond \\\\ line')
  t.notMatch(file, /[^\r]\n/)
})

t.test('finds addresses in lists and in names with brackets, without duplicates', async (t) => {
  t.strictSame(addressesIn(''), [])
  t.strictSame(addressesIn('a@b.example, c@d.example;E@f.example\n a@B.example'), [
    'a@b.example',
    'c@d.example',
    'E@f.example'
  ])
  t.strictSame(addressesIn('Maria Ruiz <maria@a.example>, "Lee, Sam" <sam@b.example>'), [
    'maria@a.example',
    'sam@b.example'
  ])
  t.strictSame(addressesIn('not-an-address'), ['not-an-address'])
})
