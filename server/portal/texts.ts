// Many short texts, kept as bytes: a hundred thousand strings would be walked by every garbage collection.
import type { BytesWriter } from './bytes.ts'

/** Some of them in one piece of text, and where each stands in it. */
export interface TextsPart {
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
}

export interface Texts {
  readonly count: number
  /** In bytes. */
  lengthOf(number: number): number
  copy(number: number, writer: BytesWriter): void
  read(number: number): string
}

/** Between two objects of a list, and nowhere else: within a text a quote stands behind a backslash. */
const BETWEEN = '},{"'

/**
 * Objects without objects in them, as JSON; all written in one go, which takes less than one after the other.
 * @param left the bytes that are left out of the end of each
 */
export function textsPart(objects: readonly object[], left = 0): TextsPart {
  const text = JSON.stringify(objects)
  const bytes = Buffer.from(text)
  const [starts, ends] = [new Uint32Array(objects.length), new Uint32Array(objects.length)]
  // Where no character takes two bytes, the text itself is looked through, which is faster.
  const searched = bytes.length === text.length ? text : bytes
  let start = 1
  for (let number = 0; number < objects.length; number += 1) {
    const next = searched.indexOf(BETWEEN, start)
    const end = next < 0 ? bytes.length - 1 : next + 1
    starts[number] = start
    ends[number] = end - left
    start = end + 1
  }
  return { bytes, starts, ends }
}

/** All parts as one list, numbered from 0. */
export function textsOf(parts: readonly TextsPart[]): Texts {
  const count = parts.reduce((sum, { ends }) => sum + ends.length, 0)
  const [partOf, starts, ends] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  let number = 0
  for (const [index, part] of parts.entries()) {
    partOf.fill(index, number, number + part.ends.length)
    starts.set(part.starts, number)
    ends.set(part.ends, number)
    number += part.ends.length
  }
  const bytesOf = (number: number) => (parts[partOf[number] as number] as TextsPart).bytes
  return {
    count,
    lengthOf: (number) => (ends[number] as number) - (starts[number] as number),
    copy: (number, writer) => writer.copy(bytesOf(number), starts[number], ends[number]),
    read: (number) => bytesOf(number).toString('utf8', starts[number], ends[number])
  }
}
