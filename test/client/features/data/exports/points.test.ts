import t from 'tap'
import { estimateOf } from '#client/features/data/exports/points.ts'

t.test('estimates a row per quarter of an hour, and none if the range ends before it starts', async (t) => {
  t.strictSame(estimateOf(2, '2026-03-01', '2026-03-01', 'CSV'), { rows: 96, bytes: 96 * 34 })
  t.strictSame(estimateOf(2, '2026-03-02', '2026-03-01', 'CSV'), { rows: 0, bytes: 0 })
})
