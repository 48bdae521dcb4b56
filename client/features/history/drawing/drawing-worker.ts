// A worker that keeps the samples of charts and says what of them is drawn, so that the page is never held up by them.

import type { TimeRange } from '../../../lib/time/date-range.ts'
import { NO_SAMPLES, type Samples, unionTimes } from '../records/history-samples.ts'
import { type Drawn, type DrawnSeries, drawn, drawnSeries } from './decimation.ts'

export type Order =
  | { kind: 'keep'; id: string; samples: Samples; heldUntilMs: number | null }
  | { kind: 'drop'; id: string }
  | { kind: 'draw'; ticket: number; ids: readonly string[]; range: TimeRange; pixels: number }
  | { kind: 'times'; ticket: number; ids: readonly string[]; range: TimeRange }

export type Answer = { ticket: number; drawn: Drawn } | { ticket: number; times: Float64Array }

/** In the place of what is not here, so that all others keep theirs. */
const NOTHING = drawnSeries(NO_SAMPLES, null)
const kept = new Map<string, DrawnSeries>()

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'keep') kept.set(data.id, drawnSeries(data.samples, data.heldUntilMs))
  else if (data.kind === 'drop') kept.delete(data.id)
  else {
    const { kind, ticket, ids, range } = data
    const series = ids.map((id) => kept.get(id) ?? NOTHING)
    const answer: Answer =
      kind === 'draw'
        ? { ticket, drawn: drawn(series, range.fromMs, range.toMs, data.pixels) }
        : { ticket, times: unionTimes(series, range) }
    postMessage(answer)
  }
})
