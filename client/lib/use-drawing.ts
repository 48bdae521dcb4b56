import { useEffect, useLayoutEffect, useState } from 'react'
import type { ChartLine } from './chart-lines.ts'
import { isState } from './chart-lines.ts'
import { createDrawing, type Drawing } from './drawing.ts'

/** Hands the samples of these lines to what draws them, each once. Null before the first time. */
export function useDrawing(lines: readonly ChartLine[]): Drawing | null {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [kept] = useState(() => new Set<string>())
  useEffect(() => {
    const created = createDrawing()
    setDrawing(created)
    return () => {
      created.close()
      kept.clear()
    }
  }, [kept])
  // Before the effects of what is below, which ask for what is drawn.
  useLayoutEffect(() => {
    if (!drawing) return
    const ids = new Set(lines.map(({ id }) => id))
    for (const id of kept)
      if (!ids.has(id)) {
        kept.delete(id)
        drawing.drop(id)
      }
    for (const { id, samples, point } of lines) {
      if (kept.has(id)) continue
      kept.add(id)
      drawing.keep(id, samples, isState(point))
    }
  }, [drawing, lines, kept])
  return drawing
}
