import t from 'tap'
import { FLAG_ORDER, overrideLevel, parseFlags, parsePointValue } from '#shared/history/point-value.ts'
import { randomFrom } from '#test/support/samples.ts'

const outValues: [out: unknown, value: string, flags: readonly string[] | null][] = [
  [undefined, '', null],
  ['', '', null],
  ['21.5', '21.5', null],
  ['21.5 {ok}', '21.5', []],
  ['21.5 {}', '21.5', []],
  ['On {stale,alarm}', 'On', ['alarm', 'stale']],
  [
    'On {unackedAlarm,overridden,fault,disabled} @ 8',
    'On',
    ['disabled', 'fault', 'overridden', 'unackedAlarm']
  ],
  ['a {b} c {ok} @ def', 'a {b} c', []],
  ['nan {strange,down,down}', 'nan', ['down', 'strange']],
  ['two\nlines {ok}', 'two\nlines', []],
  ['{ok}', '', []],
  [12, '12', null]
]
for (const [out, value, flags] of outValues)
  t.test(`the current value ${JSON.stringify(out)} is ${JSON.stringify(value)} with ${flags}`, async (t) => {
    t.same(parsePointValue(out), { value, flags })
  })

t.test('sorts flags in the order of Niagara', async (t) => {
  const order: readonly string[] = FLAG_ORDER
  const random = randomFrom(7)
  for (let round = 0; round < 200; round++) {
    const flags = order.filter(() => random() < 0.5).sort(() => random() - 0.5)
    t.same(
      parseFlags(flags.join(' , ')),
      order.filter((flag) => flags.includes(flag))
    )
  }
})

t.test('reads the priority of an override', async (t) => {
  t.equal(overrideLevel('24.9 {overridden} @ 8'), '8')
  t.equal(overrideLevel('24.9 {overridden} @ def'), 'def')
  for (const out of ['24.9 {overridden}', 'a @ 8', null]) t.equal(overrideLevel(out), null)
})
