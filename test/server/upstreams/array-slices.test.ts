import t from 'tap'
import { problems } from '#server/errors.ts'
import { sliceArray } from '#server/upstreams/array-slices.ts'
import { type Field, RecordReader } from '#server/upstreams/records.ts'
import { createTurns } from '#server/upstreams/turns.ts'

const turns = createTurns()
const FIELDS: readonly Field[] = [
  { name: 'index', from: ['index'], value: (given) => Number(given ?? -1), keeps: 'integers' },
  { name: 'text', from: ['text'], value: (given) => String(given ?? ''), keeps: 'texts' }
]
const reader = () => new RecordReader(FIELDS, [])

/** The text as chunks of so many bytes. */
async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function slicesOf(text: string, size = 64 * 1024): Promise<object[][]> {
  const slices = await sliceArray(chunksOf(text, size), reader(), turns)
  return slices.map(({ json: { bytes, starts, ends } }) =>
    Array.from(starts, (start, at) => JSON.parse(bytes.toString('utf8', start, ends[at])))
  )
}

t.test('what is no complete array is refused', async (t) => {
  const long = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'x'.repeat(20) }))
  const whole = JSON.stringify(long)
  const cases = [
    '',
    ' ',
    'null',
    '{}',
    '"[]"',
    '<!doctype html><h1>Maintenance</h1>',
    '[',
    '[1',
    '[1,]',
    '[1] 2',
    '[1]]',
    '[1][2]',
    `${whole}]`,
    `${whole}${whole}`,
    whole.slice(0, -1),
    whole.slice(0, whole.length / 2),
    `${whole.slice(0, -1)},`,
    whole.replace('"index":15000', '"index":'),
    whole.replace('},{', '}{')
  ]
  for (const text of cases) await t.rejects(slicesOf(text), problems.upstreamGarbled(), text.slice(0, 40))
})

t.test('short ones are one slice, whatever stands around them', async (t) => {
  const cases: [text: string, expected: object[]][] = [
    ['[]', []],
    [' [ ] \n', []],
    [
      '[1,"]",{"index":2}]',
      [
        { index: -1, text: '' },
        { index: -1, text: '' },
        { index: 2, text: '' }
      ]
    ],
    ['\ufeff[{"index":1}]', [{ index: 1, text: '' }]]
  ]
  for (const [text, expected] of cases) t.strictSame(await slicesOf(text, 1), [expected], text)
})

t.test('a long one comes in slices, each element once and in order', async (t) => {
  const elements = Array.from({ length: 12_000 }, (_, index) => ({
    index,
    text: ['},{', '"},{"', '\\"},\n{', ']', 'Ä東🏢', ''][index % 6],
    inner: [{ a: { b: [{}, {}] } }, { c: '},{' }]
  }))
  const expected = elements.map(({ index, text }) => ({ index, text }))
  for (const [text, size] of [
    [JSON.stringify(elements), 64 * 1024],
    [JSON.stringify(elements), 997],
    [JSON.stringify(elements, null, 2), 16 * 1024]
  ] as const) {
    const slices = await slicesOf(text, size)
    t.ok(slices.length > 1, `${slices.length} slices`)
    t.strictSame(slices.flat(), expected)
  }
})

t.test('an element longer than a slice is waited for, and one without an end is given up', async (t) => {
  const long = 'x'.repeat(2_000_000)
  t.strictSame((await slicesOf(JSON.stringify([{ text: long }, { index: 1 }]))).flat(), [
    { index: -1, text: long },
    { index: 1, text: '' }
  ])
  let given = 0
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('[{"text":"')
    for (const chunk = Buffer.alloc(1024 * 1024, 'x'); given < 200; given += 1) yield chunk
  }
  await t.rejects(sliceArray(endless(), reader(), turns), problems.upstreamGarbled())
  t.ok(given < 100, `after ${given} MB`)
})

t.test('a failure of the stream is passed on', async (t) => {
  async function* cut(): AsyncGenerator<Buffer> {
    yield Buffer.from('[{"a":1},')
    throw new Error('cut off')
  }
  await t.rejects(sliceArray(cut(), reader(), turns), { message: 'cut off' })
})
