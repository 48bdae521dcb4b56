// A followed chart asks for new records at its own pace, and adds them to the loaded ones.
import '../../../../support/client/dom.ts'
import t from 'tap'
import { extended, repeat } from '#client/features/data/history/live-tail.ts'
import { ApiError } from '#client/lib/http/api-error.ts'
import { samplesOf } from '#test/support/samples.ts'

/** Runs one read for each outcome, and returns the pauses before the reads. */
async function pausesOf(outcomes: readonly (Error | null)[]) {
  const controller = new AbortController()
  const pauses: number[] = []
  const left = [...outcomes]
  let failures = 0
  await repeat(
    async () => {
      const outcome = left.shift()
      if (outcome) throw outcome
    },
    {
      firstPauseMs: 0,
      async wait(ms) {
        pauses.push(ms)
        if (left.length > 0) return
        controller.abort()
        throw new DOMException('', 'AbortError')
      },
      onFailure: () => (failures += 1)
    },
    controller.signal
  )
  return { pauses, failures }
}

t.test('reads every ten seconds', async (t) => {
  t.same(await pausesOf([null, null, null]), { pauses: [0, 10_000, 10_000, 10_000], failures: 0 })
})

t.test('tries again within ten seconds however long reads fail', async (t) => {
  const away = new ApiError(503)
  t.same(await pausesOf([away, away, away, away, null]), {
    pauses: [0, 8_000, 8_000, 8_000, 8_000, 10_000],
    failures: 4
  })
})

t.test('waits as long as the gateway asks for', async (t) => {
  t.same((await pausesOf([new ApiError(429, {}, 90), null])).pauses, [0, 90_000, 10_000])
})

t.test('an aborted read ends the following and is no failure', async (t) => {
  t.same(await pausesOf([new DOMException('', 'AbortError')]), { pauses: [0], failures: 0 })
})

t.test('adds new records to a line, whose value holds until the last read', async (t) => {
  const samples = samplesOf([10, 1, 20, 2], 25)
  t.same(extended(samples, samplesOf([30, 3]), 35), samplesOf([10, 1, 20, 2, 30, 3], 35))
  t.same(extended(samples, undefined, 35), samplesOf([10, 1, 20, 2], 35))
  const measured = samplesOf([10, 1])
  t.equal(extended(measured, samplesOf([]), 35), measured, 'nothing new')
  t.equal(extended(measured, samplesOf([30, 3]), 35).validUntilMs, null)
})
