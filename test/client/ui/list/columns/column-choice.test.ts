import t from 'tap'
import { movedColumn, readChoice, writeChoice } from '#client/ui/list/columns/column-choice.tsx'

const columnsWithout = (hidden: string[]) =>
  ['a', 'b', 'c'].map((id) => ({
    id,
    header: id.toUpperCase(),
    ...(hidden.includes(id) ? { table: 'on-demand' as const } : {})
  }))

const cases: [text: string, hidden: string[], written: string][] = [
  ['', [], 'a,b,c'],
  ['', ['b'], 'a,-b,c'],
  ['z,-y', [], 'a,b,c'],
  ['c', [], 'c,a,b'],
  ['-c,b', ['a'], '-c,b,-a'],
  ['b,-a,c', ['b'], 'b,-a,c']
]
for (const [text, hidden, written] of cases)
  t.test(`"${text}" with ${hidden.join() || 'nothing'} hidden is ${written}`, async (t) => {
    t.equal(writeChoice(readChoice(columnsWithout(hidden), text)), written)
  })

t.test('a column moves one step, but not beyond the end', async (t) => {
  const chosen = readChoice(columnsWithout([]), '')
  const moved = (id: string, step: -1 | 1) => writeChoice(movedColumn(chosen, id, step))
  t.equal(moved('a', -1), 'a,b,c')
  t.equal(moved('c', 1), 'a,b,c')
  t.equal(moved('gone', 1), 'a,b,c')
  t.equal(moved('b', -1), 'b,a,c')
  t.equal(moved('b', 1), 'a,c,b')
})
