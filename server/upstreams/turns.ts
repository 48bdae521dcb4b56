// Long work in short turns: one piece at a time in the whole process, and the event loop runs between any two, so that
// nobody's large customer holds up another's call.
import { setImmediate as eventLoop } from 'node:timers/promises'

/** A piece of `each` ends after about this long. */
const TURN_MS = 4
/** Steps between two looks at the clock. */
const STEPS = 32

export interface Turns {
  /** Does a piece of work when its turn comes; what it throws is thrown. */
  take<T>(work: () => T): Promise<T>
  /** Calls `step` with 0 up to `count`, exclusive, in pieces of a few milliseconds. */
  each(count: number, step: (index: number) => void): Promise<void>
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()

  function take<T>(work: () => T): Promise<T> {
    const turn = last.then(() => eventLoop()).then(work)
    last = turn.catch(() => {})
    return turn
  }

  return {
    take,
    async each(count, step) {
      let at = 0
      const piece = () => {
        at = takeSteps(step, at, count)
      }
      while (at < count) await take(piece)
    }
  }
}

/** As many as a turn is long for; tells which one comes next. */
function takeSteps(step: (index: number) => void, from: number, count: number): number {
  const until = performance.now() + TURN_MS
  let at = from
  do {
    const end = Math.min(at + STEPS, count)
    for (; at < end; at += 1) step(at)
  } while (at < count && performance.now() < until)
  return at
}

/** Sorts in turns: merges ever longer runs, so that equal ones keep their order. `order` is the result, in place. */
export async function sortInTurns(
  order: Uint32Array,
  compare: (a: number, b: number) => number,
  turns: Turns
): Promise<void> {
  let from = order
  let to: Uint32Array = new Uint32Array(order.length)
  for (let run = 1; run < order.length; run *= 2) {
    await mergeRuns(from, to, run, compare, turns)
    ;[from, to] = [to, from]
  }
  if (from !== order) order.set(from)
}

async function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  run: number,
  compare: (a: number, b: number) => number,
  turns: Turns
): Promise<void> {
  const count = from.length
  let [left, right, middle, end] = [0, 0, 0, 0]
  await turns.each(count, (at) => {
    if (at === end) {
      left = at
      middle = right = Math.min(at + run, count)
      end = Math.min(at + 2 * run, count)
    }
    const [one, other] = [from[left] as number, from[right] as number]
    const takesLeft = left < middle && (right >= end || compare(one, other) <= 0)
    to[at] = takesLeft ? one : other
    if (takesLeft) left += 1
    else right += 1
  })
}
