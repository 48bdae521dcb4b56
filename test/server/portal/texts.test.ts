import t from 'tap'
import { bytesWriter } from '#server/portal/bytes.ts'
import { textsOf, textsPart } from '#server/portal/texts.ts'

const NAMES = [
  'AHU 1',
  '',
  '},{"id":"other"}',
  '"},{"',
  '\\"},{\\"',
  'Ventilación',
  '空調機',
  '\u{1f321}',
  '\ud800',
  'a line\nand another',
  'x'.repeat(500)
]

function read(parts: object[][], left: number): string[] {
  const texts = textsOf(parts.map((objects) => textsPart(objects, left)))
  return Array.from({ length: texts.count }, (_, number) => texts.read(number))
}

for (const [name, parts] of Object.entries({
  'one after the other': [NAMES.map((name, id) => ({ id: String(id), name }))],
  'in parts, of which some are empty': [
    [],
    ...NAMES.map((name) => [{ name, other: name }, { name }]),
    [],
    [{ name: 'last' }]
  ],
  'without a text that takes more than a byte': [[{ name: '},{"' }, { name: 'b' }], [{ name: 'c' }]]
})) {
  t.test(`each text is the JSON of its object, ${name}`, async (t) => {
    const objects = parts.flat()
    t.strictSame(
      read(parts, 0),
      objects.map((one) => JSON.stringify(one))
    )
    t.strictSame(
      read(parts, 1),
      objects.map((one) => JSON.stringify(one).slice(0, -1)),
      'or the beginning of it'
    )
  })
}

t.test('what is copied is what is read, short or long', async (t) => {
  const texts = textsOf([textsPart(NAMES.map((name) => ({ name })))])
  const writer = bytesWriter()
  let bytes = 0
  for (let number = 0; number < texts.count; number += 1) {
    texts.copy(number, writer)
    bytes += texts.lengthOf(number)
  }
  const written = writer.finish()
  t.equal(written.length, bytes)
  t.equal(Buffer.concat(written.chunks).toString(), NAMES.map((name) => JSON.stringify({ name })).join(''))
})
