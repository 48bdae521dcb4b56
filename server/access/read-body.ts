// Reads the body of a call by its schema: JSON with only the declared fields, each given once. The access decision
// uses the same value that is forwarded. Limits the work in advance, so that no body delays other calls.
import { isUtf8 } from 'node:buffer'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { problems } from '../errors.ts'
import { fieldNames, listBounds, type PlainSchema } from './bounded.ts'
import { addressOf, type Objection, objection } from './objection.ts'

/** Returns the checked value; undefined for a missing optional body. Throws a 400 problem that names the field. */
export type BodyReader = (bytes: unknown) => unknown

/** Strings, field names, brackets and commas together. A list of a thousand complete objects has fewer. */
const TOKENS_MAX = 50_000
/** Parsing is slow for objects with many different names, and no legitimate call has so many unknown fields. */
const UNKNOWN_NAMES_MAX = 50

export function bodyReader(schema: TSchema): BodyReader {
  const compiled = Compile(schema)
  const plain = schema as PlainSchema
  const mayBeMissing = Type.IsOptional(schema)
  const names = fieldNames(plain)
  const bounds = listBounds(plain).join(', ')
  const tooMany = `The body has too many fields and values.${bounds && ` Its lists take at most: ${bounds}.`}`

  return (bytes) => {
    const given = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)
    // Decoding would replace invalid bytes (RFC 8259, section 8.1).
    if (!isUtf8(given)) throw problems.badRequest('The body must be JSON in UTF-8.')
    const text = given.toString('utf8')
    if (text === '' && mayBeMissing) return undefined
    const refused = refusalUnparsed(text, names, tooMany)
    if (refused !== null) throw problems.badRequest(refused)
    const value = parsed(text)
    if (!compiled.Check(value)) throw problems.badRequest(refusalOf(objection(plain, compiled.Errors(value))))
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
 * Refuses JSON before it is parsed: too many tokens, a field given twice, of which `JSON.parse` silently keeps the last, and
 * unpaired surrogates, which cannot be encoded in an address (RFC 7493, section 2.1). Null if it is acceptable.
 */
function refusalUnparsed(json: string, names: ReadonlySet<string>, tooMany: string): string | null {
  const open: Set<string>[] = []
  let tokens = 0
  let unknown = 0
  for (const [, text = '', colon, mark] of json.matchAll(TOKEN)) {
    tokens += 1
    if (tokens > TOKENS_MAX) return tooMany
    if (SURROGATE.test(text) && !unquoted(text).isWellFormed())
      return 'The body contains an unpaired surrogate.'
    if (colon !== undefined) {
      const name = unquoted(text)
      const fields = open.at(-1)
      if (fields?.has(name)) return `The field "${addressOf([name])}" is given twice.`
      fields?.add(name)
      if (!names.has(name)) unknown += 1
      if (unknown > UNKNOWN_NAMES_MAX) return `The field "${addressOf([name])}" is not part of this call.`
    } else if (mark === '{') open.push(new Set())
    else if (mark === '}') open.pop()
  }
  return null
}

function unquoted(text: string): string {
  return text.includes('\\') ? String(parsed(text)) : text.slice(1, -1)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problems.badRequest('The body must be JSON.')
  }
}

function refusalOf({ at, says }: Objection): string {
  return at.length === 0 ? `The body ${says}.` : `The field "${addressOf(at)}" ${says}.`
}
