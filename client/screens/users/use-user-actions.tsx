import { useNavigate } from 'react-router-dom'
import { parseScope } from '#shared/scopes.ts'
import type { Person } from '../../api/users.ts'
import type { MenuItem } from '../../components/menu-button.tsx'
import { toasts } from '../../lib/toasts.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { type Place, scopeOfPerson } from './use-places.ts'

/** What the row of a user offers: nothing that the gateway would refuse. Null when the user may not be looked at. */
export function useUserActions(
  place: Place | null,
  onRemove: (person: Person) => void
): (person: Person) => MenuItem[] | null {
  const navigate = useNavigate()
  const { can, user: me } = useSession()
  return (person) => {
    const scope = scopeOfPerson(person, place?.integratorId ?? '')
    if (!can('users:view', scope)) return null
    const items: MenuItem[] = []
    const mayChange = can('users:modify-roles', scope) && place !== null
    if (mayChange && (person.userType === 'PARTNER' || person.userType === 'CUSTOMER'))
      items.push({ label: 'Manage access', onSelect: () => navigate(manageAccessPath(person)) })
    const { email } = person
    if (email)
      items.push({
        label: 'Copy e-mail',
        onSelect: () =>
          void navigator.clipboard.writeText(email).then(
            () => toasts.ok('E-mail copied.'),
            () => toasts.failed('The e-mail could not be copied.')
          )
      })
    if (place && can('audit-log:view', place.scope))
      items.push({
        label: 'View activity',
        onSelect: () => navigate(`${paths.auditLog}?${new URLSearchParams({ actorId: person.id })}`)
      })
    if (mayChange)
      items.push({
        label: 'Remove access',
        tone: 'danger',
        disabledReason:
          person.id === me.id
            ? 'You cannot remove your own access.'
            : person.roleAssignments.length === 0
              ? 'There is no access to remove.'
              : null,
        onSelect: () => onRemove(person)
      })
    return items
  }
}

/** Straight to the one customer of somebody who has only that; else to the whole of the access. */
export function manageAccessPath({ id, userType, roleAssignments }: Person): string {
  const customers = new Set(roleAssignments.map(({ scope }) => parseScope(scope)?.customerId ?? null))
  const [only] = customers
  if (userType === 'CUSTOMER' && customers.size === 1 && only) return paths.userAccess(id, only)
  return `${paths.user(id)}?edit=1`
}
