import t, { type Test } from 'tap'
import { createLoads } from '#client/lib/loads.ts'

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
