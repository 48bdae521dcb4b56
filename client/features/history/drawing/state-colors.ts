// The colours of states: those that mean the same have the same, whichever point says them.
import type { Point } from '../../points/point.ts'
import { stateTexts } from './chart-lines.ts'

const [BLUE, ORANGE, GREEN, RED, TEAL] = [0, 1, 2, 4, 5]

/** By what their words say, the first that fits. Null is rest, in grey. */
const MEANINGS: [words: RegExp, color: number | null][] = [
  [/^(no|not)\b|\b(off|stopped|idle|none|normal|closed|unoccupied|vacant|disabled|standby|setback)\b/i, null],
  [/alarm|fault|trip|fail|error|lockout/i, RED],
  [/heat/i, ORANGE],
  [/cool|chill/i, BLUE],
  [/econo|vent/i, TEAL],
  [/\b(on|run|running|started|occupied|enabled|open|auto)\b/i, GREEN]
]
/** Of ordinals whose words say nothing, in turn. */
const OTHERS = [0, 3, 5, 7, 1, 6, 2, 9]

/** One of the ten colours; null for a state of rest. */
export function stateColor(point: Point, value: number): number | null {
  const texts = stateTexts(point)
  const text = texts.find(({ ordinal }) => ordinal === value)?.text ?? ''
  const meant = MEANINGS.find(([words]) => words.test(text))
  if (meant) return meant[1]
  if (value === 0) return null
  const place = Math.max(
    texts.findIndex(({ ordinal }) => ordinal === value),
    0
  )
  return OTHERS[place % OTHERS.length] ?? BLUE
}
