// With whose tokens a customer is read after some of them have failed.
import t from 'tap'
import { createFailures, type PresentViewer, type Tokens } from '#server/portal/readings/failures.ts'

const KEY = 'alarms c-1'
const viewerOf = (id: string) => ({ user: { id } }) as PresentViewer

function scene(viewerIds: readonly string[]) {
  const clock = { nowMs: 1_000_000 }
  const failures = createFailures(() => clock.nowMs)
  const viewers = viewerIds.map(viewerOf)
  const candidates = (tokens: Tokens) => failures.candidates(KEY, viewers, tokens).map(({ user }) => user.id)
  const fail = (id: string, isRefusal = true) => failures.add(KEY, viewerOf(id), isRefusal)
  return { clock, failures, candidates, fail }
}

t.test('a token that failed is tried again after a minute, apart from the others', async (t) => {
  for (const isRefusal of [true, false]) {
    const { clock, candidates, fail } = scene(['a', 'b'])
    fail('a', isRefusal)
    t.strictSame([candidates('working'), candidates('failed')], [['b'], []])
    clock.nowMs += 59_999
    t.strictSame([candidates('working'), candidates('failed')], [['b'], []])
    clock.nowMs += 1
    t.strictSame([candidates('working'), candidates('failed')], [['b'], ['a']])
    fail('a', isRefusal)
    t.strictSame(candidates('failed'), [], 'after another minute only')
  }
})

t.test('a token that works again is used as the others', async (t) => {
  const { failures, candidates, fail } = scene(['a', 'b'])
  fail('a')
  failures.forget(KEY, viewerOf('a'))
  t.strictSame([candidates('working'), candidates('failed')], [['a', 'b'], []])
})

t.test('tries three tokens at most, and one of each person', async (t) => {
  const { clock, candidates, fail } = scene(['a', 'a', 'b', 'c', 'd'])
  t.strictSame(candidates('working'), ['a', 'b', 'c'])
  for (const id of ['a', 'b', 'c', 'd']) fail(id)
  t.strictSame(candidates('working'), [])
  clock.nowMs += 60_000
  t.strictSame(candidates('failed'), ['a', 'b', 'c'])
})

t.test('a failure counts for its part and customer only', async (t) => {
  const { failures, candidates } = scene(['a'])
  failures.add('services c-1', viewerOf('a'), true)
  t.strictSame(candidates('working'), ['a'])
})
