import t from 'tap'
import { createLoads } from '#client/lib/loads.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('limits parallel loads; each load can be cancelled and retried', async (t) => {
  const pendingLoads = new Map<
    string,
    { finish: (value: string) => void; fail: (error: Error) => void; signal: AbortSignal }
  >()
  const requestOf = (key: string) => ({
    key,
    load: (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        pendingLoads.set(key, { finish: resolve, fail: reject, signal })
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      })
  })
  const loads = createLoads<string>(4)
  const states = () => [...loads.store.getState()].map(([key, { state }]) => `${key} ${state}`)
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  loads.want(keys.map(requestOf))
  t.same(states(), ['a loading', 'b loading', 'c loading', 'd loading', 'e waiting', 'f waiting'])
  pendingLoads.get('b')?.fail(new Error('no'))
  await turn()
  t.same(states(), ['a loading', 'b failed', 'c loading', 'd loading', 'e loading', 'f waiting'])
  loads.cancel('a')
  t.ok(pendingLoads.get('a')?.signal.aborted)
  await turn()
  t.same(states(), ['a cancelled', 'b failed', 'c loading', 'd loading', 'e loading', 'f loading'])
  loads.retry('b')
  t.equal(loads.store.getState().get('b')?.state, 'waiting')
  pendingLoads.get('c')?.finish('value')
  await turn()
  t.same(loads.store.getState().get('c'), { state: 'ready', value: 'value' })
  loads.want(['c', 'd'].map(requestOf))
  t.ok(pendingLoads.get('f')?.signal.aborted, 'aborts a load that is no longer needed')
  t.same(states(), ['c ready', 'd loading'], 'continues the other loads')
  loads.cancelAll()
  await turn()
  t.same(states(), ['c ready', 'd cancelled'])
  loads.close()
})
