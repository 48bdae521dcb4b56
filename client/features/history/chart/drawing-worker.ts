// A worker that reduces the samples of charts to pixels, so that the page stays responsive.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import type { ChartLine } from './chart-lines.ts'
import { drawn } from './decimation.ts'
import { NO_SAMPLES, type Samples, unionTimes } from './history-samples.ts'

export type Order =
  | { kind: 'keep'; ids: readonly string[]; added: readonly Pick<ChartLine, 'id' | 'samples'>[] }
  | { kind: 'draw'; ids: readonly string[]; range: TimeRange; pixels: number; zone: string }
  | { kind: 'times'; ids: readonly string[]; range: TimeRange }

const samplesById = new Map<string, Samples>()

addEventListener('message', ({ data, ports: [reply] }: MessageEvent<Order>) => {
  if (data.kind === 'keep') {
    for (const id of samplesById.keys()) if (!data.ids.includes(id)) samplesById.delete(id)
    for (const { id, samples } of data.added) samplesById.set(id, samples)
    return
  }
  const lines = data.ids.map((id) => samplesById.get(id) ?? NO_SAMPLES)
  const { kind, range } = data
  reply?.postMessage(kind === 'draw' ? drawn(lines, range, data.pixels, data.zone) : unionTimes(lines, range))
})
