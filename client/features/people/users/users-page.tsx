import './style.css'
import UserPlus from 'lucide-react/icons/user-plus'
import { useLocation } from 'react-router-dom'
import { organizationScope } from '#shared/scopes.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { useOrganizationById } from '../../../lib/session/api.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useOrganizationTrail } from '../../../lib/session/use-trail.ts'
import { pageNumber, useListQuery } from '../../../lib/use-list-query.ts'
import { Dialogs } from '../../../ui/dialog/dialogs.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useAllCustomers } from '../../sites/customers/api.ts'
import { useRoleNumbers } from '../access/api.ts'
import { scopeNames } from '../access/roles.tsx'
import { useUsers } from '../access/users.ts'
import { USERS_VIEW, userQueryOf } from './filters.tsx'
import { useOpenInvitations } from './invitations/api.ts'
import { InvitationList } from './invitations/invitation-list.tsx'
import { UserList } from './user-list.tsx'
import { useUsersOrganization } from './users-organization.ts'

export default function UsersPage() {
  const session = useSession()
  const { chosen } = useOrganization()
  const { pathname } = useLocation()
  const layout = useLayout()
  const { place, places, name } = useUsersOrganization()
  const query = useListQuery(USERS_VIEW)
  const numbers = useRoleNumbers()
  // The filter by role needs the role numbers.
  const isReady = query.values.role === '' || numbers.data !== undefined
  const organizationId = place?.id ?? null
  const wanted = userQueryOf(query.values, numbers.data)
  const users = useUsers(isReady ? organizationId : undefined, wanted, pageNumber(query.values.page))
  const load = isReady ? users : { ...numbers, data: users.data }
  const invitations = useOpenInvitations(organizationId)
  const customers = useAllCustomers(place && place.customerId === null ? place.integratorId : null)
  const nameOf = scopeNames(
    place && organizationScope(place.integratorId),
    place?.customerId && name ? [{ scope: place.scope, name }] : (customers.data ?? [])
  )
  const trail = useOrganizationTrail()
  const mayAdd = place !== null && session.can('users:modify-roles', place.scope)
  const tab = query.values.tab === 'invitations' ? 'invitations' : 'users'
  const total = users.data?.page.totalElements
  return (
    <div className="users-page" data-add={mayAdd || undefined}>
      <TitleBlock
        title="Users & Roles"
        crumbs={pathname === paths.home ? [{ label: 'Home' }] : [...trail, { label: 'Users and Roles' }]}
        facts={place ? (name ?? '') : 'All users of the portal. Choose an integrator to add users.'}
        actions={
          <>
            {places.length > 1 && place && (
              <select
                className="select"
                aria-label="Users of"
                value={place.id}
                onChange={(event) => query.change({ at: event.target.value })}
              >
                {places.map(({ id }) => (
                  <PlaceOption key={id} id={id} />
                ))}
              </select>
            )}
            {mayAdd && (
              <PrefetchLink
                to={withQuery(paths.addUser, {
                  at: places.length > 1 ? place.id : null,
                  organizationId: chosen?.id
                })}
                className="button primary add-user"
              >
                <UserPlus />
                Add user
              </PrefetchLink>
            )}
          </>
        }
      />
      <Tabs
        label="Users and invitations"
        tabs={[
          { id: 'users', label: 'Users', ...(total === undefined ? {} : { count: formatNumber(total) }) },
          {
            id: 'invitations',
            label: layout === 'mobile' ? 'Invitations' : 'Pending invitations',
            ...(invitations.data ? { count: formatNumber(invitations.data.length) } : {})
          }
        ]}
        chosen={tab}
        onChoose={(next) => query.change({ tab: next, q: '', page: '1' })}
      >
        {tab === 'users' ? (
          <UserList
            query={query}
            place={place}
            wanted={wanted}
            nameOf={nameOf}
            users={load}
            customers={customers.data ?? (customers.error ? [] : undefined)}
          />
        ) : (
          <InvitationList query={query} place={place} nameOf={nameOf} load={invitations} />
        )}
      </Tabs>
      <Dialogs />
    </div>
  )
}

function PlaceOption({ id }: { id: string }) {
  const { data } = useOrganizationById(id)
  return <option value={id}>{data?.orgName ?? id}</option>
}
