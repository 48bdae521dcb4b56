// Reads the data usage of a customer's devices for the filter of the device list.

import type { Missing } from '#shared/answers/customers.ts'
import type { PlanLevel } from '#shared/attention.ts'
import type { Caller } from '../../types.ts'
import type { Attention } from '../readings/attention.ts'
import { plansAreKnown, usageAt } from '../readings/readings.ts'

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
  attention: Attention,
  caller: Caller,
  customerId: string,
  level: PlanLevel
): FilterUsage {
  const kinds = ['plansExceeded', 'plansWarning'] as const
  attention.watch(`plans of ${customerId}`, caller, [{ customerId, kinds }])
  const readings = attention.readingsFor(caller)(customerId)
  return { usage: usageAt(readings, level), missing: plansAreKnown(readings) ? [] : ['plans'] }
}
