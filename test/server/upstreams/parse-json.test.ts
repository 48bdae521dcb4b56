import t from 'tap'
import { problems } from '#server/errors.ts'
import { countValues, parseJson } from '#server/upstreams/parse-json.ts'

const LIMITS = { maxDepth: 3, maxValues: 6 }
const TOO_LARGE = new Error('502 upstream_too_large')
const bytesOf = (json: string) => new TextEncoder().encode(json)
const parse = (json: string) => parseJson(bytesOf(json), LIMITS)

t.test('refuses one level and one value more than allowed', async (t) => {
  t.strictSame(parse('[[[1]]]'), [[[1]]])
  t.throws(() => parse('[[[[1]]]]'), TOO_LARGE)
  t.throws(() => parse('{"a":{"b":{"c":[]}}}'), TOO_LARGE)
  t.strictSame(parse('[1,2,3,4,5,6]'), [1, 2, 3, 4, 5, 6])
  t.throws(() => parse('[1,2,3,4,5,6,7]'), TOO_LARGE)
  t.throws(() => parse('[{},{},{},{}]'), TOO_LARGE)
})

t.test('counts nothing inside strings', async (t) => {
  const text = String.raw`{"[[[[,,,,\"{{{{\\":"}],[{,,,\\\""}`
  t.equal(countValues(bytesOf(text), LIMITS), 1)
  t.strictSame(parse(text), JSON.parse(text))
})

t.test('refuses what is not JSON, also when it breaks off', async (t) => {
  for (const json of ['', '[', '{"a', '{"a":"\\', ']]]]', '\u{1F600}', '[1,,2]'])
    t.throws(() => parse(json), problems.upstreamGarbled(), json)
})

t.test('stops at the limit, however much follows', async (t) => {
  const nested = Buffer.alloc(32 * 2 ** 20, '[')
  const begun = process.cpuUsage().user
  t.throws(() => parseJson(nested, LIMITS), TOO_LARGE)
  t.ok(process.cpuUsage().user - begun < 20_000, 'reads a few bytes only')
})
