import Siren from 'lucide-react/icons/siren'
import { count, formatNumber } from '../../../lib/format.ts'
import { useCountWhileHidden } from '../../../lib/page-title.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useAlarmsTarget, useAlarmTotal } from './alarm-totals.ts'

const SHOWN_MAX = 999

/** Leads to the alarms, with the number of those that need action. */
export function AlarmsButton() {
  const target = useAlarmsTarget()
  const total = useAlarmTotal(target?.customerId ?? null) ?? 0
  useCountWhileHidden(target ? total : 0)
  if (target === null) return null
  const name = target.customerId === null ? 'Alarms of all customers' : 'Alarms'
  return (
    <PrefetchLink
      to={target.to}
      className="anchor button quiet icon"
      aria-label={total > 0 ? `${name}, ${count(total, 'alarm')} to act on` : name}
      title={name}
    >
      <Siren />
      {total > 0 && (
        <span className="header-count" aria-hidden="true">
          {total > SHOWN_MAX ? `${formatNumber(SHOWN_MAX)}+` : total}
        </span>
      )}
    </PrefetchLink>
  )
}
