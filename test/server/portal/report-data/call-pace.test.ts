// Spaces the calls of a caller's reports.
import t from 'tap'
import { problems } from '#server/errors.ts'
import { createCallPaces } from '#server/portal/report-data/call-pace.ts'

const PER_MINUTE = 600

t.test('spaces the calls of all reports of one caller, and not those of another', async (t) => {
  const time = { now: 0 }
  const waits: number[] = []
  const paceOf = createCallPaces({
    now: () => time.now,
    wait: async (ms) => void waits.push(ms)
  })
  await Promise.all([paceOf('a')(PER_MINUTE), paceOf('a')(PER_MINUTE), paceOf('a')(PER_MINUTE)])
  t.same(waits, [100, 200])
  await paceOf('b')(PER_MINUTE)
  t.equal(waits.length, 2)
  time.now = 299
  await paceOf('a')(PER_MINUTE)
  t.same(waits.at(-1), 1)
  time.now = 5_000
  await paceOf('a')(PER_MINUTE)
  t.equal(waits.length, 3, 'time without calls is not saved up')
})

t.test('stops waiting when the reader leaves', async (t) => {
  const pace = createCallPaces({ now: () => 0 })('a')
  const aborter = new AbortController()
  await pace(1)
  const waiting = pace(1, aborter.signal)
  aborter.abort()
  await t.rejects(waiting, problems.clientGone())
})
