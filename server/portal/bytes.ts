// Bytes written once and read many times, in chunks: what is written never has to move, and a piece of it can be worked
// on at a time.

const CHUNK_BYTES = 512 * 1024
/** UTF-8 takes no more for one UTF-16 unit. */
const BYTES_PER_CHARACTER = 3

export interface Bytes {
  readonly chunks: readonly Buffer[]
  readonly length: number
}

export interface Place {
  chunk: number
  start: number
  end: number
}

export interface BytesWriter {
  /** Writes the bytes and then the text, together in one chunk. */
  write(bytes: Buffer, text: string): Place
  /** No more can be written. */
  finish(): Bytes
}

export function bytesWriter(): BytesWriter {
  const chunks: Buffer[] = []
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let at = 0

  function close(): void {
    chunks.push(chunk.subarray(0, at))
    at = 0
  }

  return {
    write(bytes, text) {
      const needed = bytes.length + text.length * BYTES_PER_CHARACTER
      if (at + needed > chunk.length) {
        close()
        chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, needed))
      }
      const start = at
      at += bytes.copy(chunk, at)
      at += chunk.write(text, at)
      return { chunk: chunks.length, start, end: at }
    },
    finish() {
      close()
      return { chunks, length: chunks.reduce((sum, { length }) => sum + length, 0) }
    }
  }
}
