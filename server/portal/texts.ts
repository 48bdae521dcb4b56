// Texts of several lists as one, numbered from 0.
import { release, type TextList } from '../upstreams/text-list.ts'
import type { BytesWriter } from './bytes.ts'

export class Texts {
  readonly count: number
  /** Where in its bytes each text stands. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly #lists: readonly TextList[]
  readonly #bytes: readonly Buffer[]
  readonly #listOf: Uint32Array

  /** @param left the bytes that are left out of the end of each text */
  constructor(lists: readonly TextList[], left = 0) {
    this.count = lists.reduce((sum, { ends }) => sum + ends.length, 0)
    this.starts = new Uint32Array(this.count)
    this.ends = new Uint32Array(this.count)
    this.#lists = lists
    this.#bytes = lists.map(({ bytes }) => bytes)
    this.#listOf = new Uint32Array(this.count)
    let number = 0
    for (const [index, { starts, ends }] of lists.entries()) {
      this.#listOf.fill(index, number, number + ends.length)
      this.starts.set(starts, number)
      for (let at = 0; at < ends.length; at += 1) this.ends[number + at] = (ends[at] as number) - left
      number += ends.length
    }
  }

  bytesOf(number: number): Buffer {
    return this.#bytes[this.#listOf[number] as number] as Buffer
  }

  /** In bytes. */
  lengthOf(number: number): number {
    return (this.ends[number] as number) - (this.starts[number] as number)
  }

  /** From one to another one, which stand in a row. */
  copy(first: number, last: number, writer: BytesWriter): void {
    writer.copy(this.bytesOf(first), this.starts[first], this.ends[last])
  }

  /** Whether the next one stands behind it, after a comma. */
  isInRow(number: number): boolean {
    return this.#listOf[number] === this.#listOf[number + 1]
  }

  read(number: number): string {
    return this.bytesOf(number).toString('utf8', this.starts[number], this.ends[number])
  }

  /** None of them can be read any more. */
  release(): void {
    this.#lists.forEach(release)
  }
}
