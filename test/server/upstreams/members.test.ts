import t from 'tap'
import { problems } from '#server/errors.ts'
import { Members } from '#server/upstreams/members.ts'

const NAMES = ['a', 'b']

/** The values of the names in each of some texts, one after the other. */
function valuesIn(texts: string[]): (string | null)[][] {
  const members = new Members(NAMES)
  const { starts, ends } = members
  return texts.map((text) => {
    const bytes = Buffer.from(`${text}\0`)
    t.equal(members.read(bytes, 0), bytes.length - 1, text)
    return NAMES.map((_, number) => {
      const start = starts[number] as number
      return start < 0 ? null : bytes.toString('utf8', start, ends[number])
    })
  })
}

t.test('what is no object to its end is refused, also after others like it', async (t) => {
  const good = '{"a":1,"b":2}'
  for (const text of [
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a":1,"b"}',
    '{"a":1;"b":2}',
    '{,"a":1}'
  ]) {
    t.throws(() => valuesIn([text]), problems.upstreamGarbled(), text)
    t.throws(() => valuesIn([good, good, text]), problems.upstreamGarbled(), `${text} after others`)
  }
})

t.test('each object has its own members, whatever the ones before it had', async (t) => {
  const texts: [text: string, values: (string | null)[]][] = [
    ['{"a":1,"b":"x"}', ['1', '"x"']],
    ['{"a":2,"b":"y"}', ['2', '"y"']],
    ['{"b":3,"a":4}', ['4', '3']],
    ['{}', [null, null]],
    ['{ }', [null, null]],
    ['{"a":[{"b":1}]}', ['[{"b":1}]', null]],
    ['{"c":{"a":1},"ab":2,"a ":3}', [null, null]],
    ['{ "a" : 1 ,\n "b" : 2 }', ['1', '2']],
    ['{"a":1,"b":2}', ['1', '2']],
    ['{"a": 1,"b":\n2}', ['1', '2']],
    ['{"a":1,"b":2,"c":3}', ['1', '2']],
    ['{"a":1}', ['1', null]],
    ['[{"a":1}]', [null, null]],
    ['null', [null, null]]
  ]
  const all = texts.map(([text]) => text)
  const expected = texts.map(([, values]) => values)
  t.strictSame(valuesIn(all), expected)
  t.strictSame(valuesIn(all.toReversed()), expected.toReversed())
})
