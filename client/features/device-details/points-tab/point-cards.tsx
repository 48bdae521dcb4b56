import { CardList } from '../../../ui/list/card-list.tsx'
import type { Point } from '../../points/point.ts'
import { PointBox } from '../../points/point-box.tsx'
import { WholePath } from '../../points/slot-path.tsx'
import { Actions, PointLink, type PointRows, Status, Value } from './point-columns.tsx'

export function PointCards({ points, rows }: { points: readonly Point[]; rows: PointRows }) {
  return (
    <CardList
      label={`Points of ${rows.device.deviceName}`}
      rows={points}
      rowKey={({ cloudId }) => cloudId}
      heading={(point) => <PointLink point={point} rows={rows} />}
      nameOf={({ displayName }) => displayName}
      lead={(point) => rows.mayChart && <PointBox point={point} selection={rows.selection} />}
      facts={(point) => [
        { name: 'Value', value: <Value point={point} rows={rows} /> },
        { name: 'Status', value: <Status point={point} rows={rows} /> }
      ]}
      more={(point) => [
        { name: 'Type', value: point.writable ? `${point.kind}, writable` : point.kind },
        { name: 'History', value: point.historyName ?? 'None' },
        { name: 'Path', value: point.slotPath ? <WholePath path={point.slotPath} /> : '–' }
      ]}
      actions={(point) => <Actions point={point} rows={rows} />}
    />
  )
}
