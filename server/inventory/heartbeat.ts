// The worker's heartbeat: the id of the current call, and a counter that rises while its event loop turns. Both are in
// shared memory, so that the main thread reads them even while the worker is busy.

const CALL_INDEX = 0
const BEATS_INDEX = 1
/** Checks per timeout: enough that the worker is stopped at most a fifth too late. */
const CHECKS_PER_TIMEOUT = 10

export interface HeartbeatMemory {
  memory: SharedArrayBuffer
  beatMs: number
}

/** For the worker. Starts the heartbeat; returns a function to call with the id of each call that starts. */
export function startHeartbeat({ memory, beatMs }: HeartbeatMemory): (callId: number) => void {
  const values = new Int32Array(memory)
  const beat = () => Atomics.add(values, BEATS_INDEX, 1)
  beat()
  setInterval(beat, beatMs).unref()
  return (callId) => void Atomics.store(values, CALL_INDEX, callId)
}

/** For the main thread: calls `onTimeout` if the worker has not progressed for `timeoutMs` although calls are pending. */
export function watchHeartbeat(timeoutMs: number, hasCalls: () => boolean, onTimeout: () => void) {
  const values = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const beatMs = timeoutMs / CHECKS_PER_TIMEOUT
  let lastBeats = 0
  let progressAt = performance.now()
  function noteProgress(): void {
    lastBeats = Atomics.load(values, BEATS_INDEX)
    progressAt = performance.now()
  }
  const checks = setInterval(() => {
    const isStarting = lastBeats === 0
    const hasBeaten = lastBeats !== Atomics.load(values, BEATS_INDEX)
    if (isStarting || hasBeaten || !hasCalls()) noteProgress()
    else if (performance.now() - progressAt > timeoutMs) onTimeout()
  }, beatMs).unref()
  return {
    heartbeat: { memory: values.buffer, beatMs } satisfies HeartbeatMemory,
    /** Call for each reply: the worker may reply to many calls between two beats. */
    noteProgress,
    /** The id of the last call that was started. */
    currentCall: () => Atomics.load(values, CALL_INDEX),
    stop: () => clearInterval(checks)
  }
}
