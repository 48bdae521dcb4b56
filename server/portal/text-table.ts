// Finds texts by their bytes: a map of strings takes twice as long, and as much memory again.
import { randomInt } from 'node:crypto'
import type { Texts } from './texts.ts'

export interface TextTable {
  /** The number of an equal text that was added before; where there is none it is added, and its own is given back. */
  add(number: number): number
  /** The number of the text that equals that one; -1 when there is none. */
  find(others: Texts, other: number): number
}

const NONE = -1
const PRIME = 0x01000193
/** Not known outside: nobody can choose texts that all have one hash. */
const SEED = randomInt(2 ** 32)

/** Of some or all of the texts, by linear probing. */
export function textTable(texts: Texts): TextTable {
  const mask = 2 ** Math.ceil(Math.log2(2 * texts.count + 2)) - 1
  const numbers = new Int32Array(mask + 1).fill(NONE)
  const hashes = new Int32Array(mask + 1)

  /** Where such a text stands, or would. */
  function slotOf(others: Texts, other: number, hash: number): number {
    let slot = hash & mask
    while (numbers[slot] !== NONE) {
      if (hashes[slot] === hash && areEqual(texts, numbers[slot] as number, others, other)) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  return {
    add(number) {
      const hash = hashOf(texts, number)
      const slot = slotOf(texts, number, hash)
      if (numbers[slot] !== NONE) return numbers[slot] as number
      numbers[slot] = number
      hashes[slot] = hash
      return number
    },
    find: (others, other) => numbers[slotOf(others, other, hashOf(others, other))] as number
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
