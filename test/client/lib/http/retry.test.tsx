import '../../../support/client/dom.ts'
import { mock } from 'node:test'
import { cleanup, render } from '@testing-library/react'
import { SWRConfig } from 'swr'
import t, { type Test } from 'tap'
import { get, swrOptions, useQuery } from '#client/lib/http/query.ts'
import { createRetries, RetriesContext } from '#client/lib/http/retry.ts'
import { ErrorPanel } from '#client/ui/state/error-panel.tsx'
import { problem, startGateway } from '../../../support/client/gateway.ts'
import { settle } from '../../../support/client/settle.ts'

const VARIATIONS: [variation: number, factor: number][] = [
  [0, 0.5],
  [1, 1.5]
]
let clockMs = 0

async function wait(ms: number) {
  clockMs += ms
  mock.timers.tick(ms)
  await settle()
}

function setHidden(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
  Object.defineProperty(document, 'visibilityState', {
    value: hidden ? 'hidden' : 'visible',
    configurable: true
  })
  // SWR passes the event to `setTimeout` as the delay.
  document.dispatchEvent(Object.assign(new window.Event('visibilitychange'), { valueOf: () => 0 }))
}

function Name({ path }: { path: string }) {
  const { data, error, isFetching, refetch } = useQuery(path, get<{ name: string }>)
  if (error !== undefined) return <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />
  return <p>{data?.name ?? 'loading'}</p>
}

/** Shows the answers to the paths. `variation` replaces the random variation of pauses. */
async function show(t: Test, answers: Record<string, unknown>, paths: string[], variation = 0.5) {
  clockMs = 0
  t.intercept(performance, 'now', { value: () => clockMs })
  t.intercept(Math, 'random', { value: () => variation })
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const gateway = startGateway(answers)
  const retries = createRetries()
  const view = render(
    <SWRConfig value={{ ...swrOptions, provider: () => new Map(), dedupingInterval: 0 }}>
      <RetriesContext value={retries}>
        {paths.map((path, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the paths do not change
          <Name key={index} path={path} />
        ))}
      </RetriesContext>
    </SWRConfig>
  )
  t.teardown(() => {
    cleanup()
    mock.timers.reset()
    gateway.stop()
    setHidden(false)
  })
  await settle()
  return { ...view, gateway, retries, calls: () => gateway.calls.length }
}

const unavailable = () => problem(503)

for (const [variation, factor] of VARIATIONS)
  t.test(`tries again after growing pauses and then for ever, varied by ${factor}`, async (t) => {
    const { calls } = await show(t, { '/api/a': unavailable }, ['/api/a'], variation)
    let expectedCalls = 1
    for (const seconds of [1, 2, 4, ...Array(5).fill(6)]) {
      await wait(seconds * factor * 1000 - 1)
      t.equal(calls(), expectedCalls, `not before ${seconds} s`)
      await wait(1)
      expectedCalls += 1
      t.equal(calls(), expectedCalls, `after ${seconds} s`)
    }
  })

for (const status of [400, 403, 404, 409, 422])
  t.test(`does not try again after a ${status}`, async (t) => {
    const { calls, getByRole, queryByRole } = await show(t, { '/api/a': () => problem(status) }, ['/api/a'])
    await wait(100_000)
    t.equal(calls(), 1)
    getByRole('button', { name: 'Refresh' })
    t.notOk(queryByRole('timer'))
  })

for (const status of [408, 429, 500, 502, 504])
  t.test(`tries again after a ${status}`, async (t) => {
    const { calls } = await show(t, { '/api/a': () => problem(status) }, ['/api/a'])
    await wait(1_000)
    t.equal(calls(), 2)
  })

t.test('waits for the time in Retry-After, also on a page that becomes visible', async (t) => {
  const busy = () => {
    const answer = problem(503)
    answer.headers.set('retry-after', '12')
    return answer
  }
  const { calls, getByText } = await show(t, { '/api/a': busy }, ['/api/a'])
  getByText('Trying again in 12 s')
  await wait(6_000)
  setHidden(true)
  setHidden(false)
  await wait(5_999)
  t.equal(calls(), 1)
  await wait(1)
  t.equal(calls(), 2)
})

t.test('the panel counts down, tries at once on request, and goes with the first good answer', async (t) => {
  const { calls, getByText, getByRole, queryByRole, gateway, retries } = await show(
    t,
    { '/api/a': unavailable },
    ['/api/a']
  )
  await wait(1_000)
  await wait(2_000)
  t.ok(getByText('Trying again in 4 s'))
  await wait(1_000)
  t.ok(getByText('Trying again in 3 s'))
  getByRole('button', { name: 'Try now' }).click()
  await settle()
  t.equal(calls(), 4)
  gateway.answers['/api/a'] = { name: 'here' }
  await wait(8_000)
  t.ok(getByText('here'))
  t.notOk(queryByRole('timer'))
  t.equal(retries.next.getState().atMs, null, 'nothing is planned any more')
  await wait(100_000)
  t.equal(calls(), 5)
})

t.test('all failed reads of a page are repeated at the same time, each once', async (t) => {
  const paths = ['/api/a', '/api/b', '/api/b', '/api/c']
  const answers = { '/api/a': unavailable, '/api/b': unavailable, '/api/c': { name: 'c' } }
  const { gateway, getAllByText } = await show(t, answers, paths)
  t.equal(getAllByText('Trying again in 1 s').length, 3)
  gateway.calls.length = 0
  await wait(1_000)
  t.same(gateway.calls.map(({ path }) => path).sort(), ['/api/a', '/api/b'])
})

t.test('a hidden page does not try again, and tries at once when it becomes visible', async (t) => {
  const { calls } = await show(t, { '/api/a': unavailable }, ['/api/a'])
  setHidden(true)
  await wait(100_000)
  t.equal(calls(), 1)
  setHidden(false)
  await wait(0)
  t.equal(calls(), 2)
})

t.test('a read that fails while the page is hidden is repeated once the page is visible', async (t) => {
  const answer = Promise.withResolvers<Response>()
  const { calls, gateway } = await show(t, { '/api/a': () => answer.promise }, ['/api/a'])
  setHidden(true)
  answer.resolve(problem(503))
  await settle()
  gateway.answers['/api/a'] = { name: 'here' }
  await wait(100_000)
  t.equal(calls(), 1)
  setHidden(false)
  await wait(0)
  t.equal(calls(), 2)
})

t.test('an offline page does not try again until it is online', async (t) => {
  const { calls } = await show(t, { '/api/a': unavailable }, ['/api/a'])
  const online = t.intercept(navigator, 'onLine', { value: false })
  await wait(100_000)
  t.equal(calls(), 1)
  online.restore()
  t.intercept(navigator, 'onLine', { value: true })
  window.dispatchEvent(Object.assign(new window.Event('online'), { valueOf: () => 0 }))
  await wait(0)
  t.equal(calls(), 2)
})

t.test('a closed screen does not try again', async (t) => {
  const { calls, unmount, retries } = await show(t, { '/api/a': unavailable }, ['/api/a'])
  unmount()
  t.equal(retries.next.getState().atMs, null)
  await wait(100_000)
  t.equal(calls(), 1)
})
