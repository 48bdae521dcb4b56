import '../../../support/client/dom.ts'
import t from 'tap'
import { offeringProblem } from '#client/features/sites/devices/service-links/device-services.ts'
import { chooseZone, currentZone, formatClock, formatDay, formatSecond } from '#client/lib/time/time.ts'
import { device } from '../../../support/client/gateway.ts'

t.afterEach(() => chooseZone(null))

t.test('ignores an unknown time zone', async (t) => {
  chooseZone('Pacific/Apia')
  chooseZone('Mars/Olympus')
  t.equal(currentZone(), 'Pacific/Apia')
})

t.test('returns a text that is not a time unchanged', async (t) => {
  t.equal(formatDay('soon'), 'soon')
  t.equal(formatSecond('', 'UTC'), '')
})

const END_TIME = '2026-02-01T23:30:00Z'
const ENDS: [zone: string, day: string][] = [
  ['UTC', '01-Feb-2026'],
  ['Asia/Tokyo', '02-Feb-2026'],
  ['America/New_York', '01-Feb-2026']
]
for (const [zone, day] of ENDS)
  t.test(`a subscription that ended at ${END_TIME} ended on ${day} in ${zone}`, async (t) => {
    chooseZone(zone)
    const subscriptions = [{ offeringCode: 'NDS', startDate: '2025-01-01T00:00:00Z', endDate: END_TIME }]
    const now = Date.parse('2026-03-01T00:00:00Z')
    t.equal(offeringProblem({ ...device(1), subscriptions }, 'NDS', now), `Subscription ended ${day}`)
  })

t.test('a clock time includes the date when it differs in the zone', async (t) => {
  const timeMs = Date.parse('2026-02-01T23:30:00Z')
  t.equal(formatClock(timeMs, timeMs + 3_600_000, 'Asia/Tokyo'), '08:30')
  t.equal(formatClock(timeMs, timeMs + 3_600_000, 'UTC'), '23:30 on 01-Feb-2026')
})
