import './dom.ts'
import t from 'tap'
import { dayBegin, dayEnd, dayOf } from '#client/lib/day-range.ts'

const NONE = ['', '2026-02-29', '2026-13-01', 'yesterday', '2026-3-1']
for (const text of NONE)
  t.test(`"${text}" is no day`, async (t) => {
    t.equal(dayBegin(text, 'UTC'), '')
    t.equal(dayEnd(text, 'UTC'), '')
  })

const DAYS: [what: string, day: string, zone: string, begin: string, end: string][] = [
  ['in UTC', '2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['in a zone ahead', '2026-03-01', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-01T22:59:59.999Z'],
  ['of 23 hours', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['of 25 hours', '2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z']
]
for (const [what, day, zone, begin, end] of DAYS)
  t.test(`a day ${what} is whole, and both its ends fall on it`, async (t) => {
    t.equal(dayBegin(day, zone), begin)
    t.equal(dayEnd(day, zone), end)
    t.equal(dayOf(begin, zone), day)
    t.equal(dayOf(end, zone), day)
  })

t.test('what is no time falls on no day', async (t) => t.equal(dayOf('soon', 'UTC'), ''))
