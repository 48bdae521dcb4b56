import { useEffect, useState } from 'react'

const STEPS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
]

const DAY_MS = 86_400_000
/** Ranges that end now, by their name in addresses. */
export const RECENT_RANGES = {
  '24h': { label: 'Last 24 hours', ms: DAY_MS },
  '7d': { label: 'Last 7 days', ms: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', ms: 30 * DAY_MS }
}

// Made at its first use, which is after the first paint.
let relative: Intl.RelativeTimeFormat | undefined

/** "3 days ago", "in 2 hours", "just now". */
export function formatAgo(iso: string, nowMs: number): string {
  const distanceMs = Date.parse(iso) - nowMs
  if (Number.isNaN(distanceMs)) return iso
  const unit = STEPS.find(([, ms]) => Math.abs(distanceMs) >= ms)
  if (!unit) return 'just now'
  relative ??= new Intl.RelativeTimeFormat('en')
  return relative.format(Math.trunc(distanceMs / unit[1]), unit[0])
}

/** Renders the component regularly while the page is visible, to update displayed ages. */
export function useTick(everyMs: number): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) tick((count) => count + 1)
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
