// Loaded into a server under measurement, before its own code: tells what the process has used.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answer } from './answer.ts'

export interface Memory {
  rssBytes: number
  heapBytes: number
}

/** Finest there is. The figures contain this time itself. */
const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

answer({
  /** Microseconds of CPU, of all threads, since the start. */
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  /** What is left after a garbage collection. */
  memory(): Memory {
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    return { rssBytes: rss, heapBytes: heapUsed }
  },
  /** The most memory that the process ever had. */
  peakBytes: () => process.resourceUsage().maxRSS * 1024,
  /** Begins to watch how long the event loop is held. */
  watchLoop() {
    delay.reset()
    delay.enable()
  },
  /** Ends it; the longest time in milliseconds. */
  longestHold() {
    delay.disable()
    return Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
  }
})

// Questions alone do not keep a server alive that was told to stop.
process.channel?.unref()
