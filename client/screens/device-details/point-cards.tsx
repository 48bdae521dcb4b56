import { CardList } from '../../components/card-list.tsx'
import type { Point } from '../../lib/points.ts'
import { Actions, PointLink, type PointRows, Status, Value } from './point-columns.tsx'

export function PointCards({ points, rows }: { points: readonly Point[]; rows: PointRows }) {
  const { keys, onChange, refusalOf } = rows.selection
  return (
    <CardList
      label={`Points of ${rows.device.deviceName}`}
      rows={points}
      rowKey={({ cloudId }) => cloudId}
      heading={(point) => <PointLink point={point} rows={rows} />}
      nameOf={({ displayName }) => displayName}
      lead={(point) => {
        const refusal = refusalOf?.(point) ?? null
        if (!rows.mayChart) return null
        return (
          <span className="column-select" title={refusal ?? undefined}>
            <input
              type="checkbox"
              aria-label={`Select ${point.displayName}${refusal ? `: ${refusal}` : ''}`}
              aria-disabled={refusal ? true : undefined}
              checked={keys.has(point.cloudId)}
              onChange={(event) => {
                if (refusal) return
                const next = new Set(keys)
                if (event.target.checked) next.add(point.cloudId)
                else next.delete(point.cloudId)
                onChange(next)
              }}
            />
          </span>
        )
      }}
      facts={(point) => [
        { name: 'Value', value: <Value point={point} rows={rows} /> },
        { name: 'Status', value: <Status point={point} rows={rows} /> }
      ]}
      more={(point) => [
        { name: 'Type', value: point.writable ? `${point.kind}, writable` : point.kind },
        { name: 'History', value: point.historyName ?? 'None' },
        { name: 'Path', value: point.slotPath || '–' }
      ]}
      actions={(point) => <Actions point={point} rows={rows} />}
    />
  )
}
