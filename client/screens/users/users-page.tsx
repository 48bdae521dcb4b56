import '../../style/users.css'
import UserPlus from 'lucide-react/icons/user-plus'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router-dom'
import { organizationScope } from '#shared/scopes.ts'
import { useAllCustomers } from '../../api/all-customers.ts'
import { useOpenInvitations } from '../../api/invitations-of-organization.ts'
import { useRoleNumbers } from '../../api/roles.ts'
import { useUsers } from '../../api/users.ts'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { scopeNames } from '../../lib/role-text.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { useListQuery } from '../../session/use-list-query.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { PlaceSelect } from './place-select.tsx'
import { usePlace } from './use-places.ts'
import { UserList } from './user-list.tsx'
import { pageOfQuery, USER_DEFAULTS, userQueryOf } from './user-query.ts'

const InvitationList = lazy(() => import('./invitation-list.tsx'))

export default function UsersPage() {
  const session = useSession()
  const { pathname } = useLocation()
  const layout = useLayout()
  const { place, places, name } = usePlace()
  const list = useListQuery(USER_DEFAULTS)
  const numbers = useRoleNumbers()
  // Filters by role are sent by number: without the numbers the list would be another one.
  const ready = list.values.role === '' || numbers.data !== undefined
  const organizationId = place?.id ?? null
  const query = userQueryOf(list, numbers.data)
  const users = useUsers(ready ? organizationId : undefined, query, pageOfQuery(list.values.page))
  const invitations = useOpenInvitations(organizationId)
  const customers = useAllCustomers(place && place.customerId === null ? place.integratorId : null)
  const nameOf = scopeNames(
    place && organizationScope(place.integratorId),
    place?.customerId && name ? [{ scope: place.scope, name }] : (customers.data ?? [])
  )
  const mayAdd = place !== null && session.can('users:modify-roles', place.scope)
  const tab = list.values.tab === 'invitations' ? 'invitations' : 'users'
  const total = users.data?.page.totalElements
  return (
    <div className="users-page" data-add={mayAdd || undefined}>
      <TitleBlock
        title="Users & Roles"
        crumbs={
          pathname === paths.home
            ? [{ label: 'Home' }]
            : [{ label: 'Home', to: paths.home }, { label: 'Users and Roles' }]
        }
        facts={place ? (name ?? '') : 'All users of the portal. Choose an integrator to add users.'}
        actions={
          <>
            {places.length > 1 && place && (
              <PlaceSelect places={places} place={place} onChoose={(at) => list.change({ at })} />
            )}
            {mayAdd && (
              <PrefetchLink to={addUserAt(place.id, places.length)} className="button primary add-user">
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
        onChoose={(next) => list.change({ tab: next, q: '', page: '1' })}
      >
        {tab === 'users' ? (
          <UserList
            {...{ list, place, query, nameOf, numbers }}
            load={users}
            customers={
              place?.customerId === null && !customers.error ? customers.data : (customers.data ?? [])
            }
          />
        ) : (
          <Suspense fallback={<ListSkeleton label="Loading invitations" />}>
            <InvitationList {...{ list, place, nameOf }} load={invitations} />
          </Suspense>
        )}
      </Tabs>
    </div>
  )
}

/** The place goes along where there are several. */
function addUserAt(placeId: string, places: number): string {
  return places > 1 ? `${paths.addUser}?${new URLSearchParams({ at: placeId })}` : paths.addUser
}
