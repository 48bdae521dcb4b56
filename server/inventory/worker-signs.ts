// The worker's heartbeat, in shared memory so that a busy main thread can read it too: the current question, and that its
// event loop turns.

const [QUESTION, BEATS] = [0, 1]
/** Small enough to keep the timeout within a fifth. */
const LOOKS_PER_TIMEOUT = 10

export interface Signs {
  memory: SharedArrayBuffer
  beatMs: number
}

/** For the worker: called with the number of each question it starts. */
export function showSigns({ memory, beatMs }: Signs): (question: number) => void {
  const signs = new Int32Array(memory)
  const beat = () => Atomics.add(signs, BEATS, 1)
  beat()
  setInterval(beat, beatMs).unref()
  return (question) => void Atomics.store(signs, QUESTION, question)
}

/**
 * For the main thread: calls `overrun` when there was no sign for that long although questions are pending.
 */
export function watchSigns(timeoutMs: number, isAsked: () => boolean, overrun: () => void) {
  const signs = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const beatMs = timeoutMs / LOOKS_PER_TIMEOUT
  let [beats, seenAt] = [0, performance.now()]
  const seen = () => {
    beats = Atomics.load(signs, BEATS)
    seenAt = performance.now()
  }
  const looks = setInterval(() => {
    // Without a first beat it is still starting.
    if (beats === 0 || beats !== Atomics.load(signs, BEATS) || !isAsked()) seen()
    else if (performance.now() - seenAt > timeoutMs) overrun()
  }, beatMs).unref()
  return {
    signs: { memory: signs.buffer, beatMs } satisfies Signs,
    /** Answers are signs too, because many questions fit between two turns. */
    seen,
    /** The last question that was started. */
    question: () => Atomics.load(signs, QUESTION),
    stop: () => clearInterval(looks)
  }
}
