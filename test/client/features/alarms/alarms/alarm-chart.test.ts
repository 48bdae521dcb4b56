import '../../../../support/client/dom.ts'
import t from 'tap'
import { rangeAround } from '#client/features/alarms/alarms/alarm-chart.tsx'

const HOUR = 3_600_000
const FROM = Date.UTC(2026, 10, 21, 12)
const iso = (hours: number) => new Date(FROM + hours * HOUR).toISOString()

t.test('the chart of an alarm shows its start and end, or the first day of a long alarm', async (t) => {
  const hours = (raised: number, normal: number | null, now = 100) => {
    const { fromMs, toMs } = rangeAround(iso(raised), normal === null ? null : iso(normal), FROM + now * HOUR)
    return [(fromMs - FROM) / HOUR, (toMs - FROM) / HOUR]
  }
  t.same(hours(5, 6), [3, 7])
  t.same(hours(5, 60), [3, 30])
  t.same(hours(5, null, 8), [3, 8])
  t.same(hours(5, 6, 6), [3, 6], 'does not include the future')
})
