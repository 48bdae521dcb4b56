import type { TimeRange } from '../../../lib/time/date-range.ts'
import type { ChartLine } from '../drawing/chart-lines.ts'
import type { LegendRow } from './legend-rows.ts'

export interface LegendProps {
  /** Hidden ones too, and those of a previous period. */
  lines: readonly ChartLine[]
  view: TimeRange
  zone: string
  /** Whether the view ends with the present. */
  isLive: boolean
  isHidden: (line: ChartLine) => boolean
  onHide: (line: ChartLine) => void
  onIsolate: (line: ChartLine) => void
  onRemove: (line: ChartLine) => void
}

export interface TableProps extends LegendProps {
  rows: readonly LegendRow[]
  now: string
  /** Whether the names of the devices tell points apart. */
  withDevice: boolean
}
