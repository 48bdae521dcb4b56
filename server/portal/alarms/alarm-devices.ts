// Names the devices of alarms, which contain only their systems.
import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { may } from '#shared/permissions.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import type { Snapshot } from '../../inventory/fetch.ts'
import type { Caller } from '../../types.ts'

/** Maximum delay of an answer by customers that are not in memory. Those being fetched then have names in a later answer. */
const NAMES_WITHIN_MS = 1_000
/** Maximum number of customers fetched at once for one answer, so that hostile answers do not add up. */
const CUSTOMERS_AT_ONCE = 3

export type AlarmWithCustomer = Omit<AlarmOfCustomer, 'device'>

/**
 * Adds the device to each alarm; null if the caller may not see devices of the customer, if no device has the alarm's system, or
 * if the customer could not be read in time.
 */
export async function withDevices(
  alarms: readonly AlarmWithCustomer[],
  caller: Caller,
  snapshots: Pick<Snapshots, 'of'>,
  withinMs = NAMES_WITHIN_MS
): Promise<AlarmOfCustomer[]> {
  const deadline = new AbortController()
  const limit = pLimit(CUSTOMERS_AT_ONCE)
  let isLate = false
  const timeIsUp = wait(withinMs, undefined, { signal: deadline.signal }).catch(() => {})
  const devicesBySystem = new Map<string, AlarmOfCustomer['device']>()
  const customers = new Map(alarms.map(({ customer }) => [customer.id, customer]))

  const alarmsByCustomer = Map.groupBy(alarms, ({ customer }) => customer.id)

  async function readDevices(customerId: string): Promise<void> {
    if (isLate) return
    const snapshot: Snapshot = await snapshots.of(customerId, caller)
    const ownAlarms = alarmsByCustomer.get(customerId) ?? []
    const systems = ownAlarms.map(({ systemGuid }) => systemGuid).filter((guid) => guid !== '')
    for (const device of await snapshot.customer.systems(systems)) {
      const { systemGuid, deviceUuid, deviceName, projectName } = device
      devicesBySystem.set(nameOf(customerId, systemGuid), { deviceUuid, deviceName, projectName })
    }
  }

  const reads = [...customers.values()]
    .filter(({ scope }) => may(caller.user.roleAssignments, 'devices:view', scope))
    .map(({ id }) => limit(() => readDevices(id)))
  await Promise.race([Promise.allSettled(reads), timeIsUp])
  isLate = true
  deadline.abort()
  return alarms.map((alarm) => ({
    ...alarm,
    device: devicesBySystem.get(nameOf(alarm.customer.id, alarm.systemGuid)) ?? null
  }))
}

const nameOf = (customerId: string, systemGuid: string) => `${customerId} ${systemGuid}`
