// Asks the worker what is drawn. Where there are no workers it is decided here.

import { useEffect, useLayoutEffect, useState } from 'react'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { NO_SAMPLES, type Samples, unionTimes } from '../records/history-samples.ts'
import type { ChartLine } from './chart-lines.ts'
import { type Drawn, type DrawnSeries, drawn, drawnSeries, NOTHING_DRAWN } from './decimation.ts'
import type { Answer, Order } from './drawing-worker.ts'

export interface Drawing {
  /** Samples under a name; they are copied once. Until when the last one holds, null where values do not. */
  keep(id: string, samples: Samples, heldUntilMs: number | null): void
  drop(id: string): void
  draw(ids: readonly string[], range: TimeRange, pixels: number): Promise<Drawn>
  /** Every time at which any of them has a record. */
  times(ids: readonly string[], range: TimeRange): Promise<Float64Array>
  close(): void
}

function createDrawing(): Drawing {
  return typeof Worker === 'undefined' ? drawingHere() : drawingInWorker()
}

function drawingHere(): Drawing {
  const kept = new Map<string, DrawnSeries>()
  const named = (ids: readonly string[]) => ids.map((id) => kept.get(id) ?? drawnSeries(NO_SAMPLES, null))
  return {
    keep: (id, samples, heldUntilMs) => void kept.set(id, drawnSeries(samples, heldUntilMs)),
    drop: (id) => void kept.delete(id),
    draw: async (ids, { fromMs, toMs }, pixels) => drawn(named(ids), fromMs, toMs, pixels),
    times: async (ids, range) => unionTimes(named(ids), range),
    close: () => kept.clear()
  }
}

function drawingInWorker(): Drawing {
  const worker = new Worker(new URL('./drawing-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (answer: Answer) => void>()
  let tickets = 0
  // Samples are copied on their way, a series in a turn of its own: several at once would hold up the page.
  const queue: Order[] = []
  const turns = new MessageChannel()
  let waits = false
  function pump() {
    waits = false
    for (let order = queue.shift(); order; order = queue.shift()) {
      worker.postMessage(order)
      if (order.kind === 'keep' && queue.length > 0) return takeTurns()
    }
  }
  function takeTurns() {
    waits = true
    turns.port2.postMessage(null)
  }
  turns.port1.onmessage = pump
  const say = (order: Order) => {
    queue.push(order)
    if (waits) return
    if (order.kind === 'keep') takeTurns()
    else pump()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.ticket)?.(data)
    waiting.delete(data.ticket)
  })
  const ask = (order: (ticket: number) => Order) =>
    new Promise<Answer>((resolve) => {
      tickets += 1
      waiting.set(tickets, resolve)
      say(order(tickets))
    })
  return {
    keep: (id, samples, heldUntilMs) => say({ kind: 'keep', id, samples, heldUntilMs }),
    drop: (id) => say({ kind: 'drop', id }),
    async draw(ids, range, pixels) {
      const answer = await ask((ticket) => ({ kind: 'draw', ticket, ids, range, pixels }))
      return 'drawn' in answer ? answer.drawn : NOTHING_DRAWN
    },
    async times(ids, range) {
      const answer = await ask((ticket) => ({ kind: 'times', ticket, ids, range }))
      return 'times' in answer ? answer.times : new Float64Array(0)
    },
    close() {
      turns.port1.close()
      worker.terminate()
    }
  }
}

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
    for (const { id, samples, heldUntilMs } of lines) {
      if (kept.has(id)) continue
      kept.add(id)
      drawing.keep(id, samples, heldUntilMs)
    }
  }, [drawing, lines, kept])
  return drawing
}
