import t from 'tap'
import { durationText } from '#client/lib/duration.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
for (const [ms, text] of [
  [0, '0 ms'],
  [120, '120 ms'],
  [45 * SECOND, '45 s'],
  [8 * MINUTE, '8 min'],
  [90 * SECOND, '1 min 30 s'],
  [28 * HOUR, '28 h'],
  [HOUR + 59.8 * MINUTE, '2 h'],
  [48 * HOUR - 1, '48 h'],
  [2 * DAY, '2 d'],
  [4 * DAY + 4.4 * HOUR, '4 d 4 h']
] as const)
  t.test(`${ms} ms show as ${text}`, async (t) => {
    t.equal(durationText(ms), text)
  })
