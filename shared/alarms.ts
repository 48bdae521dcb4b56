// The states of an alarm, for the screens and for the gateway's list of alarms that need action.
import type { AckState, SourceState } from './answers/alarms.ts'

/** An alarm must match both lists. An empty list matches every alarm. */
export interface StateFilter {
  sourceStates: SourceState[]
  ackStates: AckState[]
}

/** States of alarms that are not back to normal. */
export const ACTIVE: readonly SourceState[] = ['offnormal', 'fault', 'alert']
/** States of alarms that are not acknowledged, or whose acknowledgement the device has not confirmed. */
export const OPEN_ACKS: readonly AckState[] = ['unacked', 'ackPending']

/**
 * The searches for alarms that need action: not normal, or normal and not acknowledged. There are two, because the API's
 * search has no "or". They never find the same alarm.
 */
export const NEEDS_ACTION: readonly StateFilter[] = [
  { sourceStates: [...ACTIVE], ackStates: [] },
  { sourceStates: ['normal'], ackStates: [...OPEN_ACKS] }
]

/** Limits searches to some source states; an empty list allows all. Drops searches that then cannot find anything. */
export function narrowed(searches: readonly StateFilter[], states: readonly string[]): StateFilter[] {
  return searches.flatMap(({ sourceStates, ackStates }) => {
    const matchingStates: SourceState[] =
      states.length === 0
        ? [...sourceStates]
        : (states as SourceState[]).filter(
            (state) => sourceStates.length === 0 || sourceStates.includes(state)
          )
    const findsNothing = states.length > 0 && matchingStates.length === 0
    return findsNothing ? [] : [{ sourceStates: matchingStates, ackStates: [...ackStates] }]
  })
}

export interface AlarmOrder {
  /** A field of the alarm. */
  sort: string
  order: 'asc' | 'desc'
}

/** Number of characters that are compared: screens show fewer, and long texts are slow to compare. */
const TEXT_COMPARED = 200

/** Compares alarms by a field: numbers by value, other plain values as text in alphabetical order. */
export function comparing({ sort, order }: AlarmOrder): (a: object, b: object) => number {
  const direction = order === 'asc' ? 1 : -1
  const fieldOf = (alarm: object) => (alarm as Record<string, unknown>)[sort]
  return (a, b) => {
    const valueA = fieldOf(a)
    const valueB = fieldOf(b)
    if (typeof valueA === 'number' && typeof valueB === 'number') return direction * (valueA - valueB)
    return direction * textOf(valueA).localeCompare(textOf(valueB))
  }
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '').slice(0, TEXT_COMPARED)
}
