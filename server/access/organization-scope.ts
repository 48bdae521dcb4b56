// The place of an organization or customer in the tree of scopes, by the directory alone: what the caller's own assignments
// say of it may be left over from before a customer moved. Who may do what there is decided elsewhere.
import { customerScope, isId, organizationScope, parseScope } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'

interface Directory {
  organizations: OrganizationDirectory
}

/** The scope of an organization or customer. Throws a 404 problem when there is none, and the directory's own problem. */
export async function scopeOf(id: string, caller: Caller, { organizations }: Directory): Promise<string> {
  if (!isId(id)) throw problems.notFound()
  const { partnerId } = await organizations.find(id, caller)
  return partnerId === null ? organizationScope(id) : customerScope(partnerId, id)
}

/** The scope of a customer. Throws a 404 problem when there is none, or it is an integrator. */
export async function customerScopeOf(id: string, caller: Caller, lookups: Directory): Promise<string> {
  const scope = await scopeOf(id, caller, lookups)
  if (parseScope(scope)?.customerId == null) throw problems.notFound()
  return scope
}
