import type { Device } from '#shared/answers/customers.ts'
import { copyText } from '../../../lib/copy-text.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { toasts } from '../../../ui/state/toasts.ts'
import { notChartable, type Point } from '../../data/points/point.ts'
import {
  HISTORY_COLUMN,
  PATH_COLUMN,
  PointStatus,
  PointValue,
  pointColumn
} from '../../data/points/point-value.tsx'
import { clearProblem, flagsOf, type LiveValues } from '../api.ts'
import type { CommandKind } from '../command-dialogs.tsx'

interface PointCells {
  customerPath: string
  device: Device
  /** Null while live values are switched off. */
  liveValues: LiveValues | null
  tablet: boolean
}

export function pointColumns({ customerPath, device, liveValues, tablet }: PointCells): ListColumn<Point>[] {
  return [
    pointColumn(customerPath, device.deviceUuid),
    PATH_COLUMN,
    {
      id: 'value',
      header: 'Value',
      width: 7.75,
      whole: true,
      align: 'end',
      cell: (point) => (
        <PointValue
          point={point}
          live={liveValues?.values.get(point.cloudId)}
          outdated={liveValues?.error !== undefined}
        />
      ),
      card: 'fact'
    },
    {
      id: 'status',
      header: 'Status',
      width: 7.75,
      cell: (point) => <PointStatus flags={flagsOf(point, liveValues)} />,
      card: 'fact'
    },
    {
      id: 'tags.dataType',
      header: 'Type',
      width: 9,
      whole: true,
      sort: 'type',
      cell: ({ kind, writable }) => (writable ? `${kind}, writable` : kind)
    },
    { ...HISTORY_COLUMN, ...(tablet ? { table: 'on-demand' } : {}) }
  ]
}

interface PointActions {
  mayWrite: boolean
  /** Null while live values are switched off. */
  liveValues: LiveValues | null
  /** Null if the person may not chart histories, or charting is off. */
  onHistory: ((point: Point) => void) | null
  onCommand: (command: { kind: CommandKind; point: Point }) => void
}

export function pointActions(
  point: Point,
  { mayWrite, liveValues, onHistory, onCommand }: PointActions
): MenuItem[] {
  const notWritable = point.writable ? null : 'This point is not writable'
  const items: MenuItem[] = []
  if (onHistory)
    items.push({
      label: 'Open history',
      disabledReason: notChartable(point),
      onSelect: () => onHistory(point)
    })
  if (mayWrite)
    items.push(
      { label: 'Write', disabledReason: notWritable, onSelect: () => onCommand({ kind: 'write', point }) },
      {
        label: 'Clear override',
        disabledReason: clearProblem(point, flagsOf(point, liveValues)),
        onSelect: () => onCommand({ kind: 'clear', point })
      }
    )
  items.push({
    label: 'Copy path',
    disabledReason: point.slotPath ? null : 'This point has no path',
    onSelect: () =>
      void copyText(point.slotPath).then(
        () => toasts.ok('Path copied.'),
        () => toasts.failed('The path could not be copied.')
      )
  })
  return items
}
