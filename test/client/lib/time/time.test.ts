import '../../../support/client/dom.ts'
import t from 'tap'
import { offeringProblem } from '#client/features/sites/devices/service-links/device-services.ts'
import {
  ageText,
  chooseZone,
  currentZone,
  formatClock,
  formatDay,
  formatMoment,
  formatSecond
} from '#client/lib/time/time.ts'
import { isZone } from '#shared/time/zones.ts'
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

const NOW = Date.parse('2026-03-30T10:20:00Z')
const ages: [iso: string, text: string][] = [
  ['', ''],
  ['2026-03-30T10:19:48Z', '12 s'],
  ['2026-03-30T10:20:05Z', '0 s'],
  ['2026-03-30T10:15:00Z', '5 min'],
  ['2026-03-30T13:20:00Z', 'device clock 3 h ahead'],
  ['2025-03-30T10:20:00Z', '365 days']
]
for (const [time, text] of ages)
  t.test(`a value with ${time || 'no time'} has ${text ? `the age ${text}` : 'no age'}`, async (t) => {
    t.equal(ageText(time, NOW), text)
  })

t.test('shows times in the chosen zone, across a clock change', async (t) => {
  t.equal(formatMoment('2026-03-29T00:59:00Z', 'Europe/Berlin'), '29-Mar-2026 01:59')
  t.equal(formatMoment('2026-03-29T01:00:00Z', 'Europe/Berlin'), '29-Mar-2026 03:00')
  t.equal(formatDay('2028-02-29T23:30:00Z', 'UTC'), '29-Feb-2028')
  t.equal(formatDay('2028-02-29T23:30:00Z', 'Asia/Tokyo'), '01-Mar-2028')
  t.equal(formatMoment('no time', 'UTC'), 'no time')
  t.notOk(isZone('Mars/Olympus'))
  t.ok(isZone('America/New_York'))
})
