import '../../../../support/client/dom.ts'
import t from 'tap'
import { FIRST_VIEW, readView, writeView } from '#client/features/sites/devices/device-view.ts'
import { readSaved, sameView, withView } from '#client/features/sites/devices/saved-views.tsx'
import { soonestExpiry } from '#client/features/sites/devices/service-links/device-services.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { NOW } from '../../../../support/client/gateway.ts'

const now = Date.parse(NOW)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const subscription = (endsInMs: number, startsInMs = -DAY) => ({
  offeringCode: 'NDS',
  startDate: new Date(now + startsInMs).toISOString(),
  endDate: new Date(now + endsInMs).toISOString()
})

const expiries: [name: string, endsInMs: number, days: number | null, level: string | null][] = [
  ['now', 0, null, null],
  ['in an hour', HOUR, 1, 'danger'],
  [`in ${EXPIRY_DANGER_DAYS} days`, 7 * DAY, 7, 'danger'],
  [`just after ${EXPIRY_DANGER_DAYS} days`, 7 * DAY + 1, 8, 'warn'],
  ['in 8 days', 8 * DAY, 8, 'warn'],
  [`in ${EXPIRY_WARNING_DAYS} days`, 30 * DAY, 30, 'warn'],
  [`just after ${EXPIRY_WARNING_DAYS} days`, 30 * DAY + 1, null, null],
  ['in 31 days', 31 * DAY, null, null]
]

for (const [name, endsInMs, days, level] of expiries) {
  t.test(`a subscription that ends ${name} has ${level ? `a ${level} badge` : 'no badge'}`, async (t) => {
    const expiry = soonestExpiry([subscription(endsInMs)], now)
    t.equal(expiry?.days ?? null, days)
    t.equal(expiry?.level ?? null, level)
  })
}

t.test('the badge shows the active subscription that ends first', async (t) => {
  const list = [subscription(20 * DAY), subscription(-DAY), subscription(5 * DAY), subscription(2 * DAY, DAY)]
  t.equal(soonestExpiry(list, now)?.days, 5)
  t.equal(soonestExpiry([], now), null)
})

t.test('replaces invalid values of a view with the defaults', async (t) => {
  const query = new URLSearchParams('project=&sort=secret&order=sideways&page=-2')
  t.same(readView(query), FIRST_VIEW)
})

t.test('writes a view to the URL and reads it back; other parameters stay', async (t) => {
  const view = {
    project: 'p 1',
    q: 'a&b',
    service: 'Remote',
    expires: '7',
    plan: 'exceeded',
    sort: 'location',
    order: 'desc',
    columns: 'hostId,-location',
    view: 'Ends soon',
    page: '5'
  }
  const query = writeView(view, new URLSearchParams('page=9&retryProjectName=New'))
  t.same(readView(query), view)
  t.equal(query.get('retryProjectName'), 'New')
  t.equal(String(writeView(FIRST_VIEW, query)), 'retryProjectName=New', 'defaults are omitted')
})

t.test('sorts by data usage only while a filter on usage is set', async (t) => {
  const viewOf = (query: string) => readView(new URLSearchParams(query))
  t.match(viewOf('plan=exceeded&sort=usagePercent&order=desc'), {
    plan: 'exceeded',
    sort: 'usagePercent',
    order: 'desc'
  })
  t.match(viewOf('sort=usagePercent&order=desc'), { sort: 'deviceName', order: 'asc' })
})

const pumps = { ...FIRST_VIEW, q: 'pump', view: 'Pumps' }

t.test('ignores invalid saved views', async (t) => {
  for (const value of [null, 'q=pump', { q: 'pump' }, [], [7], ['q=pump'], ['view=']])
    t.strictSame(readSaved(value), [], JSON.stringify(value))
  t.strictSame(readSaved(['view=Pumps&q=pump&page=4&sort=secret']), [pumps])
})

t.test('replaces the saved view of the same name, and does not save the page', async (t) => {
  const viewB = { ...pumps, view: 'Other' }
  t.strictSame(withView([], { ...pumps, page: '4' }), [pumps])
  t.strictSame(withView([pumps, viewB], { ...pumps, q: 'fan', page: '4' }), [{ ...pumps, q: 'fan' }, viewB])
})

t.test('compares views by their columns but not by their page', async (t) => {
  t.notOk(sameView(pumps, { ...pumps, columns: 'location' }))
  t.ok(sameView(pumps, { ...pumps, page: '4' }))
})
