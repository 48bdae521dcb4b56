import { useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { CustomerName } from '#shared/answers/customers.ts'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { formatNumber } from '../../../lib/format.ts'
import type { QueryResult } from '../../../lib/http/query.ts'
import { SOUGHT_AMONG, type SoughtAlarm, useSoughtAlarm } from './api.ts'
import type { AlarmView } from './filters.tsx'
import type { AlarmScope } from './scope.ts'

interface OpenedAlarm extends Pick<QueryResult<unknown>, 'error' | 'isFetching' | 'refetch'> {
  /** Null if no alarm is open, or it is not found yet. */
  alarm: AlarmOfCustomer | null
  /** Its place in the rows; -1 if it is not one of them. */
  index: number
  /** The end of a sentence that says what was searched in vain; null unless the alarm is missing. */
  missingFrom: string | null
  /** Whether the alarms of all customers are being searched. */
  isSearchingAll: boolean
}

/**
 * The alarm in the address: of the rows, or read, because a link or another page may have opened it. An address with the alarm's
 * time, and in a list of all customers its customer, finds it with one search; another one searches all customers.
 * @param rows undefined until loaded
 * @param customers the customers of the list
 * @param onFound called once a search of all customers has found the alarm, to complete the address
 */
export function useOpenedAlarm(
  scope: AlarmScope,
  { alarm: uuid, at: timestamp, of }: AlarmView,
  rows: readonly AlarmOfCustomer[] | undefined,
  customers: readonly CustomerName[],
  onFound: (address: Pick<AlarmView, 'at' | 'of'>) => void
): OpenedAlarm {
  const index = rows?.findIndex((alarm) => alarm.uuid === uuid) ?? -1
  const customerId = scope.customer?.id ?? of
  const sought: SoughtAlarm | null =
    uuid !== '' && rows !== undefined && index < 0
      ? {
          uuid,
          timestamp,
          customerId,
          organizationId: scope.organizationId ?? '',
          systemGuid: scope.device?.systemGuid
        }
      : null
  const { data, ...load } = useSoughtAlarm(sought)
  const found = sought && data?.found
  const isMissing = sought !== null && data?.found === null
  const shown =
    rows?.[index] ?? (found && withCustomer(found, scope, customerOf(customerId, scope, customers))) ?? null
  const [lastShown, setLastShown] = useState(shown)
  const isChanged = shown?.uuid !== lastShown?.uuid || shown?.lastUpdate !== lastShown?.lastUpdate
  if (shown && isChanged) setLastShown(shown)
  // An alarm that leaves the list stays open while it is read.
  const leaving = sought && !isMissing && lastShown?.uuid === uuid ? lastShown : null
  const isFoundByAll = customerId === '' && found !== null && found !== undefined
  const completeAddress = useEffectEvent(
    () => shown && onFound({ at: shown.timestamp, of: shown.customer.id })
  )
  useEffect(() => {
    if (isFoundByAll) completeAddress()
  }, [isFoundByAll])
  return {
    ...load,
    alarm: shown ?? leaving,
    index,
    missingFrom: isMissing ? searchedOf(sought) : null,
    isSearchingAll: sought?.customerId === '' && data === undefined && load.error === undefined
  }
}

/** The end of a sentence about an alarm that was not found. */
function searchedOf({ customerId, timestamp, systemGuid }: SoughtAlarm): string {
  if (customerId === '')
    return `is not among the newest ${formatNumber(SOUGHT_AMONG)} alarms of any customer.`
  if (Number.isNaN(Date.parse(timestamp)))
    return `is not among the newest ${formatNumber(SOUGHT_AMONG)} alarms of the ${systemGuid ? 'device' : 'customer'}.`
  return 'is not kept any more.'
}

function customerOf(id: string, scope: AlarmScope, customers: readonly CustomerName[]): CustomerName {
  return scope.customer ?? customers.find((customer) => customer.id === id) ?? { id, orgName: '', scope: '' }
}

function withCustomer(
  alarm: Alarm | AlarmOfCustomer,
  { device }: AlarmScope,
  customer: CustomerName
): AlarmOfCustomer {
  return 'customer' in alarm ? alarm : { ...alarm, customer, device }
}
