// Reads the query of a call by its schema: only declared parameters, each once unless it is a list. The access rules use the
// result, and the query for the upstream is built from it.
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { problems } from '../errors.ts'
import { once } from '../once.ts'
import { CLAIM, closed } from '../schemas.ts'
import type { PlainSchema } from './bounded.ts'
import { addressOf, type Objection, objection } from './objection.ts'

type Query = Record<string, unknown>

export type QueryReader = ReturnType<typeof queryReader>

export function queryReader(schema: TObject = closed({})) {
  const compiled = once(() => Compile(schema))
  const plain = schema as PlainSchema
  const properties = new Map<string, PlainSchema & { [CLAIM]?: true }>(Object.entries(plain.properties ?? {}))
  const defaults = Object.fromEntries(
    [...properties]
      .filter(([, property]) => property.default !== undefined)
      .map(([name, property]) => [name, property.default])
  )

  return {
    /** The values by name, with defaults. Throws a 400 problem that names the parameter. */
    read(query: unknown): Query {
      // The object has no prototype, so that `__proto__` is an ordinary name.
      const values: Query = Object.assign(Object.create(null), defaults)
      for (const [name, value] of Object.entries(query as Query))
        values[name] = toDeclaredType(properties.get(name), value)
      if (!compiled().Check(values)) throw refusal(values, objection(plain, compiled().Errors(values)))
      return values
    },
    /** The query for an upstream, `?…` or empty, without claims. */
    write(values: Query): string {
      let query = ''
      for (const [name, value] of Object.entries(values)) {
        if (properties.get(name)?.[CLAIM]) continue
        for (const item of Array.isArray(value) ? value : [value])
          query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(String(item))}`
      }
      return query
    }
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false]
])

/** The text as a value of the declared type; unchanged if the text does not fit. */
function toDeclaredType(declared: PlainSchema | undefined, text: unknown): unknown {
  if (declared?.type === 'array') return [text].flat().map((item) => toDeclaredType(declared.items, item))
  if (typeof text !== 'string' || declared === undefined) return text
  if (declared.type === 'integer') return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
  if (declared.type === 'boolean') return BOOLEANS.get(text) ?? text
  // Null, which the schema rejects, because an unpaired surrogate cannot be encoded in UTF-8.
  return text.isWellFormed() ? text : null
}

function refusal(values: Query, { at, says }: Objection) {
  const [name = ''] = at
  const where = `The parameter "${addressOf([name])}"`
  const isRepeated = Array.isArray(values[name]) && at.length === 1 && says.startsWith('must')
  return problems.badRequest(`${where} ${isRepeated ? 'must be given once' : says}.`)
}
