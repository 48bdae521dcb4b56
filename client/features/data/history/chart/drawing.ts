import { useEffect, useLayoutEffect, useState } from 'react'
import type { Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { ChartLine, ChartPicture } from './chart-lines.ts'
import { type Drawn, type LaneSegment, NOTHING_DRAWN } from './decimation.ts'
import type { NewSamples, Order } from './drawing-worker.ts'

export type Drawing = ReturnType<typeof createDrawing>

/** @param restart replaces the drawing by a new one, after a failure */
function createDrawing(restart: () => void) {
  const worker = new Worker(new URL('./drawing-worker.ts', import.meta.url), { type: 'module' })
  const sentSamples = new Map<string, Samples>()
  const idsOf = (lines: readonly ChartLine[]) => lines.map(({ id }) => id)
  const unanswered = new Map<MessagePort, (error: Error) => void>()
  let failure: Error | null = null
  // A worker whose script did not load or threw may answer no order.
  worker.onerror = () => {
    failure = new Error('the worker failed')
    for (const [port, reject] of unanswered) {
      port.close()
      reject(failure)
    }
    unanswered.clear()
  }
  const send = <Answer>(order: Order) =>
    new Promise<Answer>((resolve, reject) => {
      if (failure) return reject(failure)
      const { port1, port2 } = new MessageChannel()
      unanswered.set(port1, reject)
      port1.onmessage = ({ data }) => {
        port1.close()
        unanswered.delete(port1)
        resolve(data)
      }
      worker.postMessage(order, [port2])
    })
  return {
    restart,
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
    let current: Drawing | null = null
    const start = () => {
      current?.close()
      current = createDrawing(start)
      setDrawing(current)
    }
    start()
    return () => current?.close()
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

interface DrawnResult {
  /** Null before the first drawing. */
  drawn: DrawnPictures | null
  hasFailed: boolean
}

/** The charts of the lines, drawn for this width in pixels. */
export function useDrawn(
  pictures: readonly ChartPicture[],
  drawing: Drawing | null,
  view: TimeRange,
  width: number,
  zone: string
): DrawnResult {
  const [result, setResult] = useState<DrawnResult>({ drawn: null, hasFailed: false })
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
    void Promise.all(drawings).then(
      (newPictures) => {
        if (isCurrent) setResult({ drawn: { view, pictures: newPictures }, hasFailed: false })
      },
      () => {
        if (isCurrent) setResult({ drawn: null, hasFailed: true })
      }
    )
    return () => {
      isCurrent = false
    }
  }, [drawing, pictures, view, width, zone])
  return result
}
