import t from 'tap'
import { inOneGo, sortInSteps } from '#server/sort-in-steps.ts'
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
