// What the states of an alarm mean, for the screens and for the gateway's list of alarms that need action.
import type { AckState, SourceState } from './answers/alarms.ts'

/** An alarm must match both lists; an empty list matches every alarm. */
export interface StateFilter {
  sourceStates: SourceState[]
  ackStates: AckState[]
}

/** Not back to normal. */
export const ACTIVE: readonly SourceState[] = ['offnormal', 'fault', 'alert']
/** Not acknowledged, or not yet by the device. */
export const OPEN_ACKS: readonly AckState[] = ['unacked', 'ackPending']

/**
 * The searches for alarms that need action (screens 2.9): not normal, or normal and not acknowledged. The filters of one
 * search must all hold, so there are two; no alarm is found by both.
 */
export const NEEDS_ACTION: readonly StateFilter[] = [
  { sourceStates: [...ACTIVE], ackStates: [] },
  { sourceStates: ['normal'], ackStates: [...OPEN_ACKS] }
]

/** The searches for some source states, or for all when none is given. A search that would find nothing is left out. */
export function narrowed(searches: readonly StateFilter[], states: readonly string[]): StateFilter[] {
  return searches.flatMap(({ sourceStates, ackStates }) => {
    const wanted: SourceState[] =
      states.length === 0
        ? [...sourceStates]
        : (states as SourceState[]).filter(
            (state) => sourceStates.length === 0 || sourceStates.includes(state)
          )
    const impossible = states.length > 0 && wanted.length === 0
    return impossible ? [] : [{ sourceStates: wanted, ackStates: [...ackStates] }]
  })
}

export interface AlarmOrder {
  /** A field of the alarm. */
  sort: string
  order: 'asc' | 'desc'
}

/** Characters of a text by which alarms are sorted: more are never shown, and long ones take long. */
const TEXT_COMPARED = 200

/** Compares alarms by a field: numbers by value, other plain values as text in natural order. */
export function comparing({ sort, order }: AlarmOrder): (a: object, b: object) => number {
  const direction = order === 'asc' ? 1 : -1
  const fieldOf = (alarm: object) => (alarm as Record<string, unknown>)[sort]
  return (a, b) => {
    const [one, other] = [fieldOf(a), fieldOf(b)]
    if (typeof one === 'number' && typeof other === 'number') return direction * (one - other)
    return direction * textOf(one).localeCompare(textOf(other))
  }
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '').slice(0, TEXT_COMPARED)
}
