import t from 'tap'
import { inOneGo, sortInSteps, sortKeysInSteps } from '#server/sort-in-steps.ts'
import { chance } from '../support/chance.ts'

t.test('sorts a long list in several steps', async (t) => {
  const random = chance(11)
  for (const length of [0, 1, 999, 1_000, 1_001, 4_500]) {
    const items = Array.from({ length }, (_, at) => ({ at, key: random(300) }))
    const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
    t.strictSame(inOneGo(sortInSteps(items, byKey)), items.toSorted(byKey), `${length}`)
  }
  t.ok([...sortInSteps([...Array(4_500).keys()], (a, b) => a - b)].length > 4)
})

t.test('hardly compares a list that is in order, or in the opposite order', async (t) => {
  const ascending = [...Array(10_000).keys()]
  for (const items of [ascending, ascending.toReversed()]) {
    let compared = 0
    const compare = (a: number, b: number) => {
      compared += 1
      return a - b
    }
    t.strictSame(inOneGo(sortInSteps(items, compare)), ascending)
    t.ok(compared < 10_100, `${compared} comparisons`)
  }
})

t.test('keeps equal items in their order, also between lists in the opposite order', async (t) => {
  const items = Array.from({ length: 8 }, (_, at) => ({ at, key: at < 4 ? 1 : 0 }))
  t.strictSame(
    inOneGo(sortInSteps(items, (a, b) => a.key - b.key, 4)).map(({ at }) => at),
    [4, 5, 6, 7, 0, 1, 2, 3]
  )
  const equal = Array.from({ length: 8 }, (_, at) => ({ at }))
  t.strictSame(inOneGo(sortInSteps(equal, () => 0, 4)), equal)
})

t.test('compares texts about once each if their characters are in the same order', async (t) => {
  const random = chance(5)
  const texts = [...new Set(Array.from({ length: 10_000 }, () => `AHU-${100_000 + random(100_000)}`))]
  let compared = 0
  const compare = (a: string, b: string) => {
    compared += 1
    return a < b ? -1 : 1
  }
  t.strictSame(inOneGo(sortKeysInSteps(texts, compare)), texts.toSorted())
  t.ok(compared < texts.length * 1.1, `${compared} comparisons of ${texts.length} texts`)
})
