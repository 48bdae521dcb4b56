import t from 'tap'
import Type, { type TSchema } from 'typebox'
import { fieldNames, idFields, listBounds, openPart, type PlainSchema } from '#server/access/bounded.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import {
  closed,
  id,
  link,
  listOf,
  oneOf,
  optional,
  orNull,
  roleLink,
  text,
  time,
  whole
} from '#server/schemas.ts'

const open = (schema: TSchema) => openPart(schema as PlainSchema)

t.test('a schema that takes more than it says is open, and where is told', async (t) => {
  const within = (part: TSchema) => closed({ things: optional(listOf(closed({ a: part }), 3)) })
  const cases: [schema: TSchema, told: RegExp][] = [
    [Type.Object({}), /^it takes undeclared fields$/],
    [Type.Object({}, { additionalProperties: true }), /undeclared fields/],
    [within(Type.Object({ b: text(1) })), /^things\/items\/a takes undeclared fields$/],
    [within(Type.Array(text(1))), /^things\/items\/a takes any number of items$/],
    [within(listOf(Type.String(), 3)), /^things\/items\/a\/items takes text of any length$/],
    [within(Type.String({ pattern: '^a*$' })), /takes text of any length/],
    [within(Type.String({ format: 'date-time' })), /takes text of any length/],
    [within(Type.Integer()), /takes any number$/],
    [within(Type.Integer({ minimum: 0 })), /takes any number$/],
    [within(Type.Unknown()), /takes anything$/],
    [within(Type.Any()), /takes anything$/],
    [within(Type.Record(Type.String(), text(1))), /undeclared fields/],
    [within(Type.Unsafe({ type: ['string', 'null'] })), /takes anything$/],
    [within(orNull(Type.String())), /^things\/items\/a\/anyOf\/0 takes text of any length$/]
  ]
  for (const [schema, told] of cases) t.match(open(schema), told)
})

t.test('the parts that rows are made of are closed', async (t) => {
  for (const part of [
    text(3),
    id(),
    link('projects'),
    roleLink,
    time(),
    whole(0, 9),
    oneOf(['a']),
    orNull(id())
  ])
    t.equal(open(closed({ part: optional(part) })), null)
  t.equal(open(listOf(closed({}), 3)), null)
})

t.test('fields, identifiers and lists of a schema are found at every level', async (t) => {
  const schema = closed({
    project: link('projects'),
    role: roleLink,
    name: text(9),
    points: listOf(closed({ cloudId: optional(id()), name: text(9) }), 7),
    device: Type.Union([id(), closed({ deviceUuid: id() })])
  }) as PlainSchema
  t.strictSame(idFields(schema), ['project', 'cloudId', 'device', 'deviceUuid'])
  t.strictSame(listBounds(schema), ['points 7'])
  t.strictSame(listBounds(listOf(id(), 3) as PlainSchema), ['items 3'])
  t.strictSame(
    [...fieldNames(schema)].sort(),
    ['cloudId', 'device', 'deviceUuid', 'name', 'points', 'project', 'role'].sort()
  )
})

t.test('what rows name like an identifier is one', async (t) => {
  // Kinds of things, and the label of a host, which are told by words and numbers.
  const kinds = ['metricsId', 'eventTypeId', 'hostId']
  for (const { id: row, query, body } of PROXY_TABLE)
    for (const schema of [query ?? [], body ?? []].flat()) {
      const named = [...fieldNames(schema as PlainSchema)].filter((name) => /(?:Id|Uuid|Guid)s?$/.test(name))
      const found = idFields(schema as PlainSchema)
      t.strictSame(
        named.filter((name) => !found.includes(name) && !kinds.includes(name)),
        [],
        row
      )
    }
})
