// Bytes written once and read many times, in chunks: what is written never has to move, and a piece of it can be worked
// on at a time.

const CHUNK_BYTES = 512 * 1024

export interface Bytes {
  readonly chunks: readonly Buffer[]
  readonly length: number
}

export class BytesWriter {
  readonly #chunks: Buffer[] = []
  #open = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  #at = 0

  /** Where the next byte comes to stand. */
  get chunk(): number {
    return this.#chunks.length
  }

  get position(): number {
    return this.#at
  }

  /** So many bytes, to be written next, will stand together in one chunk. */
  reserve(bytes: number): void {
    if (this.#at + bytes <= this.#open.length) return
    this.#chunks.push(this.#open.subarray(0, this.#at))
    this.#open = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes))
    this.#at = 0
  }

  byte(value: number): void {
    this.reserve(1)
    this.#open[this.#at] = value
    this.#at += 1
  }

  copy(from: Buffer, start = 0, end = from.length): void {
    this.reserve(end - start)
    this.#at += from.copy(this.#open, this.#at, start, end)
  }

  /** No more can be written. */
  finish(): Bytes {
    const chunks = [...this.#chunks, this.#open.subarray(0, this.#at)]
    return { chunks, length: chunks.reduce((sum, { length }) => sum + length, 0) }
  }
}
