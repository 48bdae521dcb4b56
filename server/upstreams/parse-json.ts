// Parses the JSON of an upstream within limits. Checks the limits first, because `JSON.parse` cannot be interrupted, and its
// result may need twenty times the memory of the text (`{},{},…`).
import { problems } from '../errors.ts'

export interface JsonLimits {
  /** Maximum nesting of objects and arrays. */
  maxDepth: number
  /** Maximum sum of objects, arrays, members and elements. */
  maxValues: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = Buffer.from('[')
const CLOSING = Buffer.from(']')

/**
 * Counts objects, arrays, members and elements, without checking that the text is JSON.
 * @param json UTF-8
 * @throws a 502 problem above a limit
 */
export function countValues(json: Uint8Array, { maxDepth, maxValues }: JsonLimits): number {
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === COMMA) values += 1
    // `[` is 0x5b and `{` is 0x7b; `]` is 0x5d and `}` is 0x7d.
    else if ((byte | 0x20) === 0x7b) {
      depth += 1
      values += 1
      if (depth > maxDepth) throw problems.upstreamTooLarge(`more than ${maxDepth} levels`)
    } else if ((byte | 0x20) === 0x7d) depth -= 1
    if (values > maxValues) throw problems.upstreamTooLarge(`more than ${maxValues} values`)
  }
  return values
}

/** The index of the closing quote. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * @param json UTF-8
 * @throws a 502 problem: `upstream_too_large` above a limit, `upstream_garbled` for invalid JSON
 */
export function parseJson(json: Uint8Array, limits: JsonLimits): unknown {
  countValues(json, limits)
  try {
    return JSON.parse(new TextDecoder().decode(json))
  } catch {
    throw problems.upstreamGarbled()
  }
}

/**
 * Splits an array that is too long to be parsed at once into arrays of `elements` each; the last may be shorter.
 * Invalid JSON gives invalid parts.
 * @param json UTF-8
 * @throws a 502 problem if the text is not an array
 */
export function* arrayParts(json: Uint8Array<ArrayBuffer>, elements: number): Generator<Uint8Array> {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const first = text.indexOf(OPENING)
  const last = text.lastIndexOf(CLOSING)
  const outerText = Buffer.concat([text.subarray(0, first), text.subarray(last + 1)])
  if (first < 0 || last < first || new TextDecoder().decode(outerText).trim() !== '')
    throw problems.upstreamGarbled()
  let from = first + 1
  let depth = 0
  let count = 0
  for (let at = from; at < last; at += 1) {
    const byte = text[at] as number
    if (byte === QUOTE) at = endOfString(text, at)
    else if ((byte | 0x20) === 0x7b) depth += 1
    else if ((byte | 0x20) === 0x7d) depth -= 1
    else if (byte === COMMA && depth === 0) count += 1
    if (count < elements) continue
    yield Buffer.concat([OPENING, text.subarray(from, at), CLOSING])
    from = at + 1
    count = 0
  }
  yield Buffer.concat([OPENING, text.subarray(from, last), CLOSING])
}
