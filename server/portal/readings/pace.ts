// Decides how many fetches of an upstream may run in parallel: more while it answers as quickly as it did, half as many when it
// is busy or has become slow. Pure.

/** Number of answers whose median is compared: single answers differ, because customers differ in size. */
const COMPARED = 8
/** The upstream has become slow when its answers take this many times as long as the quickest ones. */
const SLOW_FACTOR = 2
/** Answers quicker than this count as this quick: twice one millisecond is no sign of load. */
const QUICK_MS = 10
/** How long the quickest answers are remembered, because an upstream may become slower for good. */
const REMEMBERED_MS = 60_000

export type Pace = ReturnType<typeof createPace>

/** @param most highest limit; the first is 1 */
export function createPace(most: number) {
  let limit = 1
  /** Until the first sign of load each good answer raises the limit, later each `limit` good answers. */
  let isStarting = true
  let goodAnswers = 0
  let recentMs: number[] = []
  let quickest = { ms: Number.POSITIVE_INFINITY, at: 0 }

  function halve(): void {
    limit = Math.ceil(limit / 2)
    isStarting = false
    goodAnswers = 0
    recentMs = []
  }

  /** Compares the latest answers with the quickest ones. */
  function hasBecomeSlow(nowMs: number): boolean {
    const medianMs = Math.max(QUICK_MS, recentMs.toSorted((a, b) => a - b)[COMPARED / 2] ?? 0)
    recentMs = []
    if (medianMs <= quickest.ms || nowMs - quickest.at >= REMEMBERED_MS)
      quickest = { ms: medianMs, at: nowMs }
    return medianMs > SLOW_FACTOR * quickest.ms
  }

  return {
    /** Number of fetches that may run in parallel. */
    get limit() {
      return limit
    },
    /** Call after a good answer. @param ms how long it took @param nowMs the time now, by any steady clock */
    good(ms: number, nowMs: number): void {
      recentMs.push(ms)
      if (recentMs.length >= COMPARED && hasBecomeSlow(nowMs)) {
        halve()
        return
      }
      goodAnswers += 1
      if (!isStarting && goodAnswers < limit) return
      goodAnswers = 0
      limit = Math.min(most, limit + 1)
    },
    /** Call after a busy answer, and when an answer takes too long. */
    busy: halve
  }
}
