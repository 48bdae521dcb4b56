// A worker that reduces the samples of charts to pixels, so that the page stays responsive.

import { NO_SAMPLES, type Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { drawn, drawnLane } from './decimation.ts'
import { joined, unionTimes } from './history-samples.ts'

/** Samples of a line to keep, after the first `after` samples that the worker has already. */
export interface NewSamples {
  id: string
  samples: Samples
  after: number
}

export type Order =
  | { kind: 'keep'; ids: readonly string[]; added: readonly NewSamples[] }
  | { kind: 'draw' | 'lanes'; ids: readonly string[]; range: TimeRange; pixels: number; zone: string }
  | { kind: 'times'; ids: readonly string[]; range: TimeRange }

const samplesById = new Map<string, Samples>()

addEventListener('message', ({ data, ports: [reply] }: MessageEvent<Order>) => {
  if (data.kind === 'keep') keep(data)
  else reply?.postMessage(answerTo(data))
})

function keep({ ids, added }: Extract<Order, { kind: 'keep' }>): void {
  for (const id of samplesById.keys()) if (!ids.includes(id)) samplesById.delete(id)
  for (const { id, samples, after } of added) {
    const earlierSamples = after > 0 ? samplesById.get(id) : undefined
    samplesById.set(id, earlierSamples ? { ...samples, ...joined(earlierSamples, samples) } : samples)
  }
}

function answerTo(order: Exclude<Order, { kind: 'keep' }>) {
  const all = order.ids.map((id) => samplesById.get(id) ?? NO_SAMPLES)
  if (order.kind === 'times') return unionTimes(all, order.range)
  const { range, pixels, zone } = order
  if (order.kind === 'draw') return drawn(all, range, pixels, zone)
  return all.map((samples) => drawnLane(samples, range, pixels, zone))
}
