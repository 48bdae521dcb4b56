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
const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
let timer: NodeJS.Timeout | undefined
let cpuAtStart = 0
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
    lag.reset()
    lag.enable()
    longestBlock = 0
    let lastCpu = sum(process.threadCpuUsage())
    timer = setInterval(() => {
      const cpu = sum(process.threadCpuUsage())
      longestBlock = Math.max(longestBlock, cpu - lastCpu)
      lastCpu = cpu
    }, RESOLUTION_MS)
    cpuAtStart = sum(process.cpuUsage())
  },
  /** The usage since `watch`. */
  watched(): Usage {
    const cpuMs = (sum(process.cpuUsage()) - cpuAtStart) / 1000
    lag.disable()
    clearInterval(timer)
    return { cpuMs, heldWallMs: Math.max(0, lag.max / 1e6 - RESOLUTION_MS), heldCpuMs: longestBlock / 1000 }
  }
})

// Otherwise the IPC channel would keep a stopped server alive.
process.channel?.unref()
