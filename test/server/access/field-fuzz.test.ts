// Generates bodies and queries for the proxy table, with random changes. Each must be refused or read unchanged.
import querystring from 'node:querystring'
import t from 'tap'
import { bodyReader } from '#server/access/read-body.ts'
import { queryReader } from '#server/access/read-query.ts'
import { Problem } from '#server/errors.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { type Random, randomFrom } from '#test/sandbox/seed/random.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20261122)
const RUNS_PER_ROW = 200

interface Shape {
  type?: string
  enum?: unknown[]
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  minItems?: number
  minimum?: number
  examples?: unknown[]
}

function valueFor(shape: Shape, random: Random): unknown {
  const { type, enum: choices, anyOf, examples, properties = {}, required = [], items = {} } = shape
  if (choices ?? examples) return random.pick(choices ?? examples ?? [])
  if (anyOf) return valueFor(random.pick(anyOf), random)
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name) || random.below(4) > 0)
        .map(([name, part]) => [name, valueFor(part, random)])
    )
  const length = (shape.minItems ?? 0) + random.below(2)
  if (type === 'array') return Array.from({ length }, () => valueFor(items, random))
  if (type === 'string') return `x${random.below(9)}`
  if (type === 'integer' || type === 'number') return (shape.minimum ?? 0) + random.below(5)
  return type === 'boolean' ? random.below(2) === 0 : null
}

/** Names of a value's fields that the schema does not declare. */
function undeclaredNames(shape: Shape, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const shapes = shape.anyOf ?? [shape]
  if (Array.isArray(value)) return value.flatMap((item) => undeclaredNames(shapes[0]?.items ?? {}, item))
  const declared = new Map(shapes.flatMap(({ properties = {} }) => Object.entries(properties)))
  return Object.entries(value).flatMap(([name, part]) =>
    declared.has(name) ? undeclaredNames(declared.get(name) ?? {}, part) : [name]
  )
}

type Fields = Record<string, unknown>
type Change = (value: unknown, random: Random) => unknown

function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(partsOf)]
}
const inObject =
  (change: (fields: Fields, name: string, random: Random) => void): Change =>
  (value, random) => {
    const objects = partsOf(value).filter((part) => !Array.isArray(part)) as Fields[]
    const fields = objects.length > 0 ? random.pick(objects) : {}
    change(fields, random.pick(['x', ...Object.keys(fields)]), random)
    return value
  }
const put = (fields: Fields, name: string, value: unknown) =>
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })

const OTHER_NAMES = ['__proto__', 'constructor', 'toString', 'OrganizationId', 'x', ''] as const
const OTHER_VALUES = [null, true, -1, 1.5, 'x', '', '/organizations/5', [], {}, [['x']], 'x'.repeat(5000)]
const otherCase = (name: string, random: Random) =>
  random.pick([name.toUpperCase(), name.charAt(0).toUpperCase() + name.slice(1), `${name} `, `${name}\0`])

const CHANGES: Change[] = [
  inObject((fields, name, random) => put(fields, otherCase(name, random), fields[name] ?? 'x')),
  inObject((fields, _name, random) => put(fields, random.pick(OTHER_NAMES), random.pick(OTHER_VALUES))),
  inObject((fields, name, random) => put(fields, name, random.pick(OTHER_VALUES))),
  inObject((fields, name) => put(fields, name, [fields[name]])),
  inObject((fields, name) => put(fields, name, { [name]: fields[name] })),
  (value, random) => {
    const list = random.pick([[], ...partsOf(value).filter(Array.isArray)])
    if (list.length > 0) list.push(...Array.from({ length: 1000 }, () => list[0]))
    return value
  },
  (value, random) => random.pick([[value], { body: value }, null, 'x', 7])
]
const TEXT_CHANGES: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/"(\w+)":/, '"$1":null,"$1":'),
  (text) => text.replace(/"(\w)(\w*)":/, (all, first, rest) => `"\\u00${hex(first)}${rest}":null,${all}`),
  (text) => `${text} ${text}`,
  (text) => text.slice(0, -1),
  (text) => `\ufeff${text}`
]
const hex = (letter: string) => letter.charCodeAt(0).toString(16)

/** The result of the work, or null if the work fails with 400. */
function read(work: () => unknown): { value: unknown } | null {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return null
    throw error
  }
}

t.test('reads only declared fields of a body, unchanged', async (t) => {
  const random = randomFrom(SEED)
  for (const { id, body } of PROXY_TABLE) {
    if (body === undefined) continue
    const [shape, reader] = [body as Shape, bodyReader(body)]
    for (let index = 0; index < RUNS_PER_ROW; index += 1) {
      const validJson = JSON.stringify(valueFor(shape, random))
      const changedJson = JSON.stringify(random.pick(CHANGES)(JSON.parse(validJson), random))
      const changedInput = random.pick(TEXT_CHANGES)(changedJson)
      t.strictSame(reader(Buffer.from(validJson)), JSON.parse(validJson), `${id}: ${validJson}`)
      const result = read(() => reader(Buffer.from(changedInput)))
      // Some calls accept an empty body.
      if (result === null || changedInput === '') continue
      // Serializing drops duplicate fields.
      if (changedInput !== JSON.stringify(result.value) || undeclaredNames(shape, result.value).length > 0)
        t.fail(`${id} reads ${changedInput.slice(0, 200)} as ${JSON.stringify(result.value)}`)
    }
  }
})

t.test('reads only declared parameters of a query, and serializes them unchanged', async (t) => {
  const random = randomFrom(SEED)
  for (const { id, query } of PROXY_TABLE) {
    const shape = (query ?? { properties: {} }) as Shape & { properties: Record<string, Shape> }
    const reader = queryReader(query)
    const claims = Object.keys(shape.properties).filter((name) => reader.write({ [name]: 'x' }) === '')
    const roundTrip = (text: string) => reader.write(reader.read({ ...querystring.parse(text) }) as Fields)
    for (let index = 0; index < RUNS_PER_ROW; index += 1) {
      const pairs = Object.entries(valueFor({ ...shape, type: 'object' }, random) as Fields).flatMap(
        ([name, value]) => [value].flat().map((item) => [name, String(item)] as [string, string])
      )
      const forwarded = pairs.filter(([name]) => !claims.includes(name))
      const result = new URLSearchParams(roundTrip(`${new URLSearchParams(pairs)}`))
      for (const pair of forwarded) if (!result.getAll(pair[0]).includes(pair[1])) t.fail(`${id}: ${pair}`)
      const [name, value] = random.pick([['x', '1'] as [string, string], ...pairs])
      const isList = shape.properties[name]?.type === 'array'
      const extraPairs: [name: string, value: string][] = [
        [random.pick(OTHER_NAMES), '1'],
        [otherCase(name, random), value],
        [`${name}[]`, value],
        ...(isList ? [] : [[name, value] as [string, string]])
      ]
      const extras = name === 'x' ? extraPairs.slice(0, 3) : extraPairs
      const changedInput = new URLSearchParams([...pairs, random.pick(extras)])
      t.throws(() => roundTrip(`${changedInput}`), /400/, `${id}: ${changedInput}`)
    }
  }
})
