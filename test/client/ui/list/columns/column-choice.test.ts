import t from 'tap'
import { movedColumn, readChoice, writeChoice } from '#client/ui/list/columns/column-choice.tsx'

const columnsWithout = (hidden: string[]) =>
  ['a', 'b', 'c'].map((id) => ({
    id,
    header: id.toUpperCase(),
    ...(hidden.includes(id) ? { table: 'on-demand' as const } : {})
  }))

const cases: [text: string, hidden: string[], result: string][] = [
  ['', [], 'a,b,c'],
  ['', ['b'], 'a,-b,c'],
  ['z,-y', [], 'a,b,c'],
  ['c', [], 'c,a,b'],
  ['-c,b', ['a'], '-c,b,-a'],
  ['b,-a,c', ['b'], 'b,-a,c']
]
for (const [text, hidden, result] of cases)
  t.test(`"${text}" with ${hidden.join() || 'nothing'} hidden gives ${result}`, async (t) => {
    t.equal(writeChoice(readChoice(columnsWithout(hidden), text)), result)
  })

t.test('a column moves one step, but not beyond the end', async (t) => {
  const choice = readChoice(columnsWithout([]), '')
  const afterMove = (id: string, step: -1 | 1) => writeChoice(movedColumn(choice, id, step))
  t.equal(afterMove('a', -1), 'a,b,c')
  t.equal(afterMove('c', 1), 'a,b,c')
  t.equal(afterMove('gone', 1), 'a,b,c')
  t.equal(afterMove('b', -1), 'b,a,c')
  t.equal(afterMove('b', 1), 'a,c,b')
})
