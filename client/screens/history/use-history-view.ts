import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { TimeRange } from '../../lib/date-range.ts'
import { type HistoryView, readHistoryView, writeHistoryView } from '../../lib/history-view.ts'

const SETTLED_MS = 300

export interface HistoryControl {
  view: HistoryView
  /** Points that the address names beyond those that a chart takes. */
  tooMany: number
  change: (change: Partial<HistoryView>) => void
  /** The time in view moves with the pointer; the address follows once it rests. */
  zoomTo: (zoom: TimeRange | null) => void
}

/** The history that the address says. */
export function useHistoryView(): HistoryControl {
  const [query, setQuery] = useSearchParams()
  const { tooMany, ...said } = readHistoryView(query)
  const [moving, setMoving] = useState<{ zoom: TimeRange | null } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const change = useCallback(
    (next: Partial<HistoryView>) => {
      clearTimeout(timer.current)
      setMoving(null)
      setQuery((current) => writeHistoryView({ ...readHistoryView(current), ...next }, current), {
        replace: true
      })
    },
    [setQuery]
  )
  const zoomTo = useCallback(
    (zoom: TimeRange | null) => {
      setMoving({ zoom })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => change({ zoom }), SETTLED_MS)
    },
    [change]
  )
  return { view: moving ? { ...said, zoom: moving.zoom } : said, tooMany, change, zoomTo }
}
