import type { Device } from '#shared/answers/customers.ts'
import { Chip } from '../../../ui/list/filters/filters.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import type { Point } from '../points/point.ts'
import { PointPicker } from '../points/point-picker.tsx'
import { type ChosenPoint, keyOf } from './points.ts'

interface ExportPointsProps {
  customerId: string
  points: readonly ChosenPoint[]
  onChange: (points: ChosenPoint[]) => void
}

export function ExportPoints({ customerId, points, onChange }: ExportPointsProps) {
  const keys = new Set(points.map(keyOf))
  return (
    <>
      <PointPicker
        customerId={customerId}
        isChosen={(point) => keys.has(keyOf(chosenPointOf(point)))}
        refusalOf={({ historyName }) => (historyName ? null : 'No history is recorded for this point')}
        onChange={(clickedPoints, on, device) => {
          const changedPoints = clickedPoints.map((point) => chosenPointOf(point, device))
          const others = points.filter(
            (point) => !changedPoints.some((other) => keyOf(other) === keyOf(point))
          )
          onChange(on ? [...others, ...changedPoints] : others)
        }}
        pageAtOnce
      />
      {points.length > 0 && (
        <ul className="row filter-chips chosen-points" aria-label="Chosen points">
          {points.map((point) => (
            <Chip
              key={keyOf(point)}
              name={point.label ?? 'this point'}
              onRemove={() => onChange(points.filter((other) => other !== point))}
            >
              {point.label ?? <Skeleton width="8rem" label="Loading the name" />}
            </Chip>
          ))}
        </ul>
      )}
    </>
  )
}

function chosenPointOf({ systemGuid, pointId, cloudId, displayName }: Point, device?: Device): ChosenPoint {
  return {
    systemGuid,
    pointId: pointId ?? cloudId,
    label: [device?.deviceName, displayName].filter(Boolean).join(' · ')
  }
}
