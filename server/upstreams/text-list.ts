// Many short texts in one piece of bytes: a hundred thousand strings would be walked by every garbage collection.
import { isUtf8 } from 'node:buffer'
import { COMMA } from './json-bytes.ts'

export interface TextList {
  /** With a comma between any two, so that neighbours in a list of JSON can be taken in one piece. */
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
}

const BYTES_AT_FIRST = 64 * 1024

/**
 * A class, as all that is done for each of a hundred thousand texts: what the engine makes of its methods lasts. Of closures it
 * is collected with the last of them, and made again for the next customer.
 */
export class TextListWriter {
  #bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST)
  #at = 0
  #starts: number[] = []
  #ends: number[] = []

  /** The next text begins. It needs so many bytes at most, until there is room for more. */
  begin(bytes: number): void {
    this.room(bytes + 1)
    if (this.#starts.length > 0) this.byte(COMMA)
    this.#starts.push(this.#at)
  }

  room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + bytes))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }

  copy(from: Buffer, start = 0, end = from.length): void {
    this.#at += from.copy(this.#bytes, this.#at, start, end)
  }

  byte(value: number): void {
    this.#bytes[this.#at] = value
    this.#at += 1
  }

  end(): void {
    this.#ends.push(this.#at)
  }

  /** All texts since the last time. */
  take(): TextList {
    const taken = {
      bytes: Buffer.allocUnsafeSlow(this.#at),
      starts: Uint32Array.from(this.#starts),
      ends: Uint32Array.from(this.#ends)
    }
    this.#bytes.copy(taken.bytes, 0, 0, this.#at)
    this.#at = 0
    this.#starts = []
    this.#ends = []
    return isUtf8(taken.bytes) ? taken : repaired(taken)
  }
}

/** Gives the memory back now, and not when it is collected: it may be most of what the process has. */
export function release({ bytes }: TextList): void {
  ;(bytes.buffer as ArrayBuffer).transfer(0)
}

/** The same of strings. */
export function textListOf(texts: readonly string[]): TextList {
  const writer = new TextListWriter()
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
