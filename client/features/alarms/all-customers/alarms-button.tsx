import Siren from 'lucide-react/icons/siren'
import { count, formatNumber } from '../../../lib/format.ts'
import { useCountWhileHidden } from '../../../lib/page-title.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { ageText } from '../../../lib/time/time.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useAlarmsTarget, useAlarmTotal } from './alarm-totals.ts'

const SHOWN_MAX = 999
const AGE_UPDATE_MS = 5_000

/** Leads to the alarms, with the number of those that need action. */
export function AlarmsButton() {
  const target = useAlarmsTarget()
  const { total: known, lateSince } = useAlarmTotal(target?.customerId ?? null)
  const { nowMs } = useSession()
  useTick(AGE_UPDATE_MS)
  const total = known ?? 0
  useCountWhileHidden(target ? total : 0)
  if (target === null) return null
  const name = target.customerId === null ? 'Alarms of all customers' : 'Alarms'
  const age = lateSince === null ? null : ageText(lateSince, nowMs())
  const lateText = age === null ? '' : `, late for ${age}`
  return (
    <PrefetchLink
      to={target.to}
      className="anchor button quiet icon"
      aria-label={total > 0 ? `${name}, ${count(total, 'alarm')} to act on${lateText}` : name}
      title={`${name}${lateText}`}
    >
      <Siren />
      {total > 0 && (
        <span className={age === null ? 'header-count' : 'header-count late'} aria-hidden="true">
          {total > SHOWN_MAX ? `${formatNumber(SHOWN_MAX)}+` : total}
        </span>
      )}
    </PrefetchLink>
  )
}
