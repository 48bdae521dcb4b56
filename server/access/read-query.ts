// Reads the query of a call by its schema: the declared parameters, each once unless it is a list, in their own types. Its
// result is decided on, and written anew for the upstream.
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { problems } from '../errors.ts'
import { CLAIM, closed } from '../schemas.ts'
import type { PlainSchema } from './bounded.ts'
import { addressOf, objection } from './objection.ts'

type Query = Record<string, unknown>

export interface QueryReader {
  /** The values by name, with the defaults of those that are missing. Throws a 400 problem that names the parameter. */
  read(query: unknown): Query
  /** `?…` of the values for an upstream; empty without any. A claim stays here. */
  write(values: Query): string
}

export function queryReader(schema: TObject = closed({})): QueryReader {
  const compiled = Compile(schema)
  const plain = schema as PlainSchema
  const properties: Record<string, PlainSchema & { [CLAIM]?: true }> = plain.properties ?? {}
  const defaults = Object.entries(properties).filter(([, one]) => one.default !== undefined)

  return {
    read(query) {
      const given = Object.entries(query as Query).map(([name, told]) => {
        const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
        return [name, declared ? typed(declared, told) : told] as const
      })
      const values = Object.fromEntries([
        ...defaults.map(([name, one]) => [name, one.default] as const),
        ...given
      ])
      if (!compiled.Check(values)) throw refusal(plain, values)
      return values
    },
    write(values) {
      const pairs = Object.entries(values)
        .filter(([name]) => properties[name]?.[CLAIM] === undefined)
        .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`))
      return pairs.length === 0 ? '' : `?${pairs.join('&')}`
    }
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false]
])

/** The told text as a value of the declared type; as it is when it is none. */
function typed(declared: PlainSchema, told: unknown): unknown {
  if (declared.type === 'array') return [told].flat().map((one) => typed(declared.items ?? {}, one))
  if (typeof told !== 'string') return told
  if (declared.type === 'integer') return /^(?:0|[1-9]\d{0,14})$/.test(told) ? Number(told) : told
  if (declared.type === 'boolean') return BOOLEANS.get(told) ?? told
  // Half of a pair of surrogates cannot be written as UTF-8.
  return told.isWellFormed() ? told : null
}

function refusal(schema: PlainSchema, values: Query) {
  const { at = [], says = 'is not as described' } = objection(schema, values) ?? {}
  const [name = ''] = at
  const told = `querystring/${addressOf([name])}`
  const isTwice = Array.isArray(values[name]) && at.length === 1 && says.startsWith('must')
  return problems.badRequest(`${told} ${isTwice ? 'must be given once' : says}.`)
}
