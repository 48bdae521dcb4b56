// Many short texts, kept as bytes: a hundred thousand strings would be walked by every garbage collection.
import type { BytesWriter } from './bytes.ts'

/** Some of them, one after the other in one piece of JSON. */
export interface TextsPart {
  bytes: Buffer
  /** Where each ends. */
  ends: Uint32Array
  /** Bytes from the end of one to the beginning of the next. */
  gap: number
}

export interface Texts {
  readonly count: number
  /** In bytes. */
  lengthOf(number: number): number
  copy(number: number, writer: BytesWriter): void
  read(number: number): string
}

const OPENING_BYTES = '['.length
const COMMA_BYTES = ','.length
const BRACE_BYTES = '}'.length

/**
 * The JSON of each object, made at once: a call for each would take several times as long.
 * @param objects of texts, numbers and null alone
 * @param first name of the property that each begins with: only between two objects it follows a brace unescaped
 * @param open without the closing brace, so that more can be said of it
 */
export function textsPart(objects: readonly object[], first: string, open = false): TextsPart {
  const bytes = Buffer.from(JSON.stringify(objects))
  const between = Buffer.from(`},{"${first}":`)
  const braceBytes = open ? 0 : BRACE_BYTES
  const ends = new Uint32Array(objects.length)
  let brace = 0
  for (let number = 0; number < objects.length; number += 1) {
    brace = number + 1 < objects.length ? bytes.indexOf(between, brace + 1) : bytes.length - 2
    ends[number] = brace + braceBytes
  }
  return { bytes, ends, gap: BRACE_BYTES - braceBytes + COMMA_BYTES }
}

/** All parts as one list, numbered from 0. */
export function textsOf(parts: readonly TextsPart[]): Texts {
  const count = parts.reduce((sum, { ends }) => sum + ends.length, 0)
  const [partOf, starts, ends] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  let number = 0
  for (const [index, part] of parts.entries()) {
    let start = OPENING_BYTES
    for (const end of part.ends) {
      partOf[number] = index
      starts[number] = start
      ends[number++] = end
      start = end + part.gap
    }
  }
  const bytesOf = (number: number) => (parts[partOf[number] as number] as TextsPart).bytes
  return {
    count,
    lengthOf: (number) => (ends[number] as number) - (starts[number] as number),
    copy: (number, writer) => writer.copy(bytesOf(number), starts[number], ends[number]),
    read: (number) => bytesOf(number).toString('utf8', starts[number], ends[number])
  }
}
