// What the states of an alarm mean, for the screens and for what the gateway puts together of them.
export type SourceState = 'offnormal' | 'fault' | 'alert' | 'normal'
export type AckState = 'unacked' | 'ackPending' | 'acked'

/** Both must hold; an empty list leaves out nothing. */
export interface StateFilter {
  sourceStates: SourceState[]
  ackStates: AckState[]
}

/** Not back to normal. */
export const ACTIVE: readonly SourceState[] = ['offnormal', 'fault', 'alert']
/** Not acknowledged, or not yet so by the device. */
export const OPEN_ACKS: readonly AckState[] = ['unacked', 'ackPending']

/**
 * Alarms that somebody should look at (screens 2.9): not normal, or not acknowledged. Within one search all filters
 * must hold, so that this takes two, which find no alarm both.
 */
export const NEEDS_ACTION: readonly StateFilter[] = [
  { sourceStates: [...ACTIVE], ackStates: [] },
  { sourceStates: ['normal'], ackStates: [...OPEN_ACKS] }
]

/** The searches narrowed to some source states, all of them for none; one of which nothing is left is left out. */
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

/** Compares alarms by a field: numbers as numbers, all else as people read it. */
export function comparing({ sort, order }: AlarmOrder): (a: object, b: object) => number {
  const direction = order === 'asc' ? 1 : -1
  const fieldOf = (alarm: object) => (alarm as Record<string, unknown>)[sort]
  return (a, b) => {
    const [one, other] = [fieldOf(a), fieldOf(b)]
    if (typeof one === 'number' && typeof other === 'number') return direction * (one - other)
    return direction * String(one ?? '').localeCompare(String(other ?? ''))
  }
}
