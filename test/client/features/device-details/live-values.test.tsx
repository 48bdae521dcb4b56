// Live values are read at their own pace, and the status of a point is unknown while a read fails.
import '../../../support/client/dom.ts'
import { mock } from 'node:test'
import { cleanup, render } from '@testing-library/react'
import { SWRConfig } from 'swr'
import t from 'tap'
import { pointOf } from '#client/features/data/points/point.ts'
import { PointStatus } from '#client/features/data/points/point-value.tsx'
import { flagsOf, useLiveValues } from '#client/features/device-details/api.ts'
import { swrOptions } from '#client/lib/http/query.ts'
import { problem, startGateway } from '../../../support/client/gateway.ts'
import { pointModel } from '../../../support/client/points.ts'
import { settle } from '../../../support/client/settle.ts'
import { withRetries } from '../../../support/client/with-retries.tsx'

const READ = '/api/v1/control/devices/d-1/commands/read'
const IDS = { customerId: '9', deviceId: 'd-1' }
const point = pointOf(pointModel(1))

function Point() {
  const liveValues = useLiveValues(IDS, ['c-1'])
  return (
    <>
      <output>{String(liveValues.values.get('c-1')?.value)}</output>
      <PointStatus flags={flagsOf(point, liveValues)} />
    </>
  )
}

t.test('reads every ten seconds, and more slowly while reads fail with an unknown status', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const valueOfRead = (value: number) => [{ cloudId: 'c-1', value }]
  const gateway = startGateway({ [READ]: valueOfRead(20) })
  const view = render(
    <SWRConfig value={{ ...swrOptions, provider: () => new Map(), dedupingInterval: 0 }}>
      <Point />
    </SWRConfig>,
    withRetries
  )
  t.teardown(() => {
    cleanup()
    mock.timers.reset()
    gateway.stop()
  })
  const shown = () => view.container.textContent
  async function wait(ms: number) {
    mock.timers.tick(ms)
    await settle()
  }
  /** The next read is due after exactly this time, and gets this answer. */
  async function readAfter(seconds: number, answer: unknown) {
    gateway.answers[READ] = answer
    const before = gateway.calls.length
    await wait(seconds * 1000 - 1)
    t.equal(gateway.calls.length, before, `not before ${seconds} s`)
    await wait(1)
    t.equal(gateway.calls.length, before + 1, `after ${seconds} s`)
  }
  await wait(0)
  t.equal(shown(), '20OK')
  await readAfter(10, valueOfRead(21))
  t.equal(shown(), '21OK')
  const busy = problem(429)
  busy.headers.set('retry-after', '90')
  for (const [seconds, answer] of [
    [10, problem(503)],
    [8, problem(503)],
    [8, problem(503)],
    [8, busy]
  ] as const) {
    await readAfter(seconds, answer)
    t.equal(shown(), '21Unknown', 'the last value stays')
  }
  await readAfter(90, valueOfRead(22))
  t.equal(shown(), '22OK')
  gateway.answers[READ] = valueOfRead(23)
  await wait(10_000)
  t.equal(shown(), '23OK', 'continues at its own pace')
})
