// Which points hold their value until the next record, and how far back their last record before a range is looked for.
import type { Samples } from './history-samples.ts'

/** Fewer records say nothing about how often there is one. */
export const FEW_RECORDS = 8
/** More need not be looked at. */
const ENOUGH_RECORDS = 2_000
/** Two records are as far apart as most are when they differ by no more than this share. */
const TOLERANCE = 0.1
/** Of the records at regular intervals, so many are. */
const REGULAR_SHARE = 0.6
/** Of the records that a change has made, so many differ from the one before; the rest tell that the device is there. */
const CHANGED_SHARE = 0.5

/** Whether numbers were recorded when they changed, and not every so often. */
export function isOnChange({ times, values }: Samples): boolean {
  const steps = Math.min(times.length, ENOUGH_RECORDS) - 1
  if (steps < 2) return true
  const apart = Float64Array.from({ length: steps }, (_, at) => (times[at + 1] ?? 0) - (times[at] ?? 0))
  const median = apart.toSorted()[Math.floor(steps / 2)] ?? 0
  const regular = apart.filter((step) => Math.abs(step - median) <= TOLERANCE * median).length
  if (regular / steps >= REGULAR_SHARE) return false
  let changed = 0
  for (let at = 1; at <= steps; at++) if (values[at] !== values[at - 1]) changed += 1
  return changed / steps >= CHANGED_SHARE
}

/** Days before the range, one look after the other, until there is a record. A state is worth a year. */
export const LOOK_BACK_DAYS = { state: [1, 7, 30, 90, 365], number: [1, 7] } as const

/** The samples of both, of which the first ones are the earlier. */
export function joined(before: Samples, samples: Samples): Samples {
  const join = (one: Float64Array, other: Float64Array) => {
    const both = new Float64Array(one.length + other.length)
    both.set(one)
    both.set(other, one.length)
    return both
  }
  return { times: join(before.times, samples.times), values: join(before.values, samples.values) }
}

/** The last one of them, or none. */
export function lastOf({ times, values }: Samples): Samples {
  return { times: times.slice(-1), values: values.slice(-1) }
}
