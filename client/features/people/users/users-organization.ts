import { useSearchParams } from 'react-router-dom'
import { isGlobalAdmin } from '#shared/landing.ts'
import { may } from '#shared/permissions.ts'
import { customerScope, organizationScope, parseScope } from '#shared/scopes.ts'
import { paths } from '../../../lib/paths.ts'
import { useOrganizationById } from '../../../lib/session/api.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import type { Person } from '../access/users.ts'

/** An integrator or customer with users that the person may see. */
export interface Place {
  id: string
  scope: string
  integratorId: string
  /** Null for an integrator. */
  customerId: string | null
}

/** The organizations whose users the person may see; none for a global admin without an integrator. */
function useUsersOrganizations(): Place[] {
  const session = useSession()
  const { chosen } = useOrganization()
  const { roleAssignments } = session.user
  const scopes = isGlobalAdmin(session)
    ? [chosen ? organizationScope(chosen.id) : '/']
    : [...new Set(roleAssignments.map(({ scope }) => scope))].sort((a, b) => a.length - b.length)
  return scopes.flatMap((scope) => {
    const { organizationId, customerId = null } = parseScope(scope) ?? {}
    if (!organizationId || !may(roleAssignments, 'users:view', scope)) return []
    return [{ id: customerId ?? organizationId, scope, integratorId: organizationId, customerId }]
  })
}

/** The organization whose users show: the one in the address, else the one with the broadest scope; null if there is none. */
export function useUsersOrganization(): { place: Place | null; places: Place[]; name: string | null } {
  const [query] = useSearchParams()
  const { user } = useSession()
  const { chosen } = useOrganization()
  const places = useUsersOrganizations()
  const place = places.find(({ id }) => id === query.get('at')) ?? places[0] ?? null
  const knownName =
    place &&
    (chosen?.id === place.id ? chosen.orgName : user.organizationId === place.id && user.organizationName)
  const { data } = useOrganizationById(place && !knownName ? place.id : null)
  return { place, places, name: knownName || data?.orgName || null }
}

/** The users of the organization that the query of an address names, or their invitations. */
export function usersAddress(search: string, tab?: 'invitations'): string {
  const query = new URLSearchParams(search)
  if (tab) query.set('tab', tab)
  return query.size > 0 ? `${paths.users}?${query}` : paths.users
}

/** The scope at which the caller needs permission to change the user, as the gateway decides. */
export function scopeOfPerson(
  { organizationId, userType }: Pick<Person, 'organizationId' | 'userType'>,
  integratorId: string
): string {
  if (organizationId === null) return '/'
  if (userType === 'PARTNER' || organizationId === integratorId) return organizationScope(organizationId)
  return customerScope(integratorId, organizationId)
}
