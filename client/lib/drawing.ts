// Asks the worker what is drawn. Where there are no workers it is decided here.
import type { TimeRange } from './date-range.ts'
import { type Drawn, type DrawnSeries, drawn, drawnSeries } from './decimation.ts'
import type { Answer, Order } from './drawing-worker.ts'
import { NO_SAMPLES, type Samples, unionTimes } from './history-samples.ts'

export interface Drawing {
  /** Samples under a name; they are copied once. Whether they hold until they change, as states do. */
  keep(id: string, samples: Samples, holds: boolean): void
  drop(id: string): void
  draw(ids: readonly string[], range: TimeRange, pixels: number): Promise<Drawn>
  /** Every time at which any of them has a record. */
  times(ids: readonly string[], range: TimeRange): Promise<Float64Array>
  close(): void
}

export function createDrawing(): Drawing {
  return typeof Worker === 'undefined' ? drawingHere() : drawingInWorker()
}

function drawingHere(): Drawing {
  const kept = new Map<string, DrawnSeries>()
  const named = (ids: readonly string[]) => ids.map((id) => kept.get(id) ?? { ...NO_SAMPLES, gapMs: 0 })
  return {
    keep: (id, samples, holds) => void kept.set(id, drawnSeries(samples, holds)),
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
    keep: (id, samples, holds) => say({ kind: 'keep', id, samples, holds }),
    drop: (id) => say({ kind: 'drop', id }),
    async draw(ids, range, pixels) {
      const answer = await ask((ticket) => ({ kind: 'draw', ticket, ids, range, pixels }))
      return 'drawn' in answer ? answer.drawn : { times: [], values: [], decimated: false }
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
