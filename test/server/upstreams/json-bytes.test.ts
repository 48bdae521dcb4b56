import t from 'tap'
import { problems } from '#server/errors.ts'
import { memberStart, spaceEnd, valueEnd, walkableBytes } from '#server/upstreams/json-bytes.ts'
import { chance } from './chance.ts'

const walkable = walkableBytes()

/** Whether all of the text is one value. */
function isValue(text: string): boolean {
  const bytes = walkable([Buffer.from(text)])
  try {
    return spaceEnd(bytes, valueEnd(bytes, spaceEnd(bytes, 0))) === bytes.length - 1
  } catch (error) {
    t.match(error, problems.upstreamGarbled())
    return false
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const TEXTS = [
  '', ' ', '{', '}', '[', ']', '[]', '{}', '[,]', '[1,]', '[1 2]', '[1,,2]', '{"a"}', '{"a":}', '{"a":1,}', '{a:1}',
  '{"a":1 "b":2}', "{'a':1}", '{"a":1}}', '"', '"a', '"\\"', '"\\x"', '"\\u12g4"', '"\\u12"', '"\\u00e9\\n\\/"', '"\t"',
  '"\u0000"', '"\u007f é東🏢"', 'nul', 'null', 'nulll', 'True', 'true', 'false', 'NaN', 'Infinity', '-', '-0', '01', '1.',
  '.5', '1.5', '1e', '1e5', '1E+5', '+1', '0x1', '1_000', '--1', '\n\r\t [ 1 , { "a" : [ ] } ] \n', '\u00a0[]', '[]x', '"a""b"',
  '{"a":{"b":[1,"}",{"c":null}]}}', '<!doctype html>', '/**/1', '1-2', '1.2.3', 'e1'
] // biome-ignore format: a line each would hide them

t.test('what is no JSON is refused, and nothing else', async (t) => {
  for (const text of TEXTS) t.equal(isValue(text), isJson(text), JSON.stringify(text))
})

t.test('the same of ten thousand texts with a character changed, left out or doubled', async (t) => {
  const whole = JSON.stringify({
    list: [1, -2.5e3, 'text "with" \\ escapes\n', null, true, [], {}, [{ a: { b: ['é', '東'] } }]],
    'na"me': ''
  })
  const characters = [...'{}[]",:\\ntrue0-.eE+ \u0001é']
  const next = chance(7)
  const differing: string[] = []
  for (let time = 0; time < 10_000; time += 1) {
    const at = next(whole.length)
    const put = [characters[next(characters.length)] ?? '', '', `${whole[at]}${whole[at]}`][next(3)]
    const text = whole.slice(0, at) + put + whole.slice(at + 1)
    if (isValue(text) !== isJson(text)) differing.push(text)
  }
  t.strictSame(differing, [])
})

t.test('every beginning of a text is refused', async (t) => {
  const whole = JSON.stringify([{ name: 'a "b" \\', list: [1, null] }])
  const taken = Array.from({ length: whole.length }, (_, length) => whole.slice(0, length)).filter(isValue)
  t.strictSame(taken, [])
})

t.test('64 levels are walked, 65 are refused', async (t) => {
  t.ok(isValue('['.repeat(64) + ']'.repeat(64)))
  t.notOk(isValue('['.repeat(65) + ']'.repeat(65)))
  t.notOk(isValue('['.repeat(1_000_000)))
})

t.test('a member is found by its name, however it is written', async (t) => {
  const find = (text: string, name: string) => {
    const bytes = walkable([Buffer.from(text)])
    const start = memberStart(bytes, 0, name)
    return start < 0 ? null : bytes.toString('utf8', start, valueEnd(bytes, start))
  }
  t.equal(find('{"a":1,"b":[2]}', 'b'), '[2]')
  t.equal(find(' { "\\u0061" : "x" } ', 'a'), '"x"')
  t.equal(find('{"b":{"a":1}}', 'a'), null, 'not one of another object')
  for (const text of ['', '{}', '[]', 'null', '"a"', '{"b":1']) t.equal(find(text, 'a'), null, text)
  t.throws(() => find('{"b":nonsense,"a":1}', 'a'), problems.upstreamGarbled())
})

t.test('what was walked before is not seen again', async (t) => {
  const own = walkableBytes()
  own([Buffer.from('[1,2,3]')])
  const bytes = own([Buffer.from('['), Buffer.from('1')])
  t.equal(bytes.toString('latin1'), '[1\0')
  t.throws(() => valueEnd(bytes, 0), problems.upstreamGarbled())
})
