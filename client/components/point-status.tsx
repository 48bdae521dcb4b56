import { statusName } from '../lib/out-value.ts'

/** The flags of a point in Niagara's order; null where nothing is known of them. */
export function PointStatus({ flags }: { flags: readonly string[] | null }) {
  if (flags === null) return <span className="muted">Unknown</span>
  if (flags.length === 0) return <span className="badge ok">OK</span>
  return (
    <span className="point-status">
      {flags.map((flag) => {
        const { name, tone } = statusName(flag)
        return (
          <span key={flag} className={`badge ${tone}`}>
            {name}
          </span>
        )
      })}
    </span>
  )
}
