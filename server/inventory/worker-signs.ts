// The worker's heartbeat: the number of the current question, and a counter that rises while its event loop turns. Both are
// in shared memory, so that a busy main thread can read them too.

const [QUESTION, BEATS] = [0, 1]
/** Checks per timeout: enough that the worker is stopped at most a fifth too late. */
const CHECKS_PER_TIMEOUT = 10

export interface Signs {
  memory: SharedArrayBuffer
  beatMs: number
}

/** For the worker. Starts the heartbeat; returns a function to call with the number of each question that starts. */
export function showSigns({ memory, beatMs }: Signs): (question: number) => void {
  const signs = new Int32Array(memory)
  const beat = () => Atomics.add(signs, BEATS, 1)
  beat()
  setInterval(beat, beatMs).unref()
  return (question) => void Atomics.store(signs, QUESTION, question)
}

/**
 * For the main thread: calls `overrun` when the worker gave no sign for `timeoutMs` although questions are pending.
 */
export function watchSigns(timeoutMs: number, hasQuestions: () => boolean, overrun: () => void) {
  const signs = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const beatMs = timeoutMs / CHECKS_PER_TIMEOUT
  let [beats, seenAt] = [0, performance.now()]
  const noteSign = () => {
    beats = Atomics.load(signs, BEATS)
    seenAt = performance.now()
  }
  const checks = setInterval(() => {
    // Before its first beat, the worker is still starting.
    if (beats === 0 || beats !== Atomics.load(signs, BEATS) || !hasQuestions()) noteSign()
    else if (performance.now() - seenAt > timeoutMs) overrun()
  }, beatMs).unref()
  return {
    signs: { memory: signs.buffer, beatMs } satisfies Signs,
    /** Call for each answer: it is a sign too, because the worker may answer many questions between two beats. */
    noteSign,
    /** The last question that was started. */
    question: () => Atomics.load(signs, QUESTION),
    stop: () => clearInterval(checks)
  }
}
