import t from 'tap'
import { estimateOf } from '#client/features/data/exports/points.ts'

t.test('estimates a row for each quarter of an hour of whole days', async (t) => {
  t.strictSame(estimateOf(2, '2026-03-01', '2026-03-01', 'CSV'), { rows: 96, bytes: 96 * 34 })
  t.strictSame(estimateOf(2, '2026-03-02', '2026-03-01', 'CSV'), { rows: 0, bytes: 0 })
})
