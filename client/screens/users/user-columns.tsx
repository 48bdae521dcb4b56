import type { Person } from '../../api/users.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import type { Column } from '../../components/data-table.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { RoleBadges } from '../../components/role-badges.tsx'
import { RowActions } from '../../components/row-actions.tsx'
import { accessText } from '../../lib/access-text.ts'
import type { ScopeNames } from '../../lib/role-text.ts'
import { paths } from '../../paths.ts'
import type { Place } from './use-places.ts'
import { typeLabel, USER_SORTS } from './user-query.ts'

export interface ShownUsers {
  place: Place | null
  meId: string
  nowMs: number
  nameOf: ScopeNames
  /** What can be done with somebody; null when nothing may, not even be looked at. */
  actionsFor: (person: Person) => MenuItem[] | null
}

/** Within a customer everybody is of the customer; what the upstream does not tell has no column. */
export function userColumns(shown: ShownUsers, people: readonly Person[]): Column<Person>[] {
  const { place, nowMs, nameOf, actionsFor } = shown
  const wide = place === null || place.customerId === null
  const column = (
    id: string,
    header: string,
    cell: Column<Person>['cell'],
    rest: Partial<Column<Person>> = {}
  ) => ({ id, header, sortable: id in USER_SORTS, cell, ...rest })
  return [
    column('fullName', USER_SORTS.fullName, (person) => <Name person={person} shown={shown} />),
    column('email', USER_SORTS.email, ({ email }) => email && <ClippedText text={email} />),
    ...(wide
      ? [
          column('organizationName', USER_SORTS.organizationName, ({ organizationName }) => (
            <span className="two-lines">{organizationName ?? <span className="muted">None</span>}</span>
          )),
          column('type', 'Type', ({ userType }) => <TypeBadge userType={userType} />)
        ]
      : []),
    column('roles', 'Roles', ({ id, roleAssignments, unknownRoles }) => (
      <RoleBadges key={id} held={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
    )),
    ...(wide ? [column('access', 'Access', (person) => accessText(person.roleAssignments))] : []),
    ...(people.some(({ lastActive }) => lastActive !== undefined)
      ? [
          column('lastActiveDate', USER_SORTS.lastActiveDate, ({ lastActive }) => (
            <Moment iso={lastActive} as="ago" nowMs={nowMs} none="Never" />
          ))
        ]
      : []),
    column(
      'actions',
      'Actions',
      (person) => <RowActions key={person.id} name={person.fullName} items={actionsFor(person) ?? []} />,
      { silent: true, align: 'end' }
    )
  ]
}

export function Name({ person, shown }: { person: Person; shown: ShownUsers }) {
  const name = <ClippedText text={person.fullName} />
  return (
    <>
      {shown.actionsFor(person) === null ? (
        <strong>{name}</strong>
      ) : (
        <PrefetchLink to={paths.user(person.id)}>{name}</PrefetchLink>
      )}
      {person.id === shown.meId && <span className="badge info name-badge">You</span>}
      {person.disabled && <span className="badge plain name-badge">Disabled</span>}
    </>
  )
}

export function TypeBadge({ userType }: { userType: string }) {
  return <span className={`badge ${userType === 'INTERNAL' ? 'info' : 'plain'}`}>{typeLabel(userType)}</span>
}
