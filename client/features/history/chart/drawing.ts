import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { type ChartLine, type ChartPicture, picturesOf } from './chart-lines.ts'
import { type Drawn, NOTHING_DRAWN } from './decimation.ts'
import type { Order } from './drawing-worker.ts'

export type Drawing = ReturnType<typeof createDrawing>

function createDrawing() {
  const worker = new Worker(new URL('./drawing-worker.ts', import.meta.url), { type: 'module' })
  let oldIds: readonly string[] = []
  const idsOf = (lines: readonly ChartLine[]) => lines.map(({ id }) => id)
  const send = <Answer>(order: Order) =>
    new Promise<Answer>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => {
        port1.close()
        resolve(data)
      }
      worker.postMessage(order, [port2])
    })
  return {
    /** Sends the samples that the worker lacks; the worker removes the samples of other lines. */
    keep(lines: readonly ChartLine[]) {
      const ids = idsOf(lines)
      const added = lines.filter(({ id }) => !oldIds.includes(id)).map(({ id, samples }) => ({ id, samples }))
      worker.postMessage({ kind: 'keep', ids, added } satisfies Order)
      oldIds = ids
    },
    draw: (lines: readonly ChartLine[], range: TimeRange, pixels: number, zone: string) =>
      send<Drawn>({ kind: 'draw', ids: idsOf(lines), range, pixels, zone }),
    /** All times at which at least one line has a record. */
    times: (lines: readonly ChartLine[], range: TimeRange) =>
      send<Float64Array>({ kind: 'times', ids: idsOf(lines), range }),
    close: () => worker.terminate()
  }
}

/** A worker that gets the samples of each line once. Null at first, and in browsers without workers. */
export function useDrawing(lines: readonly ChartLine[]): Drawing | null {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  useEffect(() => {
    if (typeof Worker === 'undefined') return
    const newDrawing = createDrawing()
    setDrawing(newDrawing)
    return newDrawing.close
  }, [])
  // A layout effect runs before the effects of children, which request drawings.
  useLayoutEffect(() => drawing?.keep(lines), [drawing, lines])
  return drawing
}

export interface DrawnPicture extends ChartPicture {
  drawn: Drawn
}

export interface DrawnPictures {
  /** The range that the pictures were drawn for. */
  view: TimeRange
  pictures: readonly DrawnPicture[]
}

/** The charts of the lines, drawn for this width in pixels; null before the first drawing. */
export function useDrawn(
  lines: readonly ChartLine[],
  drawing: Drawing | null,
  view: TimeRange,
  width: number,
  zone: string
): DrawnPictures | null {
  const pictures = useMemo(() => picturesOf(lines), [lines])
  const [drawnPictures, setDrawnPictures] = useState<DrawnPictures | null>(null)
  useEffect(() => {
    if (!drawing || width === 0) return
    let isCurrent = true
    const { fromMs, toMs } = view
    const drawings = pictures.map(async (picture) => ({
      ...picture,
      drawn: picture.state
        ? { ...NOTHING_DRAWN, times: [fromMs, toMs] }
        : await drawing.draw(picture.lines, view, width, zone)
    }))
    void Promise.all(drawings).then((newPictures) => {
      if (isCurrent) setDrawnPictures({ view, pictures: newPictures })
    })
    return () => {
      isCurrent = false
    }
  }, [drawing, pictures, view, width, zone])
  return drawnPictures
}
