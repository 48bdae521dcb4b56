import type { Selection } from '../../ui/list/data-table.tsx'
import type { Point } from './point.ts'

/** Chooses a point on its card; where that is not possible, it says why. */
export function PointBox({ point, selection }: { point: Point; selection: Selection<Point> }) {
  const { keys, onChange, nameOf, refusalOf } = selection
  const refusal = refusalOf?.(point) ?? null
  return (
    <label className="select-box" title={refusal ?? undefined}>
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(point)}${refusal ? `: ${refusal}` : ''}`}
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
    </label>
  )
}
