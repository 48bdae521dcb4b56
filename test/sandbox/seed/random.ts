// Seeded random numbers.

export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below: (below: number) => number
  pick: <T>(list: readonly T[]) => T
  hex: (digits: number) => string
}

// A table saves time: a customer with 100,000 devices needs two million groups of four digits.
const FOUR_DIGITS = Array.from({ length: 0x10000 }, (_, value) => value.toString(16).padStart(4, '0'))

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const nextBits = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let hash = Math.imul(state ^ (state >>> 15), 1 | state)
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash
    return (hash ^ (hash >>> 14)) >>> 0
  }
  const below = (limit: number): number => Math.floor((nextBits() / 2 ** 32) * limit)
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    hex: (digits) => {
      let text = ''
      while (text.length < digits) {
        const bits = nextBits()
        text += (FOUR_DIGITS[bits >>> 16] as string) + FOUR_DIGITS[bits & 0xffff]
      }
      return text.slice(0, digits)
    }
  }
}
