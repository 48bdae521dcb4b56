// Reads the data usage of a customer's devices for the filter of the device list.

import type { Missing } from '#shared/answers/customers.ts'
import type { PlanLevel } from '#shared/attention.ts'
import type { Caller } from '../../types.ts'
import { plansAreKnown, usageAt } from '../readings/customer-readings.ts'
import type { Reader } from '../readings/reader.ts'

export interface FilterUsage {
  /** Percent of the plan limit by device uuid, for devices whose usage is already known. */
  usage: Map<string, number>
  missing: Missing[]
}

/**
 * Starts to fetch the usage of a customer's devices in the background, and returns those devices that are already known to be
 * at this level.
 */
export function readUsageForFilter(
  reader: Reader,
  caller: Caller,
  customerId: string,
  level: PlanLevel
): FilterUsage {
  reader.callForPlans(customerId, caller)
  const readings = reader.readingsFor(caller)(customerId)
  return { usage: usageAt(readings, level), missing: plansAreKnown(readings) ? [] : ['plans'] }
}
