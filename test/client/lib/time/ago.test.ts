import t from 'tap'
import { formatAgo } from '#client/lib/time/ago.ts'

t.test('formats an age in the largest unit that fits', async (t) => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const ago = (ms: number) => formatAgo(new Date(now - ms).toISOString(), now)
  t.strictSame([0, 59_999, 60_000, 3_600_000, 165_600_000, -7_200_000, -165_600_000].map(ago), [
    'just now',
    'just now',
    '1 minute ago',
    '1 hour ago',
    '1 day ago',
    'in 2 hours',
    'in 1 day'
  ])
})
