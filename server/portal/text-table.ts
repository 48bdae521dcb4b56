// Finds texts by their bytes: as strings in a map, each would have to be made, and then be walked by every garbage collection.
import { randomInt } from 'node:crypto'
import type { Texts } from './texts.ts'

const NONE = -1
const PRIME = 0x01000193
/** Not known outside: nobody can choose texts that all have one hash. */
const SEED = randomInt(2 ** 32)

/** Of some or all of the texts, by linear probing. */
export class TextTable {
  readonly #texts: Texts
  readonly #mask: number
  readonly #numbers: Int32Array
  readonly #hashes: Int32Array

  constructor(texts: Texts) {
    this.#texts = texts
    this.#mask = 2 ** Math.ceil(Math.log2(2 * texts.count + 2)) - 1
    this.#numbers = new Int32Array(this.#mask + 1).fill(NONE)
    this.#hashes = new Int32Array(this.#mask + 1)
  }

  /** The number of an equal text that was added before; where there is none it is added, and its own is given back. */
  add(number: number): number {
    const hash = hashOf(this.#texts, number)
    const slot = this.#slotOf(this.#texts, number, hash)
    const held = this.#numbers[slot] as number
    if (held !== NONE) return held
    this.#numbers[slot] = number
    this.#hashes[slot] = hash
    return number
  }

  /** The number of the text that equals that one; -1 when there is none. */
  find(others: Texts, other: number): number {
    return this.#numbers[this.#slotOf(others, other, hashOf(others, other))] as number
  }

  /** Where such a text stands, or would. */
  #slotOf(others: Texts, other: number, hash: number): number {
    const numbers = this.#numbers
    const mask = this.#mask
    let slot = hash & mask
    while (numbers[slot] !== NONE) {
      if (this.#hashes[slot] === hash && areEqual(this.#texts, numbers[slot] as number, others, other))
        return slot
      slot = (slot + 1) & mask
    }
    return slot
  }
}

/** FNV-1a. */
function hashOf(texts: Texts, number: number): number {
  const bytes = texts.bytesOf(number)
  const end = texts.ends[number] as number
  let hash = SEED | 0
  for (let at = texts.starts[number] as number; at < end; at += 1)
    hash = Math.imul(hash ^ (bytes[at] as number), PRIME)
  return hash ^ (hash >>> 15)
}

function areEqual(texts: Texts, number: number, others: Texts, other: number): boolean {
  const length = texts.lengthOf(number)
  if (others.lengthOf(other) !== length) return false
  const [bytes, start] = [texts.bytesOf(number), texts.starts[number] as number]
  const [otherBytes, otherStart] = [others.bytesOf(other), others.starts[other] as number]
  for (let at = 0; at < length; at += 1) if (bytes[start + at] !== otherBytes[otherStart + at]) return false
  return true
}
