import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { createLoads, followLoads } from '#client/lib/loads.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

interface PendingLoad {
  finish: (value: string) => void
  fail: (error: Error) => void
  signal: AbortSignal
}

/** Loads of which two may run at a time. */
function startLoads(t: Test, ...keys: string[]) {
  const pendingLoads = new Map<string, PendingLoad>()
  const requestOf = (key: string) => ({
    key,
    load: (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        pendingLoads.set(key, { finish: resolve, fail: reject, signal })
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      })
  })
  const loads = createLoads<string>(2)
  t.teardown(() => loads.close())
  const want = (...wantedKeys: string[]) => loads.want(wantedKeys.map(requestOf))
  want(...keys)
  const pending = (key: string) => {
    const load = pendingLoads.get(key)
    if (!load) throw new Error(`${key} is not loading`)
    return load
  }
  return {
    loads,
    want,
    pending,
    states: () => [...loads.store.getState()].map(([key, { state }]) => `${key} ${state}`)
  }
}

t.test('limits parallel loads', async (t) => {
  const { loads, pending, states } = startLoads(t, 'a', 'b', 'c')
  t.same(states(), ['a loading', 'b loading', 'c waiting'])
  pending('a').finish('value')
  await turn()
  t.same(states(), ['a ready', 'b loading', 'c loading'])
  t.same(loads.store.getState().get('a'), { state: 'ready', value: 'value' })
})

t.test('a failed load makes room for the next one, and can be retried', async (t) => {
  const { loads, pending, states } = startLoads(t, 'a', 'b', 'c')
  pending('a').fail(new Error('no'))
  await turn()
  t.same(states(), ['a failed', 'b loading', 'c loading'])
  loads.retry('a')
  t.same(states(), ['a waiting', 'b loading', 'c loading'])
})

t.test('a cancelled load is aborted and makes room for the next one', async (t) => {
  const { loads, pending, states } = startLoads(t, 'a', 'b', 'c')
  loads.cancel('a')
  t.ok(pending('a').signal.aborted)
  await turn()
  t.same(states(), ['a cancelled', 'b loading', 'c loading'])
})

t.test('aborts loads that are no longer wanted, and continues the others', async (t) => {
  const { want, pending, states } = startLoads(t, 'a', 'b')
  want('b')
  t.ok(pending('a').signal.aborted)
  t.notOk(pending('b').signal.aborted)
  t.same(states(), ['b loading'])
})

t.test('cancels all running loads and keeps finished ones', async (t) => {
  const { loads, pending, states } = startLoads(t, 'a', 'b')
  pending('a').finish('value')
  await turn()
  loads.cancelAll()
  await turn()
  t.same(states(), ['a ready', 'b cancelled'])
})

t.test('results are shown together after a pause, and the last one at once', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { loads, want, pending } = startLoads(t)
  const shown: string[] = []
  const finish = async (...keys: string[]) => {
    for (const key of keys) pending(key).finish('')
    await turn()
  }
  t.teardown(
    followLoads(loads, 100, (states) => {
      const readyKeys = [...states].filter(([, { state }]) => state === 'ready').map(([key]) => key)
      shown.push(readyKeys.join(' '))
    })
  )
  want('a', 'b', 'c', 'd')
  t.same(shown, [''], 'the start of loads is shown at once')
  await finish('a', 'b')
  t.same(shown, [''])
  mock.timers.tick(100)
  t.same(shown, ['', 'a b'])
  await finish('c')
  t.same(shown, ['', 'a b'])
  await finish('d')
  t.same(shown, ['', 'a b', 'a b c d'])
  mock.timers.tick(200)
  t.same(shown, ['', 'a b', 'a b c d'], 'nothing is shown twice')
})

t.test('a change after a pause is shown at once', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { loads, want, pending } = startLoads(t)
  let shownCount = 0
  t.teardown(followLoads(loads, 100, () => (shownCount += 1)))
  want('a', 'b')
  mock.timers.tick(100)
  pending('a').finish('')
  await turn()
  t.equal(shownCount, 2)
})
