import X from 'lucide-react/icons/x'
import { LineSwatch } from '../../../ui/chart/line-swatch.tsx'
import { IconButton } from '../icon-button.tsx'
import type { History } from '../use-history.ts'
import { ChosenState } from './chosen-state.tsx'

/** The points that are not drawn yet, or cannot be: the others are in the legend. */
export function PendingPoints({ history }: { history: History }) {
  const { chosen, histories, nameOf, retry, remove } = history
  const pending = chosen.filter((one) => histories.of(one)?.state !== 'ready')
  if (pending.length === 0) return null
  return (
    <ul className="findings" aria-label="Points without a line">
      {pending.map((one) => (
        <li key={one.key}>
          <LineSwatch color={one.color} />
          <div>
            <strong>{nameOf(one)}</strong> <ChosenState {...{ one, histories }} onRetry={retry} />
          </div>
          <IconButton small name={`Remove ${nameOf(one)}`} Icon={X} onPress={() => remove(one.key)} />
        </li>
      ))}
    </ul>
  )
}
