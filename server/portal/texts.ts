// Texts of several lists as one, numbered from 0.
import { release, type TextList } from '../upstreams/text-list.ts'
import type { BytesWriter } from './bytes.ts'

export interface Texts {
  readonly count: number
  /** In which bytes a text stands, and where in them. */
  bytesOf(number: number): Buffer
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** In bytes. */
  lengthOf(number: number): number
  /** From one to another one, which stand in a row. */
  copy(first: number, last: number, writer: BytesWriter): void
  /** Whether the next one stands behind it, after a comma. */
  isInRow(number: number): boolean
  read(number: number): string
  /** None of them can be read any more. */
  release(): void
}

/** @param left the bytes that are left out of the end of each text */
export function textsOf(lists: readonly TextList[], left = 0): Texts {
  const count = lists.reduce((sum, { ends }) => sum + ends.length, 0)
  const [listOf, starts, ends] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  let number = 0
  for (const [index, list] of lists.entries()) {
    listOf.fill(index, number, number + list.ends.length)
    starts.set(list.starts, number)
    for (let at = 0; at < list.ends.length; at += 1) ends[number + at] = (list.ends[at] as number) - left
    number += list.ends.length
  }
  const all = lists.map(({ bytes }) => bytes)
  const bytesOf = (number: number) => all[listOf[number] as number] as Buffer
  return {
    count,
    bytesOf,
    starts,
    ends,
    lengthOf: (number) => (ends[number] as number) - (starts[number] as number),
    copy: (first, last, writer) => writer.copy(bytesOf(first), starts[first], ends[last]),
    isInRow: (number) => listOf[number] === listOf[number + 1],
    read: (number) => bytesOf(number).toString('utf8', starts[number], ends[number]),
    release: () => lists.forEach(release)
  }
}
