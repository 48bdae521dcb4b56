// Bytes written once and read many times, in chunks: what is written never has to move, and a piece of it can be worked
// on at a time.

const CHUNK_BYTES = 512 * 1024

export interface Bytes {
  readonly chunks: readonly Buffer[]
  readonly length: number
}

export interface BytesWriter {
  /** Where the next byte comes to stand. */
  readonly chunk: number
  readonly position: number
  /** So many bytes, to be written next, will stand together in one chunk. */
  reserve(bytes: number): void
  byte(value: number): void
  copy(from: Buffer, start?: number, end?: number): void
  /** No more can be written. */
  finish(): Bytes
}

export function bytesWriter(): BytesWriter {
  const chunks: Buffer[] = []
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let at = 0

  function reserve(bytes: number): void {
    if (at + bytes <= chunk.length) return
    chunks.push(chunk.subarray(0, at))
    chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes))
    at = 0
  }

  return {
    get chunk() {
      return chunks.length
    },
    get position() {
      return at
    },
    reserve,
    byte(value) {
      reserve(1)
      chunk[at++] = value
    },
    copy(from, start = 0, end = from.length) {
      reserve(end - start)
      at += from.copy(chunk, at, start, end)
    },
    finish() {
      chunks.push(chunk.subarray(0, at))
      return { chunks, length: chunks.reduce((sum, { length }) => sum + length, 0) }
    }
  }
}
