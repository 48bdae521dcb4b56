import t from 'tap'
import { TextTable } from '#server/portal/text-table.ts'
import { Texts } from '#server/portal/texts.ts'
import { textListOf } from '#server/upstreams/text-list.ts'
import { chance } from '../upstreams/chance.ts'

const textsIn = (...lists: string[][]) => new Texts(lists.map(textListOf))

t.test('a table of nothing finds nothing', async (t) => {
  const table = new TextTable(textsIn())
  t.equal(table.find(textsIn(['a', '']), 0), -1)
  t.equal(table.find(textsIn(['a', '']), 1), -1)
})

t.test('only what was added is found, by its text and not by its beginning', async (t) => {
  const texts = textsIn(['ab', '', 'abc'], [], ['a', 'é'])
  const table = new TextTable(texts)
  for (const number of [0, 1, 4]) t.equal(table.add(number), number)
  const wanted = ['ab', '', 'abc', 'a', 'é', 'e']
  t.strictSame(
    wanted.map((_, number) => table.find(textsIn(wanted), number)),
    [0, 1, -1, -1, 4, -1]
  )
})

t.test('twenty thousand texts of which many are equal: each has the number of the first', async (t) => {
  const next = chance(3)
  const all = Array.from({ length: 20_000 }, () => `device ${next(5_000)}`)
  const texts = textsIn(all.slice(0, 999), all.slice(999))
  const table = new TextTable(texts)
  const first = new Map<string, number>()
  const expected = all.map((text, number) => {
    if (!first.has(text)) first.set(text, number)
    return first.get(text)
  })
  t.strictSame(
    all.map((_, number) => table.add(number)),
    expected
  )
  t.strictSame(
    all.map((_, number) => table.find(texts, number)),
    expected
  )
})
