import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { LineSwatch } from '../../../ui/chart/line-swatch.tsx'
import { IconButton } from '../icon-button.tsx'
import type { Histories } from '../records/use-histories.ts'
import { ChosenState } from './chosen-state.tsx'
import type { ChosenPoint } from './use-chosen-points.ts'

interface ChosenListProps {
  chosen: readonly ChosenPoint[]
  histories: Histories
  /** What a missing point was called when its report was saved. */
  nameOf: (point: ChosenPoint) => string
  onRemove: (key: string) => void
  onMove: (place: number, by: 1 | -1) => void
  onRetry: (key: string) => void
}

/** The points of the chart: which line is which, and how its loading goes. */
export function ChosenList(props: ChosenListProps) {
  const { chosen, histories, nameOf, onRemove, onMove, onRetry } = props
  return (
    <section className="chosen" aria-labelledby="chosen-heading">
      <h2 id="chosen-heading">
        Selected ({chosen.length}/{CHART_POINTS_MAX})
      </h2>
      {chosen.length === 0 && <p className="muted">No point yet. Search below and tick what to chart.</p>}
      <ol>
        {chosen.map((one) => {
          const name = nameOf(one)
          return (
            <li key={one.key}>
              <LineSwatch color={one.color} />
              <div className="chosen-words">
                <strong>{name}</strong>
                <small>{one.device?.deviceName}</small>
                <ChosenState one={one} histories={histories} onRetry={onRetry} />
              </div>
              <div className="chosen-actions">
                <IconButton
                  small
                  name={`Move ${name} up`}
                  Icon={ArrowUp}
                  off={one.place === 0}
                  onPress={() => onMove(one.place, -1)}
                />
                <IconButton
                  small
                  name={`Move ${name} down`}
                  Icon={ArrowDown}
                  off={one.place === chosen.length - 1}
                  onPress={() => onMove(one.place, 1)}
                />
                <IconButton small name={`Remove ${name}`} Icon={X} onPress={() => onRemove(one.key)} />
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
