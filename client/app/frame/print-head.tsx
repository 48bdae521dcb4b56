import { useSearchParams } from 'react-router-dom'
import { readHistoryView } from '../../features/data/points/history-address.ts'
import { usePrinting } from '../../lib/browser.ts'
import { useOrganization } from '../../lib/session/organization.ts'
import { useSession } from '../../lib/session/session.ts'
import { zoneText } from '../../lib/time/offset.ts'
import { formatMoment, useZone } from '../../lib/time/time.ts'

/** On paper, above the page: whose page it is, when and by whom it was printed, and the zone of its times. */
export function PrintHead() {
  const isPrinting = usePrinting()
  const { user, nowMs } = useSession()
  const { chosen } = useOrganization()
  const userZone = useZone()
  const [query] = useSearchParams()
  // The link of a history may name the zone of its author.
  const zone = readHistoryView(query).zone ?? userZone
  if (!isPrinting) return null
  const now = nowMs()
  const organization = chosen?.orgName || user.organizationName
  const zones = [...new Set([zone, zoneText(now, zone)])].join(', ')
  const printed = `Printed ${formatMoment(now, zone)} by ${user.fullName}`
  return (
    <p className="print-head">{[organization, printed, `Times in ${zones}`].filter(Boolean).join(' · ')}</p>
  )
}
