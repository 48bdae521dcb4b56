import t from 'tap'
import { expiresWithin } from '#server/inventory/worker/terms.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000

t.test('counts a started day as a full day; an ended or future subscription does not expire', async (t) => {
  const ends = (days: number) => ({ startMs: NOW - DAY_MS, endMs: NOW + days * DAY_MS })
  for (const limit of [7, 30]) {
    t.ok(expiresWithin(ends(limit), limit, NOW), `${limit} days`)
    t.ok(expiresWithin(ends(0.001), limit, NOW))
    t.notOk(
      expiresWithin({ ...ends(limit), endMs: NOW + limit * DAY_MS + 1 }, limit, NOW),
      'one millisecond later'
    )
    t.notOk(expiresWithin(ends(0), limit, NOW), 'ends now')
    t.notOk(expiresWithin({ ...ends(3), startMs: NOW + 1 }, limit, NOW), 'not started')
  }
})
