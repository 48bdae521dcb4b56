import t, { type Test } from 'tap'
import Type from 'typebox'
import { bodyReader } from '#server/access/read-body.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { closed, id, link, listOf, optional, orNull, text, whole } from '#server/schemas.ts'
import { oneOf } from '#shared/answers/parts.ts'
import { hostileBodies } from './hostile-bodies.ts'

const read = bodyReader(
  closed({
    name: optional(text(5)),
    owner: optional(orNull(link('organizations'))),
    kind: optional(oneOf(['CSV', 'JSON'])),
    amount: optional(whole(1, 255)),
    things: optional(listOf(closed({ id: id(), value: optional(Type.Number()) }), 3)),
    one: optional(Type.Union([id(), closed({ id: optional(id()) })]))
  })
)
const bytes = (value: unknown) => {
  if (value === undefined || Buffer.isBuffer(value)) return value
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Expects the reader to refuse the body with this detail of at most 199 characters. */
function refuses(t: Test, body: unknown, detail: RegExp, reader = read) {
  const name = (typeof body === 'string' ? body : `${JSON.stringify(body)}`).slice(0, 60)
  try {
    reader(bytes(body))
    t.fail(`${name} is read`)
  } catch (error) {
    t.match(error, { status: 400, options: { detail } }, name)
    t.match(error, { options: { detail: /^.{1,199}$/ } }, name)
  }
}

t.test('refuses bytes that are not UTF-8', async (t) => {
  for (const json of ['"caf\xe9"', '"\xed\xa0\x80"', '"\xc3'])
    refuses(t, Buffer.from(`{"name":${json}}`, 'latin1'), /^The body must be JSON in UTF-8\.$/)
  t.strictSame(read(bytes('{"name":"café"}')), { name: 'café' })
})

t.test('refuses unpaired surrogates in names and values', async (t) => {
  for (const unit of ['\\ud800', '\\uDFFF', 'a\\udc00\\ud800', '\\ud83d\\u0041'])
    for (const body of [`{"name":"${unit}"}`, `{"${unit}":1}`, `{"things":[{"id":"${unit}"}]}`])
      refuses(t, body, /^The body contains an unpaired surrogate/)
  t.strictSame(read(bytes('{"name":"\\ud83d\\ude00"}')), { name: '😀' })
  t.strictSame(read(bytes('{"name":"\\\\ud8"}')), { name: '\\ud8' })
})

t.test('refuses an undeclared body and names the field', async (t) => {
  const cases: [body: unknown, detail: RegExp][] = [
    ['', /^The body must be JSON\.$/],
    ['{', /must be JSON/],
    ['{"name":"x"} {}', /must be JSON/],
    ['\ufeff{}', /must be JSON/],
    ['name=x', /must be JSON/],
    [[], /^The body must be an object\.$/],
    [null, /^The body must be an object\.$/],
    [{ Name: 'x' }, /^The field "Name" is not part of this call\.$/],
    ['{"__proto__":{"name":"x"}}', /^The field "__proto__" is not part of this call\.$/],
    [{ constructor: 'x' }, /^The field "constructor" is not part/],
    [{ things: [{ id: 'a' }, { id: 'b', Id: 'c' }] }, /^The field "things\/1\/Id" is not part/],
    ['{"things":[{"__proto__":{"id":"a"}}]}', /^The field "things\/0\/__proto__" is not part/],
    [{ things: [{}] }, /^The field "things\/0\/id" is needed\.$/],
    [{ things: { id: 'a' } }, /^The field "things" must be a list\.$/],
    [{ things: ['a'] }, /^The field "things\/0" must be an object\.$/],
    [{ things: 'abcd'.split('').map((id) => ({ id })) }, /^The field "things" takes at most 3 items\.$/],
    [{ name: 7 }, /^The field "name" must be text of at most 5 characters\.$/],
    [{ name: 'sixsix' }, /^The field "name" must be text of at most 5 characters\.$/],
    [{ name: ['x'] }, /"name" must be text/],
    [{ owner: '/roles/5' }, /^The field "owner" must be text such as "\/organizations\/9"\.$/],
    [{ owner: '/organizations/..' }, /"owner" must be text such as/],
    [{ owner: '/organizations/5/customers/6' }, /"owner" must be text such as/],
    [{ kind: 'csv' }, /^The field "kind" must be one of CSV, JSON\.$/],
    [{ amount: 0 }, /^The field "amount" must be a whole number from 1 to 255\.$/],
    [{ amount: 256 }, /"amount" must be a whole number/],
    [{ amount: 1.5 }, /"amount" must be a whole number/],
    [{ amount: '1' }, /"amount" must be a whole number/],
    ['{"things":[{"id":"a","value":1e999}]}', /^The field "things\/0\/value" must be a number\.$/],
    [{ one: { id: 7 } }, /^The field "one\/id" must be text such as/],
    [{ one: 7 }, /^The field "one" must be text such as "d-7"\.$/],
    [{ ['x'.repeat(60)]: 1 }, /^The field "x{60}" is not part of this call\.$/],
    [{ [`y${'x'.repeat(5000)}`]: 1 }, /^The field "yx{59}…" is not part of this call\.$/]
  ]
  for (const [body, detail] of cases) refuses(t, body, detail)
})

t.test('refuses a duplicate field at any level and in any spelling', async (t) => {
  const cases: [body: string, name: string][] = [
    ['{"name":"a","name":"b"}', 'name'],
    ['{"name":"a","name":"a"}', 'name'],
    ['{"name":"a","n\\u0061me":"b"}', 'name'],
    ['{"n\\u0061me":"a" , "n\\u0061me" : "b"}', 'name'],
    ['{"things":[{"id":"a","id":"b"}]}', 'id'],
    ['{"things":[{"id":"a"},{"id":"b"}],"things":[]}', 'things'],
    ['{"one":{"id":"a"},"name":"}","one":{}}', 'one']
  ]
  for (const [body, name] of cases) refuses(t, body, new RegExp(`^The field "${name}" is given twice\\.$`))
})

t.test('reads a declared body unchanged', async (t) => {
  const values = [
    {},
    { name: '{",}"' },
    { name: '\\"\\' },
    { name: 'name:' },
    { owner: null },
    { owner: '/organizations/c-9', kind: 'JSON', amount: 255 },
    { things: [{ id: 'id', value: -0.5 }, { id: 'name' }, { id: 'things' }] },
    { one: 'x' },
    { one: { id: 'x' }, name: 'id' }
  ]
  for (const value of values) {
    t.strictSame(read(bytes(value)), value)
    t.strictSame(read(bytes(JSON.stringify(value, null, 2))), value, 'with white space')
  }
  t.strictSame(read(bytes('{"name":"🏢🏢🏢🏢🏢"}')), { name: '🏢🏢🏢🏢🏢' }, 'limits code points')
})

t.test('reads lists from their minimum to their maximum length', async (t) => {
  const reader = bodyReader(closed({ things: listOf(id(), 3, { minItems: 2 }) }))
  refuses(t, { things: ['a'] }, /at least 2 items/, reader)
  refuses(t, { things: ['a', 7] }, /"things\/1" must be text/, reader)
  for (const body of [{ things: ['a', 'b'] }, { things: ['a', 'b', 'c'] }])
    t.strictSame(reader(bytes(body)), body)
  refuses(t, { things: ['a', 'b', 'c', 'd'] }, /at most 3 items/, reader)
})

t.test('accepts a missing body only if the schema is optional', async (t) => {
  refuses(t, undefined, /must be JSON/)
  const reader = bodyReader(optional(closed({})))
  t.equal(reader(undefined), undefined)
  t.equal(reader(Buffer.alloc(0)), undefined)
  t.strictSame(reader(bytes({})), {})
  refuses(t, { a: 1 }, /"a" is not part/, reader)
})

const HOSTILE = hostileBodies(1024 * 1024)

function readerOf(row: string) {
  const { body } = PROXY_TABLE.find(({ id }) => id === row) ?? {}
  if (!body) throw new Error(`there is no row ${row} with a body`)
  return bodyReader(body)
}

t.test('refuses bodies that are slow to read', async (t) => {
  for (const row of ['users.change-roles', 'control.acknowledge-alarm-batch', 'exports.create'])
    for (const body of Object.values(HOSTILE)) refuses(t, body, /./, readerOf(row))
})

t.test('names the list limits for a body that has too many parts', async (t) => {
  const reader = readerOf('users.change-roles')
  const limits = /too many fields and values.*create 100, update 100, delete 100/
  refuses(t, HOSTILE['many changes'], limits, reader)
  const items = (count: number) => ({ delete: Array.from({ length: count }, (_, index) => `ra-${index}`) })
  refuses(t, items(101), /^The field "delete" takes at most 100 items\.$/, reader)
  t.strictSame(reader(bytes(items(100))), items(100))
})

t.test('reads the longest lists of a call', async (t) => {
  const alarmUuids = Array.from({ length: 10 }, (_, index) => `6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e8${index}`)
  const batch = Array.from({ length: 1000 }, (_, index) => ({
    ...{ deviceId: `d-${index}`, alarmUuids, requestProcessingPriority: 255 }
  }))
  t.strictSame(readerOf('control.acknowledge-alarm-batch')(bytes(batch)), batch)
})

t.test('refuses a body of more than 50,000 parts', async (t) => {
  refuses(t, '['.repeat(50_001), /too many fields and values/)
  refuses(t, '['.repeat(50_000), /^(?!.*more parts)/)
})

t.test('names the first undeclared field, or the 51st of more than 50', async (t) => {
  const undeclaredFields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]))
  refuses(t, undeclaredFields(50), /^The field "x0" is not part of this call\.$/)
  refuses(t, undeclaredFields(51), /^The field "x50" is not part of this call\.$/)
})
