// A worker that reduces the samples of charts to pixels, so that the page stays responsive.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { type Drawn, drawn } from './decimation.ts'
import { NO_SAMPLES, type Samples, unionTimes } from './history-samples.ts'

export type Order =
  | { kind: 'keep'; id: string; samples: Samples | null }
  | { kind: 'draw'; ticket: number; ids: readonly string[]; range: TimeRange; pixels: number; zone: string }
  | { kind: 'times'; ticket: number; ids: readonly string[]; range: TimeRange }

export type Answer = { ticket: number; drawn?: Drawn; times?: Float64Array }

const kept = new Map<string, Samples>()

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'keep') {
    if (data.samples) kept.set(data.id, data.samples)
    else kept.delete(data.id)
    return
  }
  const { ticket, range } = data
  const all = data.ids.map((id) => kept.get(id) ?? NO_SAMPLES)
  const answer: Answer =
    data.kind === 'draw'
      ? { ticket, drawn: drawn(all, range, data.pixels, data.zone) }
      : { ticket, times: unionTimes(all, range) }
  postMessage(answer)
})
