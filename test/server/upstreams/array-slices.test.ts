import t from 'tap'
import { Problem, problems } from '#server/errors.ts'
import { sliceArray } from '#server/upstreams/array-slices.ts'
import { createTurns } from '#server/upstreams/turns.ts'

const turns = createTurns()

/** The text as chunks of so many bytes. */
async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const slicesOf = (text: string, size = 64 * 1024) =>
  sliceArray(chunksOf(text, size), (elements) => elements, turns)

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
  const cases: [text: string, expected: unknown[]][] = [
    ['[]', []],
    [' [ ] \n', []],
    ['[1,"]",{}]', [1, ']', {}]],
    ['\ufeff[{"a":1}]', [{ a: 1 }]]
  ]
  for (const [text, expected] of cases) t.strictSame((await slicesOf(text, 1)).flat(), expected, text)
})

t.test('a long one comes in slices, each element once and in order', async (t) => {
  const elements = Array.from({ length: 12_000 }, (_, index) => ({
    index,
    text: ['},{', '"},{"', '\\"},\n{', ']', 'Ä東🏢', ''][index % 6],
    inner: [{ a: { b: [{}, {}] } }, { c: '},{' }]
  }))
  for (const [text, size] of [
    [JSON.stringify(elements), 64 * 1024],
    [JSON.stringify(elements), 997],
    [JSON.stringify(elements, null, 2), 16 * 1024]
  ] as const) {
    const slices = await slicesOf(text, size)
    t.ok(slices.length > 1, `${slices.length} slices`)
    t.strictSame(slices.flat(), elements)
  }
})

t.test('a long one of no objects is read whole', async (t) => {
  const numbers = Array.from({ length: 200_000 }, (_, index) => index)
  t.strictSame((await slicesOf(JSON.stringify(numbers))).flat(), numbers)
  const nested = [[{ a: 1 }, { b: 2 }], Array.from({ length: 50_000 }, (_, index) => ({ index }))]
  t.strictSame((await slicesOf(JSON.stringify(nested))).flat(), nested)
})

t.test('a failure of the work or of the stream is passed on', async (t) => {
  const failing = sliceArray(
    chunksOf('[1]', 8),
    () => {
      throw new Problem(500, 'broken')
    },
    turns
  )
  await t.rejects(failing, new Problem(500, 'broken'))
  async function* cut(): AsyncGenerator<Buffer> {
    yield Buffer.from('[{"a":1},')
    throw new Error('cut off')
  }
  await t.rejects(
    sliceArray(cut(), (elements) => elements, turns),
    { message: 'cut off' }
  )
})
