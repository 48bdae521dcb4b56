// Preloaded into a measured server: reports the resources that the process used.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answer } from './answer.ts'

export interface Memory {
  rssBytes: number
  heapBytes: number
}

export interface Hold {
  /** The longest block of the event loop in milliseconds of wall-clock time. */
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

// The channel does not keep a stopped server alive.
process.channel?.unref()
