// Loaded into a server under measurement, before its own code: tells what the process has used.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answer } from './answer.ts'

export interface Memory {
  rssBytes: number
  heapBytes: number
}

export interface Hold {
  /** The longest time in milliseconds that the event loop was held: by the clock, other work of the machine included. */
  wallMs: number
  cpuMs: number
}

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
let ticking: NodeJS.Timeout | undefined
let busiest = 0

const sum = ({ user, system }: NodeJS.CpuUsage) => user + system

answer({
  /** Microseconds of CPU, of all threads, since the start. */
  cpu: () => sum(process.cpuUsage()),
  memory(): Memory {
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    return { rssBytes: rss, heapBytes: heapUsed }
  },
  peakBytes: () => process.resourceUsage().maxRSS * 1024,
  watchLoop() {
    delay.reset()
    delay.enable()
    busiest = 0
    let before = sum(process.threadCpuUsage())
    ticking = setInterval(() => {
      const now = sum(process.threadCpuUsage())
      busiest = Math.max(busiest, now - before)
      before = now
    }, RESOLUTION_MS)
  },
  longestHold(): Hold {
    delay.disable()
    clearInterval(ticking)
    return { wallMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS), cpuMs: busiest / 1000 }
  }
})

// Questions alone do not keep a server alive that was told to stop.
process.channel?.unref()
