// When a subscription is active.

/** Start and end of a subscription, in milliseconds since 1970; NaN for an invalid date. */
export interface Term {
  startMs: number
  endMs: number
}

/** Whether a term includes this time: from its start, until just before its end. */
export function isActive({ startMs, endMs }: Term, nowMs: number): boolean {
  return startMs <= nowMs && nowMs < endMs
}

const DAY_MS = 86_400_000

/** Days until a time, rounded up: 0 or less if it has passed. */
export const daysUntil = (endMs: number, nowMs: number): number => Math.ceil((endMs - nowMs) / DAY_MS)
