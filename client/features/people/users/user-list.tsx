import Users from 'lucide-react/icons/users'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Page } from '#shared/answers/parts.ts'
import { parseScope } from '#shared/scopes.ts'
import { copyText } from '../../../lib/copy-text.ts'
import type { QueryResult } from '../../../lib/http/query.ts'
import { USER_PAGE_SIZE } from '../../../lib/limits.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { showDialog } from '../../../ui/dialog/dialogs.tsx'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { List } from '../../../ui/list/list.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { NamedCustomer } from '../../sites/customers/api.ts'
import type { ScopeNames } from '../access/roles.tsx'
import { type Person, readUsers, type UserQuery } from '../access/users.ts'
import { userColumns } from './columns.tsx'
import { type UsersQuery, userFilters } from './filters.tsx'
import { RemoveAccess } from './person/remove-access.tsx'
import { type Place, scopeOfPerson } from './users-organization.ts'

interface UserListProps {
  query: UsersQuery
  /** Null for all users of the portal. */
  place: Place | null
  wanted: UserQuery
  users: QueryResult<Page<Person>>
  /** Undefined while the customers load. */
  customers: readonly NamedCustomer[] | undefined
  nameOf: ScopeNames
}

export function UserList({ query, place, wanted, users, customers, nameOf }: UserListProps) {
  const { user, can } = useSession()
  const opens = (person: Person) => can('users:view', scopeOfPerson(person, place?.integratorId ?? ''))
  const columns = userColumns({
    place,
    meId: user.id,
    nameOf,
    opens,
    withActivity: users.data?.items.some(({ lastActiveDate }) => lastActiveDate !== undefined) ?? false
  })
  const actions = useUserActions(place, nameOf)
  useSlashToSearch()
  return (
    <List
      noun="user"
      className="users"
      load={users}
      page={users.data}
      size={USER_PAGE_SIZE}
      query={query}
      columns={columns}
      toolbar={{
        search: 'Name or e-mail',
        filters: userFilters(place, customers),
        file: {
          name: 'users',
          read: (_max, signal) => readUsers(place?.id ?? null, wanted, signal),
          max: Number.POSITIVE_INFINITY
        }
      }}
      rows={{
        rowKey: ({ id }) => id,
        nameOf: ({ fullName }) => fullName,
        actions,
        sheet: true,
        sheetLead: (person) =>
          opens(person) && (
            <PrefetchLink to={paths.user(person.id)} className="button primary">
              Open user
            </PrefetchLink>
          )
      }}
      empty={<Panel icon={Users} headingLevel={3} title="No users yet. Add the first user." />}
    />
  )
}

/** `/` focuses the search, except in fields and dialogs. */
function useSlashToSearch() {
  useEffect(() => {
    const search = (event: KeyboardEvent) => {
      const field = (event.target as HTMLElement | null)?.closest?.('input, textarea, select, dialog')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || field) return
      event.preventDefault()
      document.querySelector<HTMLInputElement>('.users input[type="search"]')?.focus()
    }
    document.addEventListener('keydown', search)
    return () => document.removeEventListener('keydown', search)
  }, [])
}

function useUserActions(place: Place | null, nameOf: ScopeNames) {
  const navigate = useNavigate()
  const { can, user: me } = useSession()
  const { chosen } = useOrganization()
  return (person: Person): (MenuItem | false)[] => {
    const scope = scopeOfPerson(person, place?.integratorId ?? '')
    if (!can('users:view', scope)) return []
    const mayChange = can('users:modify-roles', scope) && place !== null
    const { email, userType } = person
    return [
      mayChange &&
        (userType === 'PARTNER' || userType === 'CUSTOMER') && {
          label: 'Manage access',
          onSelect: () => navigate(manageAccessPath(person))
        },
      !!email && { label: 'Copy e-mail', onSelect: () => copy(email) },
      place !== null &&
        can('audit-log:view', place.scope) && {
          label: 'View activity',
          onSelect: () => navigate(activityPath(person, chosen && place.integratorId))
        },
      mayChange && {
        label: 'Remove access',
        tone: 'danger',
        disabledReason: removalRefusal(person, me.id),
        onSelect: () =>
          showDialog((close) => <RemoveAccess person={person} nameOf={nameOf} onClose={close} />)
      }
    ]
  }
}

/** @param organizationId the integrator, for a global admin who has chosen one */
export const activityPath = ({ id, fullName }: Person, organizationId: string | null) =>
  withQuery(paths.auditLog, { actorId: id, actorName: fullName, organizationId })

function copy(email: string): void {
  void copyText(email).then(
    () => toasts.ok('E-mail copied.'),
    () => toasts.failed('The e-mail could not be copied.')
  )
}

/** Why a user's access cannot be removed; null if it can. */
function removalRefusal({ id, roleAssignments }: Person, meId: string): string | null {
  if (id === meId) return 'You cannot remove your own access.'
  return roleAssignments.length === 0 ? 'There is no access to remove.' : null
}

/** The page that manages a user's access: the page of the customer for a customer user with one customer. */
function manageAccessPath({ id, userType, roleAssignments }: Person): string {
  const customers = new Set(roleAssignments.map(({ scope }) => parseScope(scope)?.customerId ?? null))
  const [customerId] = customers
  if (userType === 'CUSTOMER' && customers.size === 1 && customerId) return paths.userAccess(id, customerId)
  return `${paths.user(id)}?edit=1`
}
