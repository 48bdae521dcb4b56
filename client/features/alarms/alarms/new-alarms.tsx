import { count } from '../../../lib/format.ts'

interface NewAlarmsProps {
  /** The number of new alarms that are not shown yet. */
  fresh: number
  onShow: () => void
}

/** Offers new alarms above the rows, which stay in place. Always mounted, so that the first ones are announced. */
export function NewAlarms({ fresh, onShow }: NewAlarmsProps) {
  return (
    <div role="status">
      {fresh > 0 && (
        <button type="button" className="button fresh-pill" onClick={onShow}>
          Show {count(fresh, 'new alarm')}
        </button>
      )}
    </div>
  )
}
