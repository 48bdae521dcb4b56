import type { Alarm } from '#shared/answers/alarms.ts'
import type { CustomerName } from '#shared/answers/customers.ts'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { type Load, useQuery } from '../../../lib/http/query.ts'
import { findAlarm, findOrganizationAlarm } from './api.ts'
import type { AlarmView } from './filters.tsx'
import type { AlarmScope } from './scope.ts'

interface OpenedAlarm extends Pick<Load<unknown>, 'error' | 'busy' | 'reload'> {
  /** Null if no alarm is open, or it is not found yet. */
  alarm: AlarmOfCustomer | null
  /** Its place in the rows; -1 if it is not one of them. */
  index: number
  /** Whether it is nowhere: it is no longer kept. */
  isMissing: boolean
}

/**
 * The alarm in the address: of the rows, or read, because a link or another page may have opened it. An address with the alarm's
 * time, and in a list of all customers its customer, finds it with one search; another one looks through the list.
 * @param rows undefined until loaded
 * @param customers the customers of the list
 */
export function useOpenedAlarm(
  scope: AlarmScope,
  { alarm: uuid, at, of }: AlarmView,
  rows: readonly AlarmOfCustomer[] | undefined,
  customers: readonly CustomerName[]
): OpenedAlarm {
  const index = rows?.findIndex((alarm) => alarm.uuid === uuid) ?? -1
  const customerId = scope.customer?.id ?? of
  const isSought = uuid !== '' && rows !== undefined && index < 0
  const { data, ...load } = useQuery(
    isSought ? `opened alarm ${JSON.stringify([scope.organizationId, customerId, uuid, at])}` : null,
    async (_name, signal) => {
      const found =
        customerId === ''
          ? await findOrganizationAlarm(scope.organizationId ?? '', uuid, signal)
          : await findAlarm(customerId, uuid, at, signal)
      return { found }
    }
  )
  const row = rows?.[index]
  const found = isSought && data?.found
  const alarm = row ?? (found ? withPlace(found, scope, customerOf(customerId, scope, customers)) : null)
  return { ...load, alarm, index, isMissing: isSought && data !== undefined && !data.found }
}

function customerOf(id: string, scope: AlarmScope, customers: readonly CustomerName[]): CustomerName {
  return scope.customer ?? customers.find((customer) => customer.id === id) ?? { id, orgName: '', scope: '' }
}

function withPlace(
  alarm: Alarm | AlarmOfCustomer,
  { device }: AlarmScope,
  customer: CustomerName
): AlarmOfCustomer {
  return 'customer' in alarm ? alarm : { ...alarm, customer, device }
}
