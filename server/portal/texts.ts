// Many short texts, kept as bytes: a hundred thousand strings would be walked by every garbage collection.
import type { BytesWriter } from './bytes.ts'

/** Some of them, one after the other, and where each ends. */
export interface TextsPart {
  bytes: Buffer
  ends: Uint32Array
}

export interface Texts {
  readonly count: number
  /** In bytes. */
  lengthOf(number: number): number
  copy(number: number, writer: BytesWriter): void
  read(number: number): string
}

export function textsPart(texts: readonly string[]): TextsPart {
  const bytes = Buffer.from(texts.join(''))
  const isAscii = bytes.length === texts.reduce((sum, { length }) => sum + length, 0)
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [index, text] of texts.entries()) {
    end += isAscii ? text.length : Buffer.byteLength(text)
    ends[index] = end
  }
  return { bytes, ends }
}

/** All parts as one list, numbered from 0. */
export function textsOf(parts: readonly TextsPart[]): Texts {
  const count = parts.reduce((sum, { ends }) => sum + ends.length, 0)
  const [partOf, starts, ends] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  let number = 0
  for (const [index, part] of parts.entries()) {
    let start = 0
    for (const end of part.ends) {
      partOf[number] = index
      starts[number] = start
      ends[number++] = end
      start = end
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
