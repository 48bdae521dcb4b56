// Many short texts in one piece of bytes: a hundred thousand strings would be walked by every garbage collection.
import { isUtf8 } from 'node:buffer'

export interface TextList {
  /** With a comma between any two, so that neighbours in a list of JSON can be taken in one piece. */
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
}

export interface TextListWriter {
  /** The next text begins. It needs so many bytes at most, until there is room for more. */
  begin(bytes: number): void
  room(bytes: number): void
  copy(from: Buffer, start?: number, end?: number): void
  byte(value: number): void
  end(): void
  /** All texts since the last time. */
  take(): TextList
}

const COMMA = 0x2c
const BYTES_AT_FIRST = 64 * 1024

export function textListWriter(): TextListWriter {
  let bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST)
  let at = 0
  let starts: number[] = []
  let ends: number[] = []

  function room(wanted: number): void {
    if (at + wanted <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, at + wanted))
    bytes.copy(larger, 0, 0, at)
    bytes = larger
  }

  return {
    room,
    begin(wanted) {
      room(wanted + 1)
      if (starts.length > 0) bytes[at++] = COMMA
      starts.push(at)
    },
    copy(from, start = 0, end = from.length) {
      at += from.copy(bytes, at, start, end)
    },
    byte(value) {
      bytes[at++] = value
    },
    end() {
      ends.push(at)
    },
    take() {
      const taken = {
        bytes: Buffer.allocUnsafeSlow(at),
        starts: Uint32Array.from(starts),
        ends: Uint32Array.from(ends)
      }
      bytes.copy(taken.bytes, 0, 0, at)
      at = 0
      starts = []
      ends = []
      return isUtf8(taken.bytes) ? taken : repaired(taken)
    }
  }
}

/** Gives the memory back now, and not when it is collected: it may be most of what the process has. */
export function release({ bytes }: TextList): void {
  ;(bytes.buffer as ArrayBuffer).transfer(0)
}

/** The same of strings. */
export function textListOf(texts: readonly string[]): TextList {
  const writer = textListWriter()
  for (const text of texts) {
    const bytes = Buffer.from(text)
    writer.begin(bytes.length)
    writer.copy(bytes)
    writer.end()
  }
  return writer.take()
}

/** Bytes that are no characters become replacement characters, as they do in strings. */
function repaired({ bytes, starts, ends }: TextList): TextList {
  return textListOf(Array.from(starts, (start, index) => bytes.toString('utf8', start, ends[index])))
}
