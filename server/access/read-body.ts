// Reads the body of a call by its schema: JSON of exactly the declared fields, each given once. What it gives is what is
// decided on and sent. Work is bounded before it begins: no body of the size that is let in holds up other calls.
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { problems } from '../errors.ts'
import { listBounds, type PlainSchema } from './bounded.ts'
import { addressOf, objection } from './objection.ts'

/** Gives the checked value; undefined where the call may go without a body. Throws a 400 problem that names the field. */
export type BodyReader = (bytes: unknown) => unknown

/** Several times what the longest lists of §7 come to. Parsing more of them takes longer than a call may hold the loop. */
const VALUES_MAX = 20_000

export function bodyReader(schema: TSchema): BodyReader {
  const compiled = Compile(schema)
  const plain = schema as PlainSchema
  const mayBeMissing = Type.IsOptional(schema)
  const bounds = listBounds(plain).join(', ')
  const tooMany = `The body holds more than ${VALUES_MAX} values.${bounds && ` Its lists take at most: ${bounds}.`}`

  return (bytes) => {
    const text = Buffer.isBuffer(bytes) ? bytes.toString('utf8') : ''
    if (text === '' && mayBeMissing) return undefined
    if (holdsMoreThan(VALUES_MAX, text)) throw problems.badRequest(tooMany)
    const value = parsed(text)
    if (!compiled.Check(value)) throw refusal(plain, value)
    const repeated = repeatedField(text)
    if (repeated !== null) throw problems.badRequest(`The field "${addressOf([repeated])}" is given twice.`)
    return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problems.badRequest('The body must be JSON.')
  }
}

function refusal(schema: PlainSchema, value: unknown) {
  const { at = [], says = 'is not as described' } = objection(schema, value) ?? {}
  return problems.badRequest(at.length === 0 ? `The body ${says}.` : `The field "${addressOf(at)}" ${says}.`)
}

/** Each value but the first follows one of these; those within texts count too. */
function holdsMoreThan(most: number, text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(/[,[{]/g)) {
    count += 1
    if (count > most) return true
  }
  return false
}

/** A text, and whether it is the name of a field; or where an object begins or ends. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*(:))?|[{}]/g

/** The first field that one object of the JSON has twice: of two values, `JSON.parse` keeps the last in silence. */
function repeatedField(json: string): string | null {
  const open: Set<string>[] = []
  for (const [token, colon] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1))
      const fields = open.at(-1)
      if (fields?.has(name)) return name
      fields?.add(name)
    }
  }
  return null
}
