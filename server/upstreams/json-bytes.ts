// JSON as bytes, walked strictly (RFC 8259) without anything being made of it: a large list is read and written again in
// half the time that objects of it take, and leaves little to collect. Bytes are those of `walkableBytes`; whatever is no
// JSON throws a 502 problem.
import { problems } from '../errors.ts'

export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const OBJECT = 0x7b
export const OBJECT_END = 0x7d
export const LIST = 0x5b
export const LIST_END = 0x5d
const COLON = 0x3a
const SPACE = 0x20
const U = 0x75

/** No upstream nests as deep. */
const DEPTH_MAX = 64
/** 1 for each byte that a text has as it is. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH)
)
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'))
const HEX = /^[\da-f]{4}$/i
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Gives chunks as bytes to be walked, good until the next ones are given: with a zero behind them, which stands nowhere in
 * JSON, so that every walk ends there. A look beyond the end of a buffer would make all looks from then on slower.
 */
export function walkableBytes(): (chunks: readonly Buffer[]) => Buffer {
  let room = Buffer.alloc(0)
  return (chunks) => {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    if (length >= room.length) room = Buffer.allocUnsafeSlow(Math.max(length + 1, room.length * 2))
    let at = 0
    for (const chunk of chunks) at += chunk.copy(room, at)
    room[at] = 0
    return room.subarray(0, at + 1)
  }
}

/** Where white space ends. */
export function spaceEnd(bytes: Buffer, from: number): number {
  let at = from
  while (isSpace(bytes[at] as number)) at += 1
  return at
}

const isSpace = (byte: number) => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Where a text ends, quotes included. */
export function textEnd(bytes: Buffer, from: number): number {
  if (bytes[from] !== QUOTE) throw problems.upstreamGarbled()
  let at = from + 1
  for (;;) {
    const byte = bytes[at] as number
    if (IS_PLAIN[byte] === 1) at += 1
    else if (byte === QUOTE) return at + 1
    else if (byte === BACKSLASH) at = escapeEnd(bytes, at)
    else throw problems.upstreamGarbled()
  }
}

function escapeEnd(bytes: Buffer, at: number): number {
  const kind = bytes[at + 1] as number
  if (ESCAPES.has(kind)) return at + 2
  if (kind === U && HEX.test(bytes.toString('latin1', at + 2, at + 6))) return at + 6
  throw problems.upstreamGarbled()
}

/** Where the value of a member begins, given where its name ended. */
export function valueStart(bytes: Buffer, nameEnd: number): number {
  const at = spaceEnd(bytes, nameEnd)
  if (bytes[at] !== COLON) throw problems.upstreamGarbled()
  return spaceEnd(bytes, at + 1)
}

/** Where a value ends, whatever it is. */
export function valueEnd(bytes: Buffer, from: number, depth = 0): number {
  const byte = bytes[from] as number
  if (byte === QUOTE) return textEnd(bytes, from)
  if (byte !== OBJECT && byte !== LIST) return wordEnd(bytes, from)
  if (depth === DEPTH_MAX) throw problems.upstreamGarbled()
  const end = byte === OBJECT ? OBJECT_END : LIST_END
  let at = spaceEnd(bytes, from + 1)
  if (bytes[at] === end) return at + 1
  for (;;) {
    if (byte === OBJECT) at = valueStart(bytes, textEnd(bytes, at))
    at = spaceEnd(bytes, valueEnd(bytes, at, depth + 1))
    if (bytes[at] === end) return at + 1
    if (bytes[at] !== COMMA) throw problems.upstreamGarbled()
    at = spaceEnd(bytes, at + 1)
  }
}

/** Of a number, true, false or null. */
function wordEnd(bytes: Buffer, from: number): number {
  let at = from
  while (isOfWord(bytes[at] as number)) at += 1
  const word = bytes.toString('latin1', from, at)
  if (word !== 'null' && word !== 'true' && word !== 'false' && !NUMBER.test(word))
    throw problems.upstreamGarbled()
  return at
}

/** Letters, digits, signs and the point. */
function isOfWord(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x2d && byte <= 0x39) || byte === 0x2b || byte === 0x45
}

/** Where the value of that member of an object begins; -1 when there is none, or no object. */
export function memberStart(bytes: Buffer, from: number, name: string): number {
  let at = spaceEnd(bytes, from)
  if (bytes[at] !== OBJECT) return -1
  do {
    at = spaceEnd(bytes, at + 1)
    if (bytes[at] === OBJECT_END) return -1
    const nameEnd = textEnd(bytes, at)
    const own: string = JSON.parse(bytes.toString('utf8', at, nameEnd))
    at = valueStart(bytes, nameEnd)
    if (own === name) return at
    at = spaceEnd(bytes, valueEnd(bytes, at))
  } while (bytes[at] === COMMA)
  return -1
}
