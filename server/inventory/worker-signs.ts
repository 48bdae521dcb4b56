// The worker's heartbeat, in shared memory so that a busy main thread can read it too: the current question, and that its
// event loop turns.

const [QUESTION, BEATS] = [0, 1]
/** Fine enough for a timeout to be kept within a fifth. */
const LOOKS_PER_TIMEOUT = 10

export interface Signs {
  memory: SharedArrayBuffer
  beatMs: number
}

/** For the worker: takes the number of the question that it begins. */
export function showSigns({ memory, beatMs }: Signs): (question: number) => void {
  const signs = new Int32Array(memory)
  const beat = () => Atomics.add(signs, BEATS, 1)
  beat()
  setInterval(beat, beatMs).unref()
  return (question) => void Atomics.store(signs, QUESTION, question)
}

/**
 * For the main thread: calls `overrun` when there was no sign for that long while something was asked.
 * @param isAsked whether something is
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
    // Before its first beat it is still starting.
    if (beats === 0 || beats !== Atomics.load(signs, BEATS) || !isAsked()) seen()
    else if (performance.now() - seenAt > timeoutMs) overrun()
  }, beatMs).unref()
  return {
    signs: { memory: signs.buffer, beatMs } satisfies Signs,
    /** An answer is a sign, too: many questions are taken between two turns. */
    seen,
    /** The last one that was begun. */
    question: () => Atomics.load(signs, QUESTION),
    stop: () => clearInterval(looks)
  }
}
