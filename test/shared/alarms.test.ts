import t from 'tap'
import { comparing, NEEDS_ACTION, narrowed } from '#shared/alarms.ts'

t.test('finds each alarm that needs action in exactly one search', async (t) => {
  const matchCount = (sourceState: string, ackState: string) =>
    NEEDS_ACTION.filter(
      ({ sourceStates, ackStates }) =>
        (sourceStates.length === 0 || (sourceStates as string[]).includes(sourceState)) &&
        (ackStates.length === 0 || (ackStates as string[]).includes(ackState))
    ).length
  for (const source of ['offnormal', 'fault', 'alert', 'normal'])
    for (const ack of ['unacked', 'ackPending', 'acked'])
      t.equal(matchCount(source, ack), source === 'normal' && ack === 'acked' ? 0 : 1, `${source}, ${ack}`)
})

t.test('narrows searches to the given states', async (t) => {
  t.strictSame(narrowed([{ sourceStates: ['fault'], ackStates: [] }], ['normal']), [])
  t.strictSame(narrowed(NEEDS_ACTION, []), NEEDS_ACTION, 'no state keeps all searches')
})

t.test('sorts numbers by value, everything else as text, and missing values first', async (t) => {
  const sort = (order: 'asc' | 'desc', values: unknown[]) =>
    values
      .map((field) => ({ field }))
      .sort(comparing({ sort: 'field', order }))
      .map(({ field }) => field)
  t.strictSame(sort('asc', [100, 9, 20]), [9, 20, 100])
  t.strictSame(sort('desc', [100, 9, 20]), [100, 20, 9])
  t.strictSame(sort('asc', ['b', null, 'a']), [null, 'a', 'b'])
  const object = { toString: 'b' }
  t.strictSame(sort('asc', ['a', object, undefined]), [object, undefined, 'a'])
})
