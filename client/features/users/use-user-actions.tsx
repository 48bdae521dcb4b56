import { useCallback } from 'react'
import { useNavigate } from 'react-router-dom'
import { parseScope } from '#shared/scopes.ts'
import { paths } from '../../lib/paths.ts'
import type { MenuItem } from '../../ui/input/menu-button.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { useSession } from '../session/session.ts'
import type { Person } from './api.ts'
import { type Place, scopeOfPerson } from './use-places.ts'

/** What the row of a user offers: nothing that the gateway would refuse. */
export function useUserActions(
  place: Place | null,
  onRemove: (person: Person) => void
): (person: Person) => MenuItem[] {
  const navigate = useNavigate()
  const { can, user: me } = useSession()
  return useCallback(
    (person) => {
      const scope = scopeOfPerson(person, place?.integratorId ?? '')
      if (!can('users:view', scope)) return []
      const mayChange = can('users:modify-roles', scope) && place !== null
      const { email } = person
      const items: MenuItem[] = []
      if (mayChange && (person.userType === 'PARTNER' || person.userType === 'CUSTOMER'))
        items.push({ label: 'Manage access', onSelect: () => navigate(manageAccessPath(person)) })
      if (email) items.push({ label: 'Copy e-mail', onSelect: () => copy(email) })
      if (place && can('audit-log:view', place.scope))
        items.push({
          label: 'View activity',
          onSelect: () =>
            navigate(
              `${paths.auditLog}?${new URLSearchParams({ actorId: person.id, actorName: person.fullName })}`
            )
        })
      if (mayChange)
        items.push({
          label: 'Remove access',
          tone: 'danger',
          disabledReason: removalRefusal(person, me.id),
          onSelect: () => onRemove(person)
        })
      return items
    },
    [can, me.id, navigate, place, onRemove]
  )
}

function copy(email: string): void {
  void navigator.clipboard.writeText(email).then(
    () => toasts.ok('E-mail copied.'),
    () => toasts.failed('The e-mail could not be copied.')
  )
}

/** Why somebody's access cannot be removed; null when it can. */
function removalRefusal({ id, roleAssignments }: Person, meId: string): string | null {
  if (id === meId) return 'You cannot remove your own access.'
  return roleAssignments.length === 0 ? 'There is no access to remove.' : null
}

/** Straight to the one customer of somebody who has only that; else to the whole of the access. */
function manageAccessPath({ id, userType, roleAssignments }: Person): string {
  const customers = new Set(roleAssignments.map(({ scope }) => parseScope(scope)?.customerId ?? null))
  const [only] = customers
  if (userType === 'CUSTOMER' && customers.size === 1 && only) return paths.userAccess(id, only)
  return `${paths.user(id)}?edit=1`
}
