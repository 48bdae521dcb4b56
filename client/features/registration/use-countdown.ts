import { useEffect, useState } from 'react'

const STEP_MS = 1_000

export interface Countdown {
  leftMs: number
  restart: () => void
}

/** Counts down by the page's own clock, which no change of the system's time moves. */
export function useCountdown(forMs: number): Countdown {
  const [begunMs, setBegun] = useState(() => performance.now())
  const [nowMs, setNow] = useState(begunMs)
  const leftMs = Math.max(forMs - (nowMs - begunMs), 0)
  const over = leftMs === 0
  useEffect(() => {
    if (over) return
    const timer = setInterval(() => setNow(performance.now()), STEP_MS)
    return () => clearInterval(timer)
  }, [over])
  return {
    leftMs,
    restart() {
      setBegun(performance.now())
      setNow(performance.now())
    }
  }
}
