import t from 'tap'
import { AWAY_MS, createBackOff, createReadInterval, remainingMs } from '#server/portal/readings/back-off.ts'

t.test('does not wait before a failure, and after good answers', async (t) => {
  const backOff = createBackOff()
  t.equal(backOff.waitMs(0), 0)
  backOff.good(1)
  backOff.started(2)
  t.equal(backOff.waitMs(2), 0)
})

t.test('while an API is away, one read in five seconds finds out whether it is back', async (t) => {
  const backOff = createBackOff()
  t.ok(backOff.away(1_000, 1_100))
  t.equal(backOff.waitMs(1_100), AWAY_MS - 100)
  for (let nowMs = 1_000 + AWAY_MS; nowMs < 600_000; nowMs += AWAY_MS) {
    t.equal(backOff.waitMs(nowMs), 0)
    backOff.started(nowMs)
    t.equal(backOff.waitMs(nowMs + 1), AWAY_MS - 1, 'the next one waits, although this one has no answer yet')
    backOff.away(nowMs, nowMs + 1)
  }
  t.ok(backOff.isAway)
})

t.test('a good answer ends every wait', async (t) => {
  const backOff = createBackOff()
  backOff.away(0, 1)
  backOff.limited(2)
  backOff.good(3)
  t.equal(backOff.waitMs(3), 0)
  t.notOk(backOff.isAway)
})

t.test('a failure of a read that began before a good answer stops no others', async (t) => {
  const backOff = createBackOff()
  backOff.good(10)
  t.notOk(backOff.away(9, 30_000))
  t.equal(backOff.waitMs(30_000), 0)
  t.ok(backOff.away(11, 30_000))
})

t.test('the wait after too many calls doubles up to a minute, until an answer is good', async (t) => {
  const backOff = createBackOff()
  const waits: number[] = []
  let nowMs = 0
  for (let calls = 0; calls < 6; calls += 1) {
    backOff.limited(nowMs)
    waits.push(backOff.waitMs(nowMs))
    nowMs += backOff.waitMs(nowMs)
  }
  t.strictSame(waits, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  backOff.good(nowMs)
  backOff.limited(nowMs)
  t.equal(backOff.waitMs(nowMs), 5_000)
})

t.test('a slow answer doubles the interval up to a minute, a quick one ends that', async (t) => {
  const interval = createReadInterval(4_000)
  const slow: number[] = []
  for (let answers = 0; answers < 5; answers += 1) {
    interval.adapt('slow')
    slow.push(interval.ms)
  }
  t.strictSame(slow, [8_000, 16_000, 32_000, 60_000, 60_000])
  interval.adapt('failed')
  t.ok(interval.isLong)
  interval.adapt('good')
  t.equal(interval.ms, 4_000)
  t.notOk(interval.isLong)
})

t.test('waits for the rest of an interval, and not after its end', async (t) => {
  t.equal(remainingMs(1_000, 300, 1_100), 200)
  t.equal(remainingMs(1_000, 300, 1_400), 0)
  t.equal(remainingMs(Number.NEGATIVE_INFINITY, 300, 1_400), 0)
})
