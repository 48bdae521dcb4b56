// Finds which of many short texts contain another one. They stand in a few long texts: one pass over a long text is many
// times faster than a look into each short one.
import type { Turns } from '../upstreams/turns.ts'

const TEXTS_PER_PIECE = 4_096
/** Stands between two texts, and in none of them. */
const SEPARATOR = '\n'

/** 1 for each text that contains `wanted`, 0 for the others, by their numbers; null when none does. */
export type TextSearch = (wanted: string) => Uint8Array | null

interface Piece {
  text: string
  /** Where each text begins, and last where one more would. */
  starts: Uint32Array
}

/** @param textOf of each number up to `count`, exclusive; without line breaks */
export async function createTextSearch(
  count: number,
  textOf: (number: number) => string,
  turns: Turns
): Promise<TextSearch> {
  const pieces: Piece[] = []
  let texts: string[] = []
  await turns.each(count, (number) => {
    texts.push(textOf(number))
    if (texts.length < TEXTS_PER_PIECE && number + 1 < count) return
    pieces.push(pieceOf(texts))
    texts = []
  })

  return (wanted) => {
    let marks: Uint8Array | null = null
    for (const [index, { text, starts }] of pieces.entries()) {
      let number = 0
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, starts[number])) {
        while ((starts[number] as number) <= at) number += 1
        marks ??= new Uint8Array(count)
        marks[index * TEXTS_PER_PIECE + number - 1] = 1
      }
    }
    return marks
  }
}

function pieceOf(texts: readonly string[]): Piece {
  const starts = new Uint32Array(texts.length + 1)
  for (const [index, { length }] of texts.entries())
    starts[index + 1] = (starts[index] as number) + length + SEPARATOR.length
  return { text: texts.join(SEPARATOR) + SEPARATOR, starts }
}
