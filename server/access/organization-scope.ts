// Where an organization or customer stands: by the caller's own assignments, or else by the directory. Who may do what there
// is decided elsewhere.
import { isId } from '#shared/ids.ts'
import type { Assignment } from '#shared/permissions.ts'
import { customerScope, organizationScope, parseScope } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'

interface Directory {
  organizations: OrganizationDirectory
}

/** The scope of an organization or customer. Throws a 404 problem when there is none. */
export async function scopeOf(id: string, caller: Caller, { organizations }: Directory): Promise<string> {
  if (!isId(id)) throw problems.notFound()
  const held = heldScope(caller.user.roleAssignments, id)
  if (held !== null) return held
  const { partnerId } = await organizations.find(id, caller)
  return partnerId === null ? organizationScope(id) : customerScope(partnerId, id)
}

/** The scope of a customer. Throws a 404 problem when there is none, or it is an integrator. */
export async function customerScopeOf(id: string, caller: Caller, lookups: Directory): Promise<string> {
  const scope = await scopeOf(id, caller, lookups)
  if (parseScope(scope)?.customerId == null) throw problems.notFound()
  return scope
}

/** Where the organization or customer stands, if one of the caller's own assignments tells. */
function heldScope(assignments: readonly Assignment[], id: string): string | null {
  for (const { scope } of assignments) {
    const { organizationId, customerId } = parseScope(scope) ?? {}
    if (customerId === id) return scope
    if (organizationId === id) return organizationScope(id)
  }
  return null
}
