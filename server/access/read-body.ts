// Reads the body of a call by its schema: JSON with only the declared fields, each given once. The access decision
// uses the same value that is forwarded. Limits the work in advance, so that no body delays other calls.
import { isUtf8 } from 'node:buffer'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { problems } from '../errors.ts'
import { once } from '../once.ts'
import { fieldNames, listBounds, type PlainSchema } from './bounded.ts'
import { addressOf, type Objection, objection } from './objection.ts'

/** Returns the checked value; undefined for a missing optional body. Throws a 400 problem that names the field. */
export type BodyReader = (bytes: unknown) => unknown

/** Maximum number of strings, field names, brackets and commas together. A list of a thousand complete objects has fewer. */
const TOKENS_MAX = 50_000
/** Maximum number of unknown fields, more than in any legitimate call. Parsing many different names is slow. */
const UNKNOWN_NAMES_MAX = 50

export function bodyReader(schema: TSchema): BodyReader {
  const compiled = once(() => Compile(schema))
  const plain = schema as PlainSchema
  const mayBeMissing = Type.IsOptional(schema)
  const names = fieldNames(plain)
  const bounds = listBounds(plain).join(', ')
  const tooMany = `The body has too many fields and values.${bounds && ` Its lists take at most: ${bounds}.`}`

  return (bytes) => {
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)
    // Decoding would replace invalid bytes (RFC 8259, section 8.1).
    if (!isUtf8(buffer)) throw problems.badRequest('The body must be JSON in UTF-8.')
    const text = buffer.toString('utf8')
    if (text === '' && mayBeMissing) return undefined
    const refusal = refusalBeforeParsing(text, names, tooMany)
    if (refusal !== null) throw problems.badRequest(refusal)
    const value = parse(text)
    if (!compiled().Check(value))
      throw problems.badRequest(refusalOf(objection(plain, compiled().Errors(value))))
    return value
  }
}

/**
 * Matches the next string, with its colon if it is a field name, or the next bracket or comma. Stops at an unterminated string, so
 * that all matches together take linear time.
 */
const TOKEN = /[^"{}[,]*(?:("[^"\\]*(?:\\.[^"\\]*)*")(?:\s*(:))?|([{}[,]))/gsy

/** A `\\u` escape of a surrogate. Unescaped surrogates are not valid UTF-8, which is checked before. */
const SURROGATE = /\\u[dD][89a-fA-F]/

/**
 * The reason to refuse JSON before parsing: too many tokens; a repeated field, because `JSON.parse` silently uses the last;
 * or an unpaired surrogate, which a URL cannot contain (RFC 7493, section 2.1). Null for acceptable JSON.
 */
function refusalBeforeParsing(json: string, names: ReadonlySet<string>, tooMany: string): string | null {
  const openObjects: Set<string>[] = []
  let tokens = 0
  let unknowns = 0
  for (const [, text = '', colon, mark] of json.matchAll(TOKEN)) {
    tokens += 1
    if (tokens > TOKENS_MAX) return tooMany
    if (SURROGATE.test(text) && !unquote(text).isWellFormed())
      return 'The body contains an unpaired surrogate.'
    if (colon !== undefined) {
      const name = unquote(text)
      const fields = openObjects.at(-1)
      if (fields?.has(name)) return `The field "${addressOf([name])}" is given twice.`
      fields?.add(name)
      if (!names.has(name)) unknowns += 1
      if (unknowns > UNKNOWN_NAMES_MAX) return `The field "${addressOf([name])}" is not part of this call.`
    } else if (mark === '{') openObjects.push(new Set())
    else if (mark === '}') openObjects.pop()
  }
  return null
}

function unquote(text: string): string {
  return text.includes('\\') ? String(parse(text)) : text.slice(1, -1)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problems.badRequest('The body must be JSON.')
  }
}

function refusalOf({ at, says }: Objection): string {
  return at.length === 0 ? `The body ${says}.` : `The field "${addressOf(at)}" ${says}.`
}
