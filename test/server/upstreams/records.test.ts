import t from 'tap'
import { problems } from '#server/errors.ts'
import { id, text } from '#server/upstreams/fields.ts'
import { type Field, RecordReader } from '#server/upstreams/records.ts'
import type { TextList } from '#server/upstreams/text-list.ts'
import { recordsOf } from '../portal/records.ts'
import { chance } from './chance.ts'

const FIELDS: readonly Field[] = [
  { name: 'id', from: ['id'], value: (given) => id(given) ?? '', keeps: 'texts' },
  { name: 'name', from: ['name', 'other'], value: (own, other) => text(own) || text(other), keeps: 'texts' },
  { name: 'place', from: ['place'], value: (given) => text(given) || null, keeps: 'texts' },
  { name: 'renamed', from: ['wasCalled'], value: text, keeps: 'texts' },
  {
    name: 'limit',
    from: ['limit'],
    value: (given) => (Number.isFinite(given) ? (given as number) : undefined),
    keeps: 'integers'
  }
]
const reader = () => new RecordReader(FIELDS, ['id', 'key'])

const textsIn = ({ bytes, starts, ends }: TextList) =>
  Array.from(starts, (start, index) => bytes.toString('utf8', start, ends[index]))

/** What the rules alone make of an element. */
function expected(element: unknown): string {
  const given = (typeof element === 'object' && element !== null ? element : {}) as Record<string, unknown>
  return JSON.stringify(
    Object.fromEntries(FIELDS.map(({ name, from, value }) => [name, value(...from.map((one) => given[one]))]))
  )
}

t.test('what is no list, or no list to its end, is refused', async (t) => {
  for (const list of [
    '',
    '{}',
    'null',
    '[',
    '[{}',
    '[{},',
    '[{},]',
    '[{} {}]',
    '[{"id":}]',
    '[{"id" "a"}]',
    '[nope]'
  ])
    t.throws(() => recordsOf(reader(), list), problems.upstreamGarbled(), list)
})

t.test('elements that are no objects, or have nothing that is asked for, are records as well', async (t) => {
  const elements = [null, 1, 'text', [], [{ id: 'a' }], {}, { unasked: { id: 'b' } }, { id: null }]
  const { json, keys } = recordsOf(reader(), JSON.stringify(elements))
  t.strictSame(textsIn(json), elements.map(expected))
  t.strictSame(
    textsIn(keys.key),
    elements.map(() => '')
  )
  t.strictSame(textsIn(recordsOf(reader(), '[ ] ').json), [])
})

t.test('whatever values, in whatever order and layout, become what the rules make of them', async (t) => {
  const values = [
    'plain', '', 'with "quotes"', 'back\\slash', 'line\nbreak', 'é 東 🏢', '\ud83c', '},{"id":"other"}', 'x'.repeat(300),
    null, true, 0, 7, 25, -3, 1.5, 1e21, 123456789012345680000, 123456789012345, [], ['a'], {}, { id: 'inner' }
  ] // biome-ignore format: a line each would hide them
  const names = ['id', 'name', 'other', 'place', 'wasCalled', 'limit', 'key', 'renamed', '__proto__', 'more']
  const next = chance(11)
  const elements = Array.from({ length: 5_000 }, (_, index) => {
    // Many alike, as in real lists, with one of another kind here and there.
    const alike = index % 7 !== 0
    const own = alike ? names : names.filter(() => next(3) > 0).sort(() => next(3) - 1)
    return Object.fromEntries(
      own.map((name) => [name, alike && next(9) > 0 ? `${name} ${index}` : values[next(values.length)]])
    )
  })
  for (const space of [0, 2]) {
    const { json, keys } = recordsOf(reader(), JSON.stringify(elements, null, space))
    t.strictSame(textsIn(json), elements.map(expected), `layout ${space}`)
    t.strictSame(
      textsIn(keys.id),
      elements.map((element) => text(element.id).toWellFormed())
    )
    t.strictSame(
      textsIn(keys.key),
      elements.map((element) => text(element.key).toWellFormed())
    )
  }
})

t.test('names written with escapes are the names they mean, and the last of two counts', async (t) => {
  const list = '[{"\\u0069d":"a"},{"id":"b","id":"c"},{"id":"d","id":null},{"\\u0069d":"e"}]'
  t.strictSame(
    textsIn(recordsOf(reader(), list).json),
    ['a', 'c', '', 'e'].map((one) => expected({ id: one }))
  )
})

t.test(
  'bytes that are no characters become replacement characters, however many more bytes those take',
  async (t) => {
    const bad = Buffer.alloc(200_000, 0xff)
    const list = Buffer.concat([
      Buffer.from('[{"id":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"},{"id":"b\\n'),
      bad,
      Buffer.from('","place":"'),
      bad,
      Buffer.from('"}]\0')
    ])
    const { json, keys } = reader().list(list, 0).records
    const long = '\ufffd'.repeat(bad.length)
    t.strictSame(textsIn(json), [{ id: 'a\ufffd\ufffd' }, { id: `b\n${long}`, place: long }].map(expected))
    t.strictSame(textsIn(keys.id), ['a\ufffd\ufffd', `b\n${long}`])
  }
)

t.test('nothing of a list that was refused comes with the next one', async (t) => {
  const own = reader()
  t.throws(() => recordsOf(own, '[{"id":"a"},{"id":"b"},'), problems.upstreamGarbled())
  t.strictSame(textsIn(recordsOf(own, '[{"id":"c"}]').json), [expected({ id: 'c' })])
})

t.test('of a list that goes on, what stands there to its end is read once', async (t) => {
  const elements = Array.from({ length: 50 }, (_, index) => ({
    id: `d${index}`,
    name: 'a "name"',
    more: [{ a: index }]
  }))
  const whole = Buffer.from(JSON.stringify(elements))
  for (const step of [1, 7, 64, 1000]) {
    const own = reader()
    const read: string[] = []
    let at = 1
    let ended = false
    for (let end = step; !ended; end += step) {
      const there = Buffer.concat([whole.subarray(0, end), Buffer.from([0])])
      ;({ at, ended } = own.elements(there, at, read.length === 0))
      read.push(...textsIn(own.take().json))
    }
    t.equal(at, whole.length)
    t.strictSame(read, elements.map(expected), `${step} bytes at a time`)
  }
})
