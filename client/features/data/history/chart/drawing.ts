import { useEffect, useLayoutEffect, useState } from 'react'
import type { Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { ChartLine, ChartPicture } from './chart-lines.ts'
import { type Drawn, type LaneSegment, NOTHING_DRAWN } from './decimation.ts'
import type { NewSamples, Order } from './drawing-worker.ts'

export type Drawing = ReturnType<typeof createDrawing>

function createDrawing() {
  const worker = new Worker(new URL('./drawing-worker.ts', import.meta.url), { type: 'module' })
  const sentSamples = new Map<string, Samples>()
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
      const added = lines.flatMap((line) => newSamples(line, sentSamples.get(line.id)))
      worker.postMessage({ kind: 'keep', ids, added } satisfies Order)
      sentSamples.clear()
      for (const { id, samples } of lines) sentSamples.set(id, samples)
    },
    draw: (lines: readonly ChartLine[], range: TimeRange, pixels: number, zone: string) =>
      send<Drawn>({ kind: 'draw', ids: idsOf(lines), range, pixels, zone }),
    lanes: (lines: readonly ChartLine[], range: TimeRange, pixels: number, zone: string) =>
      send<LaneSegment[][]>({ kind: 'lanes', ids: idsOf(lines), range, pixels, zone }),
    /** All times at which at least one line has a record. */
    times: (lines: readonly ChartLine[], range: TimeRange) =>
      send<Float64Array>({ kind: 'times', ids: idsOf(lines), range }),
    close: () => worker.terminate()
  }
}

/** The samples of a line that the worker lacks. The samples of an id only grow, so only the later ones are sent. */
function newSamples({ id, samples }: ChartLine, sent: Samples | undefined): NewSamples[] {
  if (samples === sent) return []
  const after = sent?.times.length ?? 0
  const { times, values, validUntilMs } = samples
  return [{ id, after, samples: { times: times.slice(after), values: values.slice(after), validUntilMs } }]
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
  /** The segments of each line of a lane; empty for a chart of numbers. */
  segments: readonly (readonly LaneSegment[])[]
}

export interface DrawnPictures {
  /** The range that the pictures were drawn for. */
  view: TimeRange
  pictures: readonly DrawnPicture[]
}

/** The charts of the lines, drawn for this width in pixels; null before the first drawing. */
export function useDrawn(
  pictures: readonly ChartPicture[],
  drawing: Drawing | null,
  view: TimeRange,
  width: number,
  zone: string
): DrawnPictures | null {
  const [drawnPictures, setDrawnPictures] = useState<DrawnPictures | null>(null)
  useEffect(() => {
    if (!drawing || width === 0) return
    let isCurrent = true
    const { fromMs, toMs } = view
    const drawings = pictures.map(async (picture): Promise<DrawnPicture> => {
      const { lines, state } = picture
      if (!state) return { ...picture, drawn: await drawing.draw(lines, view, width, zone), segments: [] }
      const segments = await drawing.lanes(lines, view, width, zone)
      return { ...picture, drawn: { ...NOTHING_DRAWN, times: [fromMs, toMs] }, segments }
    })
    void Promise.all(drawings).then((newPictures) => {
      if (isCurrent) setDrawnPictures({ view, pictures: newPictures })
    })
    return () => {
      isCurrent = false
    }
  }, [drawing, pictures, view, width, zone])
  return drawnPictures
}
