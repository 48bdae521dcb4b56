import t from 'tap'
import { BytesWriter } from '#server/portal/bytes.ts'
import { Texts } from '#server/portal/texts.ts'
import { textListOf } from '#server/upstreams/text-list.ts'

const LISTS = [[], ['AHU 1', '', 'Ventilación'], ['空調機'], [], ['🌡', 'x'.repeat(500), ',']]
const ALL = LISTS.flat()

t.test('texts of several lists are numbered through', async (t) => {
  const texts = new Texts(LISTS.map(textListOf))
  t.equal(texts.count, ALL.length)
  t.strictSame(
    ALL.map((_, number) => texts.read(number)),
    ALL
  )
  t.strictSame(
    ALL.map((_, number) => texts.lengthOf(number)),
    ALL.map((text) => Buffer.byteLength(text))
  )
})

t.test('the end of each can be left out', async (t) => {
  const texts = new Texts([['{"a":1}', '{}'], ['{"b":2}']].map(textListOf), 1)
  t.strictSame(
    [0, 1, 2].map((number) => texts.read(number)),
    ['{"a":1', '{', '{"b":2']
  )
})

t.test('those in a row are copied in one piece, with commas between them', async (t) => {
  const texts = new Texts(LISTS.map(textListOf))
  t.strictSame(
    ALL.map((_, number) => texts.isInRow(number)),
    [true, true, false, false, true, true, false],
    'a row ends with its list'
  )
  const writer = new BytesWriter()
  texts.copy(0, 2, writer)
  texts.copy(3, 3, writer)
  texts.copy(5, 6, writer)
  const written = Buffer.concat([...writer.finish().chunks]).toString()
  t.equal(written, `AHU 1,,Ventilación空調機${'x'.repeat(500)},,`)
})
