// Compared with a look into each text, on texts that touch the ends of pieces.
import t from 'tap'
import { createTextSearch } from '#server/portal/text-search.ts'
import { createTurns } from '#server/upstreams/turns.ts'

const turns = createTurns()
const searchIn = (texts: readonly string[]) =>
  createTextSearch(texts.length, (number) => texts[number] as string, turns)
const numbersOf = (marks: Uint8Array | null) =>
  marks === null ? null : [...marks.keys()].filter((number) => marks[number] === 1)

t.test('nothing is found where there is nothing', async (t) => {
  t.equal((await searchIn([]))('a'), null)
  t.equal((await searchIn(['', '']))('a'), null)
})

t.test('what begins in one text and ends in the next is in neither', async (t) => {
  const search = await searchIn(['ab', 'ba', 'b'])
  t.equal(search('abb'), null)
  t.strictSame(numbersOf(search('b')), [0, 1, 2])
  t.strictSame(numbersOf(search('ba')), [1])
})

t.test('a text that contains it twice is found once, and the one after it too', async (t) => {
  t.strictSame(numbersOf((await searchIn(['aaa', 'b', 'aa', '', 'a']))('a')), [0, 2, 4])
})

t.test('finds what a look into each text finds, whatever the alphabet', async (t) => {
  let seed = 7
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (const letters of ['ab', 'abcdefghij', 'aé水😀']) {
    const text = (most: number) =>
      Array.from({ length: chance(most) }, () => [...letters][chance([...letters].length)]).join('')
    const texts = Array.from({ length: 9_000 }, () => text(9))
    const search = await searchIn(texts)
    for (let time = 0; time < 40; time += 1) {
      const wanted = text(5) || 'a'
      const expected = [...texts.keys()].filter((number) => texts[number]?.includes(wanted))
      const found = numbersOf(search(wanted)) ?? []
      t.ok(
        found.length === expected.length && found.every((number, at) => number === expected[at]),
        `${expected.length} texts contain "${wanted}"`
      )
    }
  }
})
