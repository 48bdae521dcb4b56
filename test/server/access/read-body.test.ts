import t, { type Test } from 'tap'
import Type from 'typebox'
import { bodyReader } from '#server/access/read-body.ts'
import { Problem } from '#server/errors.ts'
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
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

function refused(t: Test, work: () => unknown, detail: RegExp, name: string) {
  try {
    work()
    t.fail(`${name} is read`)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    t.equal(error.status, 400, name)
    t.match(error.options.detail, detail, name)
    t.ok((error.options.detail ?? '').length < 200, 'briefly')
  }
}

t.test('refuses bytes that are not UTF-8', (t) => {
  for (const broken of ['"caf\xe9"', '"\xed\xa0\x80"', '"\xc3']) {
    const body = Buffer.from(`{"name":${broken}}`, 'latin1')
    refused(t, () => read(body), /^The body must be JSON in UTF-8\.$/, JSON.stringify(broken))
  }
  t.strictSame(read(Buffer.from('{"name":"café"}')), { name: 'café' })
  t.end()
})

t.test('refuses half of a surrogate pair in names and values', (t) => {
  for (const half of ['\\ud800', '\\uDFFF', 'a\\udc00\\ud800', '\\ud83d\\u0041'])
    for (const body of [`{"name":"${half}"}`, `{"${half}":1}`, `{"things":[{"id":"${half}"}]}`])
      refused(t, () => read(Buffer.from(body)), /^The body holds half of a pair/, body)
  t.strictSame(read(Buffer.from('{"name":"\\ud83d\\ude00"}')), { name: '😀' })
  t.strictSame(read(Buffer.from('{"name":"\\\\ud8"}')), { name: '\\ud8' })
  t.end()
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
    [{ one: 7 }, /^The field "one" must be text such as "d-7" or an object\.$/],
    [{ ['x'.repeat(60)]: 1 }, /^The field "x{60}" is not part of this call\.$/],
    [{ [`y${'x'.repeat(5000)}`]: 1 }, /^The field "yx{59}…" is not part of this call\.$/]
  ]
  for (const [body, detail] of cases)
    refused(t, () => read(bytes(body)), detail, JSON.stringify(body).slice(0, 60))
})

t.test('refuses a field given twice, at any level and in any spelling', async (t) => {
  const cases: [body: string, name: string][] = [
    ['{"name":"a","name":"b"}', 'name'],
    ['{"name":"a","name":"a"}', 'name'],
    ['{"name":"a","n\\u0061me":"b"}', 'name'],
    ['{"n\\u0061me":"a" , "n\\u0061me" : "b"}', 'name'],
    ['{"things":[{"id":"a","id":"b"}]}', 'id'],
    ['{"things":[{"id":"a"},{"id":"b"}],"things":[]}', 'things'],
    ['{"one":{"id":"a"},"name":"}","one":{}}', 'one']
  ]
  for (const [body, name] of cases)
    refused(t, () => read(bytes(body)), new RegExp(`^The field "${name}" is given twice\\.$`), body)
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
  t.strictSame(read(bytes('{"name":"🏢🏢🏢🏢🏢"}')), { name: '🏢🏢🏢🏢🏢' }, 'characters are counted')
})

t.test('takes a list from its least to its greatest length', (t) => {
  const readList = bodyReader(closed({ things: listOf(id(), 3, { minItems: 2 }) }))
  refused(t, () => readList(bytes({ things: ['a'] })), /at least 2 items/, 'one')
  refused(
    t,
    () => readList(bytes({ things: ['a', 7] })),
    /"things\/1" must be text/,
    'two, of which one is wrong'
  )
  for (const things of [
    ['a', 'b'],
    ['a', 'b', 'c']
  ])
    t.strictSame(readList(bytes({ things })), { things })
  refused(t, () => readList(bytes({ things: ['a', 'b', 'c', 'd'] })), /at most 3 items/, 'four')
  t.end()
})

t.test('accepts a missing body only where the schema says so', async (t) => {
  refused(t, () => read(undefined), /must be JSON/, 'none')
  const free = bodyReader(optional(closed({})))
  t.equal(free(undefined), undefined)
  t.equal(free(Buffer.alloc(0)), undefined)
  t.strictSame(free(bytes({})), {})
  refused(t, () => free(bytes({ a: 1 })), /"a" is not part/, 'a field')
})

const MEGABYTE = 1024 * 1024
const HOSTILE = hostileBodies(MEGABYTE)

t.test('refuses bodies made to hold up the reader', async (t) => {
  const rows = ['users.change-roles', 'control.acknowledge-alarm-batch', 'exports.create']
  for (const { id, body } of PROXY_TABLE.filter((row) => rows.includes(row.id))) {
    const reader = bodyReader(body as NonNullable<typeof body>)
    for (const [name, hostile] of Object.entries(HOSTILE))
      refused(t, () => reader(Buffer.from(hostile)), /./, `${id}: ${name}`)
  }
})
t.test('names the bounds of the lists when there are too many parts', async (t) => {
  const row = PROXY_TABLE.find((one) => one.id === 'users.change-roles')
  if (!row?.body) return t.fail('there is no such row')
  const body = HOSTILE['many changes'] ?? ''
  const reader = bodyReader(row.body)
  refused(
    t,
    () => reader(bytes(body)),
    /more parts than any call.*create 100, update 100, delete 100/,
    'changes'
  )
  const items = (count: number) => ({ delete: Array.from({ length: count }, (_, index) => `ra-${index}`) })
  refused(
    t,
    () => reader(bytes(items(101))),
    /^The field "delete" takes at most 100 items\.$/,
    'a hundred and one'
  )
  t.strictSame(reader(bytes(items(100))), items(100))
})

t.test('reads the longest lists of a call', async (t) => {
  const row = PROXY_TABLE.find((one) => one.id === 'control.acknowledge-alarm-batch')
  if (!row?.body) return t.fail('there is no such row')
  const alarmUuids = Array.from({ length: 10 }, (_, index) => `6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e8${index}`)
  const batch = Array.from({ length: 1000 }, (_, index) => ({
    deviceId: `d-${index}`,
    alarmUuids,
    requestProcessingPriority: 255
  }))
  t.strictSame(bodyReader(row.body)(bytes(batch)), batch)
})

t.test('looks at fifty thousand parts', async (t) => {
  refused(t, () => read(bytes('['.repeat(50_001))), /more parts than any call/, 'one more')
  refused(t, () => read(bytes('['.repeat(50_000))), /^(?!.*more parts)/, 'as many as are looked at')
})

t.test('looks at fifty unknown names and names the first', async (t) => {
  const unknown = (count: number) =>
    bytes(Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index])))
  refused(
    t,
    () => read(unknown(50)),
    /^The field "x0" is not part of this call\.$/,
    'as many as are looked at'
  )
  refused(t, () => read(unknown(51)), /^The field "x50" is not part of this call\.$/, 'one more')
})
