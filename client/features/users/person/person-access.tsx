import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { adminsLost, type RoleChanges } from '#shared/grants.ts'
import { organizationScope } from '#shared/scopes.ts'
import { ApiError, failureOf, isNotFound } from '../../../lib/http/api-error.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { paths } from '../../../lib/paths.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { NotFound } from '../../../ui/state/panel.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { type Draft, type Granting, modeAt, sameGrant } from '../../access/access-draft.ts'
import { AccessBar, type AccessEdit, useAccessEdit } from '../../access/access-edit.tsx'
import { type RoleNumbers, useRoleNumbers } from '../../access/api.ts'
import { roleLabel, type ScopeNames, scopeNames } from '../../access/roles.tsx'
import { type NamedCustomer, useAllCustomers } from '../../customers/api.ts'
import { useOrganization } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { useOrganizationTrail } from '../../session/use-trail.ts'
import { changeUserRoles, PATHS_OF_USERS, type Person, useSoleAdminPositions, useUser } from '../api.ts'
import { TypeBadge } from '../columns.tsx'
import { CopyAccess } from './copy-access.tsx'

export interface PersonAccess {
  person: Person
  integrator: { id: string; name: string; scope: string }
  customers: readonly NamedCustomer[]
  numbers: RoleNumbers
  nameOf: ScopeNames
  granting: Granting
  /** Whether the caller may change any role of this person. */
  mayChange: boolean
  /** Why the roles at a scope cannot be removed; null when they can. */
  lockAt: (scope: string) => string | null
  /** Why a change cannot be made; null when it can. */
  refusalOf: (changes: RoleChanges) => string | null
}

interface PersonAccessLoad {
  data: PersonAccess | undefined
  /** Loaded before `data`. */
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
  // Customer users may not read their integrator.
  const inside = integratorId !== null && (can('customers:view', scope) || me.organizationId === integratorId)
  const integrator = useOrganization(inside && home.data?.partnerId ? integratorId : null)
  const customers = useAllCustomers(inside ? integratorId : null)
  const numbers = useRoleNumbers()
  const lonely = useSoleAdminPositions(person, numbers.data)

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

interface PersonFrameProps {
  load: PersonAccessLoad
  title: string | null
  crumbs: { label: string | null; to?: string }[]
  facts?: ReactNode
  actions?: ReactNode
  children: (access: PersonAccess) => ReactNode
}

export function PersonFrame({ load, title, crumbs, facts, actions, children }: PersonFrameProps) {
  const { pathname } = useLocation()
  const { data, error, busy, reload } = load
  const trail = useOrganizationTrail()
  const refused = error instanceof ApiError && error.status === 403
  if (isNotFound(error) || refused) return <NotFound path={pathname} home={paths.home} />
  const failed = !data && error !== undefined
  return (
    <>
      <TitleBlock
        title={title ?? (failed ? 'User' : null)}
        crumbs={[...trail, { label: 'Users and Roles', to: paths.users }, ...crumbs]}
        facts={facts ?? (failed ? undefined : <Skeleton width="14rem" />)}
        actions={actions}
      />
      {failed && <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />}
      {!data && !failed && (
        <div className="card table-skeleton" role="status">
          <span className="sr-only">Loading access</span>
          {['60%', '80%', '45%', '70%'].map((width) => (
            <div key={width}>
              <Skeleton width={width} />
            </div>
          ))}
        </div>
      )}
      {data && children(data)}
    </>
  )
}

export function PersonFacts({ load }: { load: PersonAccessLoad }) {
  const { nowMs } = useSession()
  const { person } = load
  if (!person) return <Skeleton width="14rem" />
  const { email, organizationName, userType, disabled, lastActive } = person
  return (
    <span className="row">
      {email && <span>{email}</span>}
      {organizationName && <span>{organizationName}</span>}
      <TypeBadge userType={userType} />
      {disabled && <span className="badge plain">Disabled</span>}
      {lastActive !== undefined && (
        <span>
          {lastActive ? 'Last active ' : 'Never active'}
          {lastActive && <Timestamp iso={lastActive} as="ago" nowMs={nowMs()} />}
        </span>
      )}
    </span>
  )
}

export function usePersonEdit(
  access: PersonAccess,
  incomplete: (wanted: Draft) => string | null,
  onSaved?: () => void
) {
  const { person, numbers, refusalOf } = access
  const refresh = useRefresh()
  return useAccessEdit({
    held: person.roleAssignments,
    refusalOf: (changes, wanted) => refusalOf(changes) ?? incomplete(wanted),
    async save(changes) {
      await changeUserRoles(person.id, changes, numbers)
      toasts.ok(`Access of ${person.fullName} changed.`)
      await refresh(...PATHS_OF_USERS)
      onSaved?.()
    }
  })
}

interface PersonAccessBarProps {
  access: PersonAccess
  edit: AccessEdit
  within: (scope: string) => boolean
  onReload: () => void
  onBack: () => void
}

export function PersonAccessBar({ access, edit, within, onReload, onBack }: PersonAccessBarProps) {
  const { person, integrator, granting, nameOf } = access
  return (
    <AccessBar name={person.fullName} {...{ edit, nameOf, onReload, onBack }}>
      <CopyAccess
        organizationId={person.userType === 'CUSTOMER' ? (person.organizationId ?? '') : integrator.id}
        exceptId={person.id}
        granting={granting}
        within={within}
        nameOf={nameOf}
        onCopy={(copied) => edit.change([...edit.wanted.filter(({ scope }) => !within(scope)), ...copied])}
      />
    </AccessBar>
  )
}
