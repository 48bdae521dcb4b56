// Loaded into a server under measurement, before its own code: tells what the process has used.
import { answer } from './answer.ts'

export interface Memory {
  rssBytes: number
  heapBytes: number
}

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
  }
})

// Questions alone do not keep a server alive that was told to stop.
process.channel?.unref()
