// Preloaded into a measured server: reports the CPU time, memory and event-loop blocks of the process.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answer } from './answer.ts'

export interface Memory {
  rssBytes: number
  heapBytes: number
}

export interface Usage {
  /** CPU time of all threads. */
  cpuMs: number
  /** The longest block of the event loop: wall-clock time, and CPU time of the main thread. */
  heldWallMs: number
  heldCpuMs: number
}

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
let ticking: NodeJS.Timeout | undefined
let startedAt = 0
let longestBlock = 0

const sum = ({ user, system }: NodeJS.CpuUsage) => user + system

answer({
  /** CPU time of all threads since the start, in microseconds. */
  cpu: () => sum(process.cpuUsage()),
  memory(): Memory {
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    return { rssBytes: rss, heapBytes: heapUsed }
  },
  peakBytes: () => process.resourceUsage().maxRSS * 1024,
  watch() {
    delay.reset()
    delay.enable()
    longestBlock = 0
    let before = sum(process.threadCpuUsage())
    ticking = setInterval(() => {
      const now = sum(process.threadCpuUsage())
      longestBlock = Math.max(longestBlock, now - before)
      before = now
    }, RESOLUTION_MS)
    startedAt = sum(process.cpuUsage())
  },
  /** The usage since `watch`. */
  watched(): Usage {
    const cpuMs = (sum(process.cpuUsage()) - startedAt) / 1000
    delay.disable()
    clearInterval(ticking)
    return { cpuMs, heldWallMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS), heldCpuMs: longestBlock / 1000 }
  }
})

// The channel does not keep a stopped server alive.
process.channel?.unref()
