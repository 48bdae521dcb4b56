import { adminsLost, type RoleChanges } from '#shared/grants.ts'
import { organizationScope } from '#shared/scopes.ts'
import { type Granting, modeAt, sameGrant } from '../../access/access-draft.ts'
import { type RoleNumbers, useRoleNumbers } from '../../access/api.ts'
import { roleLabel, type ScopeNames, scopeNames } from '../../access/role-text.ts'
import { type NamedCustomer, useAllCustomers } from '../../customers/api.ts'
import { useOrganization } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { type Person, useLonelyPositions, useUser } from '../api.ts'

/** Everything that a page about somebody's access needs. */
export interface PersonAccess {
  person: Person
  /** Whose scope everything of this person lies in. */
  integrator: { id: string; name: string; scope: string }
  customers: readonly NamedCustomer[]
  numbers: RoleNumbers
  nameOf: ScopeNames
  granting: Granting
  /** Whether the caller may change this person's roles at all. */
  mayChange: boolean
  /** Why what is held at a scope must stay; null when it may go. */
  lockAt: (scope: string) => string | null
  /** Why a change cannot be made; null when it can. */
  refusalOf: (changes: RoleChanges) => string | null
}

export interface PersonAccessLoad {
  data: PersonAccess | undefined
  /** Known before the rest is. */
  person: Person | undefined
  error: unknown
  busy: boolean
  reload: () => void
}

export function usePersonAccess(userId: string): PersonAccessLoad {
  const { can, user: me } = useSession()
  const user = useUser(userId)
  const person = user.data
  const home = useOrganization(person?.organizationId ?? null)
  const integratorId = home.data ? (home.data.partnerId ?? home.data.id) : null
  const scope = organizationScope(integratorId ?? '')
  // Customers and their admins are not told about their integrator.
  const inside = integratorId !== null && (can('customers:view', scope) || me.organizationId === integratorId)
  const integrator = useOrganization(inside && home.data?.partnerId ? integratorId : null)
  const customers = useAllCustomers(inside ? integratorId : null)
  const numbers = useRoleNumbers()
  const lonely = useLonelyPositions(person, numbers.data)

  const loads = [user, home, customers, numbers]
  const error = loads.find((load) => load.error !== undefined && load.data === undefined)?.error
  const rest = {
    person,
    error,
    busy: loads.some(({ busy }) => busy),
    reload: () => {
      for (const load of loads) load.reload()
      lonely.reload()
    }
  }
  if (!person || !numbers.data || (inside && !customers.data)) return { ...rest, data: undefined }
  if (person.organizationId !== null && !home.data) return { ...rest, data: undefined }

  const name =
    integrator.data?.orgName ?? (home.data?.partnerId === null ? home.data.orgName : 'the integrator')
  const known: NamedCustomer[] =
    customers.data ??
    (home.data ? [{ id: home.data.id, name: home.data.orgName, scope: home.data.scope }] : [])
  const nameOf = scopeNames(scope, known)
  const roleNumbers = numbers.data
  const lockAt = (at: string) => {
    if (modeAt(person.roleAssignments, at) !== 'admin') return null
    if (person.id === me.id) return 'You cannot take away your own admin role. Ask another admin.'
    const last = lonely.data?.find((position) => position.scope === at)
    return last ? `The last ${roleLabel(last.role)} at ${nameOf(at)}: appoint another one first.` : null
  }
  return {
    ...rest,
    data: {
      person,
      integrator: { id: integratorId ?? '', name, scope },
      customers: known,
      numbers: roleNumbers,
      nameOf,
      granting: {
        granter: me.roleAssignments,
        level: person.userType === 'CUSTOMER' ? 'CUSTOMER' : 'PARTNER',
        action: 'users:modify-roles',
        known: (role) => roleNumbers.has(role)
      },
      mayChange:
        (person.userType === 'PARTNER' || person.userType === 'CUSTOMER') &&
        can('users:modify-roles', home.data?.scope ?? '/'),
      lockAt,
      refusalOf(changes) {
        const lost = adminsLost(changes, person.roleAssignments)
        const kept = lost.find(
          (position) => person.id === me.id || lonely.data?.some((one) => sameGrant(one, position))
        )
        return kept ? lockAt(kept.scope) : null
      }
    }
  }
}
