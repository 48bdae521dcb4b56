import '../../../../ui/list/list.css'
import type { ReactNode } from 'react'
import { adminsLost, type RoleChanges } from '#shared/grants.ts'
import { organizationScope } from '#shared/scopes.ts'
import { isOutOfReach } from '../../../../lib/http/api-error.ts'
import { type QueryResult, useRefresh } from '../../../../lib/http/query.ts'
import { paths } from '../../../../lib/paths.ts'
import { useOrganizationById } from '../../../../lib/session/api.ts'
import { useOrganization } from '../../../../lib/session/organization.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { type Crumb, useOrganizationTrail } from '../../../../lib/session/use-trail.ts'
import { Dialogs } from '../../../../ui/dialog/dialogs.tsx'
import { ErrorPanel } from '../../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../../ui/state/loading.tsx'
import { NotFound } from '../../../../ui/state/panel.tsx'
import { toasts } from '../../../../ui/state/toasts.ts'
import { TitleBlock } from '../../../../ui/title-block.tsx'
import { type NamedCustomer, useAllCustomers } from '../../../sites/customers/api.ts'
import { type Draft, type Granting, modeAt, sameGrant } from '../../access/access-draft.ts'
import { AccessBar, type AccessEdit, useAccessEdit } from '../../access/access-edit.tsx'
import { AccessPreview } from '../../access/access-preview.tsx'
import { useRoleNumbers } from '../../access/api.ts'
import { roleLabel, scopeNames } from '../../access/roles.tsx'
import { useUser } from '../../access/users.ts'
import { changeUserRoles, PATHS_OF_USERS, useSoleAdminPositions } from '../api.ts'
import { CopyAccess } from './copy-access.tsx'

type PersonAccessLoad = ReturnType<typeof usePersonAccess>
export type PersonAccess = NonNullable<PersonAccessLoad['data']>

/** Loads a user's access and what changing it needs. `person` is available before `data`. */
export function usePersonAccess(userId: string) {
  const { can, user: me } = useSession()
  const user = useUser(userId)
  const person = user.data
  const home = useOrganizationById(person?.organizationId ?? null)
  const integratorId = home.data ? (home.data.partnerId ?? home.data.id) : null
  const scope = organizationScope(integratorId ?? '')
  // Customer users may not read their integrator.
  const mayReadIntegrator =
    integratorId !== null && (can('customers:view', scope) || me.organizationId === integratorId)
  const integrator = useOrganizationById(mayReadIntegrator && home.data?.partnerId ? integratorId : null)
  const customers = useAllCustomers(mayReadIntegrator ? integratorId : null)
  const roles = useRoleNumbers()
  const numbers = roles.data
  const soleLoad = useSoleAdminPositions(person, numbers)

  const loads: QueryResult<unknown>[] = [user, home, customers, roles]
  const shared = { person, failed: loads.find(({ error, data }) => error !== undefined && !data) }
  const notLoaded = { ...shared, data: undefined }
  if (!person || !numbers || (mayReadIntegrator && !customers.data)) return notLoaded
  if (person.organizationId !== null && !home.data) return notLoaded

  const name =
    integrator.data?.orgName ?? (home.data?.partnerId === null ? home.data.orgName : 'the integrator')
  const knownCustomers: NamedCustomer[] =
    customers.data ?? (home.data ? [{ ...home.data, name: home.data.orgName }] : [])
  const nameOf = scopeNames(scope, knownCustomers)
  const isCustomer = person.userType === 'CUSTOMER'
  const granting: Granting = {
    granter: me.roleAssignments,
    level: isCustomer ? 'CUSTOMER' : 'PARTNER',
    action: 'users:modify-roles',
    numbers
  }
  /** Why the roles at a scope cannot be removed; null if they can. */
  const lockAt = (at: string) => {
    if (modeAt(person.roleAssignments, at) !== 'admin') return null
    if (person.id === me.id) return 'You cannot take away your own admin role. Ask another admin.'
    const position = soleLoad.data?.find((solePosition) => solePosition.scope === at)
    return position ? `The last ${roleLabel(position.role)} at ${nameOf(at)}: add another admin first.` : null
  }
  return {
    ...shared,
    data: {
      person,
      integrator: { id: integratorId ?? '', name, scope },
      customers: knownCustomers,
      numbers,
      nameOf,
      granting,
      /** Whether the caller may change any role of this person. */
      mayChange:
        (person.userType === 'PARTNER' || isCustomer) && can('users:modify-roles', home.data?.scope ?? '/'),
      lockAt,
      /** Why the changes are not possible; null if they are. */
      refusalOf(changes: RoleChanges) {
        const lockedPosition = adminsLost(changes, person.roleAssignments).find(
          (position) =>
            person.id === me.id || soleLoad.data?.some((solePosition) => sameGrant(solePosition, position))
        )
        return lockedPosition ? lockAt(lockedPosition.scope) : null
      },
      refetch() {
        user.refetch()
        soleLoad.refetch()
      }
    }
  }
}

interface PersonFrameProps {
  load: PersonAccessLoad
  title: string | null
  crumbs: Crumb[]
  facts?: ReactNode
  actions?: ReactNode
  children: (access: PersonAccess) => ReactNode
}

export function PersonFrame({ load, title, crumbs, facts, actions, children }: PersonFrameProps) {
  const { data, failed } = load
  const trail = useOrganizationTrail()
  const { chosen } = useOrganization()
  const users = paths.withIntegrator(paths.users, chosen && (data?.integrator.id ?? null))
  if (isOutOfReach(failed?.error)) return <NotFound />
  return (
    <>
      <TitleBlock
        title={title ?? (failed ? 'User' : null)}
        crumbs={[...trail, { label: 'Users and Roles', to: users }, ...crumbs]}
        facts={facts ?? (failed ? undefined : <Skeleton width="14rem" />)}
        actions={actions}
      />
      {failed && <ErrorPanel {...failed} />}
      {!data && !failed && (
        <div className="card table-skeleton" role="status">
          <Skeleton width="60%" label="Loading access" />
        </div>
      )}
      {data && children(data)}
      <Dialogs />
    </>
  )
}

export function usePersonEdit(
  { person, numbers, refusalOf }: PersonAccess,
  problemOf: (wanted: Draft) => string | null,
  onSaved?: () => void
) {
  const refresh = useRefresh()
  return useAccessEdit({
    current: person.roleAssignments,
    refusalOf: (changes, wanted) => refusalOf(changes) ?? problemOf(wanted),
    async save(changes) {
      await changeUserRoles(person.id, changes, numbers)
      toasts.ok(`Access of ${person.fullName} changed.`)
      await refresh(...PATHS_OF_USERS)
      onSaved?.()
    }
  })
}

interface PersonAccessLayoutProps {
  access: PersonAccess
  edit: AccessEdit
  within: (scope: string) => boolean
  /** Undefined unless the access is edited. */
  onBack?: (() => void) | undefined
  preview: Pick<Parameters<typeof AccessPreview>[0], 'first' | 'customers'>
  children: ReactNode
}

export function PersonAccessLayout(props: PersonAccessLayoutProps) {
  const { access, edit, within, onBack, preview, children } = props
  const { person, integrator, granting, nameOf, refetch } = access
  return (
    <div className={onBack ? 'stack access-layout' : 'stack'}>
      <div className="stack">
        {children}
        {onBack && (
          <AccessBar name={person.fullName} edit={edit} nameOf={nameOf} onBack={onBack} onReload={refetch}>
            <CopyAccess
              organizationId={person.userType === 'CUSTOMER' ? (person.organizationId ?? '') : integrator.id}
              exceptId={person.id}
              granting={granting}
              within={within}
              nameOf={nameOf}
              onCopy={(copied) =>
                edit.change([...edit.wanted.filter(({ scope }) => !within(scope)), ...copied])
              }
            />
          </AccessBar>
        )}
      </div>
      <AccessPreview {...preview} after={edit.wanted} before={edit.current} nameOf={nameOf} />
    </div>
  )
}
