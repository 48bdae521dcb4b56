import t from 'tap'
import { expiresWithin, isActive } from '#shared/device-terms.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-03-01T12:00:00.000Z')

t.test('a subscription counts from its start until just before its end', async (t) => {
  const term = { startMs: NOW, endMs: NOW + DAY_MS }
  t.notOk(isActive(term, NOW - 1))
  t.ok(isActive(term, NOW))
  t.ok(isActive(term, NOW + DAY_MS - 1))
  t.notOk(isActive(term, NOW + DAY_MS))
  for (const unreadable of [
    { startMs: Number.NaN, endMs: NOW + 1 },
    { startMs: NOW, endMs: Number.NaN }
  ])
    t.notOk(isActive(unreadable, NOW))
})

t.test('a day begun counts as one of the days left; what has ended does not expire', async (t) => {
  const ends = (days: number) => ({ startMs: NOW - DAY_MS, endMs: NOW + days * DAY_MS })
  for (const limit of [7, 30]) {
    t.ok(expiresWithin(ends(limit), limit, NOW), `${limit} days`)
    t.ok(expiresWithin(ends(0.001), limit, NOW))
    t.notOk(expiresWithin({ ...ends(limit), endMs: NOW + limit * DAY_MS + 1 }, limit, NOW), 'a moment more')
    t.notOk(expiresWithin(ends(0), limit, NOW), 'ended now')
    t.notOk(expiresWithin({ ...ends(3), startMs: NOW + 1 }, limit, NOW), 'not begun')
  }
})
