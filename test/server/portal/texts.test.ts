// Objects as JSON in one piece, found again one by one whatever their texts say.
import t from 'tap'
import { bytesWriter } from '#server/portal/bytes.ts'
import { textsOf, textsPart } from '#server/portal/texts.ts'

const AWKWARD = [
  { id: '1', name: 'plain', note: null },
  { id: '},{"id":"2"', name: '},{"id":' },
  { id: '', name: '{"id":"3"},{"id":"4"}' },
  { id: 'ü水😀', name: '\\"},{\\"id\\":' },
  { id: '"', name: '\u2028\n\t\u0000\ud800' }
]

t.test('none is none', async (t) => {
  t.equal(textsOf([]).count, 0)
  t.equal(textsOf([textsPart([], 'id'), textsPart([], 'id', true)]).count, 0)
})

t.test('each is found again, whatever its texts look like', async (t) => {
  for (const open of [false, true]) {
    const parts = [AWKWARD.slice(0, 1), AWKWARD.slice(1), [], AWKWARD]
    const texts = textsOf(parts.map((part) => textsPart(part, 'id', open)))
    const wanted = parts.flat().map((one) => JSON.stringify(one).slice(0, open ? -1 : undefined))
    t.equal(texts.count, wanted.length)
    t.strictSame(
      wanted.map((_, number) => texts.read(number)),
      wanted
    )
    t.strictSame(
      wanted.map((_, number) => texts.lengthOf(number)),
      wanted.map((text) => Buffer.byteLength(text))
    )
    const writer = bytesWriter()
    for (const number of wanted.keys()) texts.copy(number, writer)
    t.equal(Buffer.concat(writer.finish().chunks).toString(), wanted.join(''))
  }
})
