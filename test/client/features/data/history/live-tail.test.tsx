// A followed chart asks for new records at its own pace, and adds them to the loaded ones.
import '../../../../support/client/dom.ts'
import { mock } from 'node:test'
import { cleanup, renderHook } from '@testing-library/react'
import t from 'tap'
import { extended, repeat, useLiveTail } from '#client/features/data/history/live-tail.ts'
import { pointOf } from '#client/features/data/points/point.ts'
import { ApiError } from '#client/lib/http/api-error.ts'
import { samplesOf } from '#test/support/samples.ts'
import { startGateway } from '../../../../support/client/gateway.ts'
import { pointModel } from '../../../../support/client/points.ts'
import { settle } from '../../../../support/client/settle.ts'

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

t.test('a line that is added later gets all records since the chart was loaded', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const gateway = startGateway({ '/api/v1/egress/telemetry': { pointDetails: [] } })
  t.teardown(() => {
    cleanup()
    mock.timers.reset()
    gateway.stop()
  })
  const loadedMs = Date.parse('2026-03-01T12:00:00Z')
  let now = loadedMs
  const lineOf = (number: number) => ({
    id: `line ${number}`,
    point: pointOf(pointModel(number)),
    samples: samplesOf([])
  })
  const propsOf = (...numbers: number[]) => ({
    customerId: '9',
    lines: numbers.map(lineOf),
    loadedMs,
    enabled: true,
    nowMs: () => now
  })
  const readFrom = async () => {
    mock.timers.tick(10_000)
    await settle()
    return (gateway.calls.at(-1)?.body as { startTime: string } | undefined)?.startTime
  }
  const { rerender } = renderHook(useLiveTail, { initialProps: propsOf(1) })
  t.equal(await readFrom(), '2026-03-01T11:45:00.001Z')
  now += 3 * 3_600_000
  t.equal(await readFrom(), '2026-03-01T11:45:00.001Z')
  t.equal(await readFrom(), '2026-03-01T14:45:00.001Z')
  rerender(propsOf(1, 2))
  t.equal(await readFrom(), '2026-03-01T11:45:00.001Z')
  t.equal(await readFrom(), '2026-03-01T14:45:00.001Z')
})
