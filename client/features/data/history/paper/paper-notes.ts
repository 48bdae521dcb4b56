// What the numbers of a printed history lack: points without records, gaps, and records that are left out.
import type { Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { durationText } from '../../../../lib/duration.ts'
import { count } from '../../../../lib/format.ts'
import { failureOf } from '../../../../lib/http/api-error.ts'
import type { LoadState } from '../../../../lib/loads.ts'
import { rangeText } from '../../../../lib/time/date-range.ts'
import { notChartable } from '../../points/point.ts'
import type { LoadedHistory } from '../api.ts'
import { gapsIn } from '../chart/decimation.ts'
import { notesIn } from '../chart/history-samples.ts'
import type { ChosenPoint } from '../use-histories.ts'
import type { History } from '../use-history.ts'

interface PointNotes {
  key: string
  name: string
  texts: string[]
}

/** The notes of each point that has any. */
export function paperNotes(
  { histories, nameOf, previous, zone }: Pick<History, 'histories' | 'nameOf' | 'previous' | 'zone'>,
  points: readonly ChosenPoint[],
  range: TimeRange
): PointNotes[] {
  return points.flatMap((chosenPoint) => {
    const { key, device, color } = chosenPoint
    const name = [`${color + 1} ${nameOf(chosenPoint)}`, device?.deviceName].filter(Boolean).join(', ')
    const texts = [
      ...problemOf(chosenPoint),
      ...periodNotes(histories.of(chosenPoint), range, zone),
      ...(previous ? periodNotes(histories.previousOf(chosenPoint), previous, zone) : []).map(
        (text) => `Period before: ${text}`
      )
    ]
    return texts.length > 0 ? [{ key, name, texts }] : []
  })
}

function problemOf({ found, point }: ChosenPoint): string[] {
  if (found?.state === 'failed') return [`${failureOf(found.error).title}.`]
  if (found?.state === 'ready' && !point) return ['This point no longer exists.']
  const reason = point && notChartable(point)
  return reason ? [`${reason}.`] : []
}

function periodNotes(load: LoadState<LoadedHistory> | undefined, range: TimeRange, zone: string): string[] {
  if (load?.state === 'failed') return [`${failureOf(load.error).title}. Its records are missing here.`]
  if (load?.state !== 'ready') return []
  if (load.value.times.length === 0) return ['No records.']
  return [...notesIn(load.value.notes, range), ...gapNotes(load.value, range, zone)]
}

/** "2 gaps of together 9 h, the longest from … to …." */
function gapNotes(samples: Samples, range: TimeRange, zone: string): string[] {
  const gaps = gapsIn(samples, range)
  const [longest] = gaps.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
  if (!longest) return []
  const ms = gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const where = rangeText(longest, zone)
  if (gaps.length === 1) return [`No records for ${durationText(ms)}, ${where}.`]
  return [`${count(gaps.length, 'gap')} of together ${durationText(ms)}, the longest ${where}.`]
}
