import t from 'tap'
import { isActive } from '#shared/terms.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000

t.test('a subscription is active from its start until just before its end', async (t) => {
  const term = { startMs: NOW, endMs: NOW + DAY_MS }
  t.notOk(isActive(term, NOW - 1))
  t.ok(isActive(term, NOW))
  t.ok(isActive(term, NOW + DAY_MS - 1))
  t.notOk(isActive(term, NOW + DAY_MS))
  for (const invalidTerm of [
    { startMs: Number.NaN, endMs: NOW + 1 },
    { startMs: NOW, endMs: Number.NaN }
  ])
    t.notOk(isActive(invalidTerm, NOW))
})
