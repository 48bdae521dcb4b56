import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { type ChartLine, type ChartPicture, picturesOf } from './chart-lines.ts'
import { type Drawn, NOTHING_DRAWN } from './decimation.ts'
import type { Answer, Order } from './drawing-worker.ts'
import type { Samples } from './history-samples.ts'

export type Drawing = ReturnType<typeof createDrawing>

function createDrawing() {
  const worker = new Worker(new URL('./drawing-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (answer: Answer) => void>()
  let tickets = 0
  const send = (order: Order) => worker.postMessage(order)
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.ticket)?.(data)
    waiting.delete(data.ticket)
  })
  const ask = (order: (ticket: number) => Order) =>
    new Promise<Answer>((resolve) => {
      tickets += 1
      waiting.set(tickets, resolve)
      send(order(tickets))
    })
  const idsOf = (lines: readonly ChartLine[]) => lines.map(({ id }) => id)
  return {
    keep: (id: string, samples: Samples | null) => send({ kind: 'keep', id, samples }),
    async draw(lines: readonly ChartLine[], range: TimeRange, pixels: number, zone: string): Promise<Drawn> {
      const ids = idsOf(lines)
      return (
        (await ask((ticket) => ({ kind: 'draw', ticket, ids, range, pixels, zone }))).drawn ?? NOTHING_DRAWN
      )
    },
    /** Every time at which any of the lines has a record. */
    async times(lines: readonly ChartLine[], range: TimeRange): Promise<Float64Array> {
      const ids = idsOf(lines)
      return (await ask((ticket) => ({ kind: 'times', ticket, ids, range }))).times ?? new Float64Array(0)
    },
    close: () => worker.terminate()
  }
}

/** Sends the samples of each line to the worker once. Null at first, and in browsers without workers. */
export function useDrawing(lines: readonly ChartLine[]): Drawing | null {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [kept] = useState(() => new Set<string>())
  useEffect(() => {
    if (typeof Worker === 'undefined') return
    const created = createDrawing()
    setDrawing(created)
    return () => {
      created.close()
      kept.clear()
    }
  }, [kept])
  // Before the effects of children, which request drawings.
  useLayoutEffect(() => {
    if (!drawing) return
    const ids = new Set(lines.map(({ id }) => id))
    for (const id of kept)
      if (!ids.has(id)) {
        kept.delete(id)
        drawing.keep(id, null)
      }
    for (const { id, samples } of lines) {
      if (kept.has(id)) continue
      kept.add(id)
      drawing.keep(id, samples)
    }
  }, [drawing, lines, kept])
  return drawing
}

export interface DrawnPicture extends ChartPicture {
  drawn: Drawn
}

/** The view is the one that the pictures were drawn for. */
export interface DrawnPictures {
  view: TimeRange
  pictures: readonly DrawnPicture[]
}

/** The lines as drawn at this width in pixels. */
export function useDrawn(
  lines: readonly ChartLine[],
  drawing: Drawing | null,
  view: TimeRange,
  width: number,
  zone: string
): DrawnPictures | null {
  const pictures = useMemo(() => picturesOf(lines), [lines])
  const [shown, setShown] = useState<DrawnPictures | null>(null)
  useEffect(() => {
    if (!drawing || width === 0) return
    let isWanted = true
    const { fromMs, toMs } = view
    const all = pictures.map(async (picture) => ({
      ...picture,
      drawn: picture.state
        ? { ...NOTHING_DRAWN, times: [fromMs, toMs] }
        : await drawing.draw(picture.lines, view, width, zone)
    }))
    void Promise.all(all).then((done) => {
      if (isWanted) setShown({ view, pictures: done })
    })
    return () => {
      isWanted = false
    }
  }, [drawing, pictures, view, width, zone])
  return shown
}
