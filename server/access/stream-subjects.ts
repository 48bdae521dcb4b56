// Checks the customer and the organization that a live stream is about, when it begins and before each event.
import type { Action } from '#shared/permissions.ts'
import { problems } from '../errors.ts'
import type { ScopeFinder } from '../types.ts'
import { isAllowed } from './allowed.ts'
import type { CheckedCall, CheckRule } from './checks.ts'
import type { Lookups } from './lookups.ts'
import { FINDERS, scopeOf } from './scope-of.ts'

export const STREAM_SUBJECTS_CHECK: CheckRule = {
  says: 'A customer in the query needs `alarms:query` there; an organization needs `customers:view` there, or membership of it, and its events are only about customers where the caller has `alarms:query`.',
  repeats: true,
  async run(call, lookups) {
    const { customerId, organizationId } = call.request.query as Record<string, string | undefined>
    if (customerId !== undefined) await assertAllowed(call, lookups, customerId, 'customer', 'alarms:query')
    if (organizationId !== undefined)
      await assertAllowed(call, lookups, organizationId, 'own-organization', 'customers:view')
  }
}

/** Throws a 403 problem unless the action is allowed, and a 404 problem if there is no such customer or organization. */
async function assertAllowed(
  call: CheckedCall,
  lookups: Lookups,
  organizationId: string,
  finder: ScopeFinder,
  action: Action
): Promise<void> {
  const scope = await scopeOf(organizationId, FINDERS[finder], call, lookups)
  if (!isAllowed(call.caller, action, finder, scope)) throw problems.forbidden()
}
