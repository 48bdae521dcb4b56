// The states of an alarm, for the screens and for the gateway's list of alarms that need action.
import type { AckState, SourceState } from './answers/alarms.ts'
import { compareTexts } from './text-order.ts'

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

/**
 * What a list of alarms shows, with the searches for it. Two searches of a list never find the same alarm.
 */
export const ALARM_SEARCHES = {
  action: NEEDS_ACTION,
  active: [{ sourceStates: [...ACTIVE], ackStates: [] }],
  unacked: [{ sourceStates: [], ackStates: [...OPEN_ACKS] }],
  all: [{ sourceStates: [], ackStates: [] }]
} satisfies Record<string, readonly StateFilter[]>
export type AlarmsShown = keyof typeof ALARM_SEARCHES

/** The usual BACnet bands of the priorities 1 to 255; 1 is the most urgent. */
export const PRIORITY_BANDS = [
  { id: 'critical', from: 1, to: 63 },
  { id: 'high', from: 64, to: 127 },
  { id: 'medium', from: 128, to: 191 },
  { id: 'low', from: 192, to: 255 }
] as const

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

/**
 * Compares alarms by a field: numbers by value, other plain values as people read them. Among equal alarms, the newest comes
 * first.
 */
export function comparing({ sort, order }: AlarmOrder): (a: object, b: object) => number {
  const direction = order === 'asc' ? 1 : -1
  const fieldOf = (alarm: object, field: string) => (alarm as Record<string, unknown>)[field]
  return (a, b) =>
    direction * compareValues(fieldOf(a, sort), fieldOf(b, sort)) ||
    compareValues(fieldOf(b, 'timestamp'), fieldOf(a, 'timestamp'))
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(textOf(a), textOf(b))
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '').slice(0, TEXT_COMPARED)
}
