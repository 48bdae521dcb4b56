import type { Person } from '../../api/users.ts'
import { CardList } from '../../components/card-list.tsx'
import { Moment } from '../../components/moment.tsx'
import { RoleBadges } from '../../components/role-badges.tsx'
import { accessText } from '../../lib/access-text.ts'
import { Name, type ShownUsers, TypeBadge } from './user-columns.tsx'

/** The list of users on a small screen. */
export default function UserCards({ shown, people }: { shown: ShownUsers; people: readonly Person[] }) {
  return <CardList label="Users" rows={people} rowKey={({ id }) => id} {...userFacts(shown)} />
}

function userFacts(shown: ShownUsers) {
  const { nowMs, nameOf, actionsFor } = shown
  return {
    heading: (person: Person) => <Name person={person} shown={shown} />,
    nameOf: ({ fullName }: Person) => fullName,
    facts: ({ email, roleAssignments, unknownRoles }: Person) => [
      { name: 'E-mail', value: email ?? '–' },
      {
        name: 'Roles',
        value: <RoleBadges held={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
      }
    ],
    more: ({ organizationName, userType, roleAssignments, lastActive }: Person) => [
      { name: 'Organization', value: organizationName ?? 'None' },
      { name: 'Type', value: <TypeBadge userType={userType} /> },
      { name: 'Access', value: accessText(roleAssignments) },
      ...(lastActive === undefined
        ? []
        : [{ name: 'Last active', value: <Moment iso={lastActive} as="ago" nowMs={nowMs} none="Never" /> }])
    ],
    actions: (person: Person) => (
      <>
        {(actionsFor(person) ?? []).map(({ label, onSelect, disabledReason, tone }) => (
          <button
            key={label}
            type="button"
            className={`button ${tone ?? ''}`}
            aria-disabled={disabledReason ? true : undefined}
            title={disabledReason ?? undefined}
            onClick={() => disabledReason || onSelect()}
          >
            {label}
          </button>
        ))}
      </>
    )
  }
}
