import { paths } from '../../../lib/paths.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { brokenAtDomain } from '../../../ui/unbroken.tsx'
import { accessText, rolesColumn, type ScopeNames } from '../access/roles.tsx'
import type { Person } from '../access/users.ts'
import { typeLabel } from './filters.tsx'
import type { Place } from './users-organization.ts'

interface UserCells {
  place: Place | null
  meId: string
  nameOf: ScopeNames
  opens: (person: Person) => boolean
  withActivity: boolean
}

const NOT_IN_TABLE = { table: false } as const

/** The list of one customer hides organization, type and access. */
export function userColumns(cells: UserCells): ListColumn<Person>[] {
  const { place, nameOf, withActivity } = cells
  const isWide = place === null || place.customerId === null
  return [
    {
      id: 'fullName',
      header: 'Name',
      sort: 'Name',
      alsoSorts: { id: 'email', header: 'E-mail' },
      width: 17,
      value: ({ fullName }) => fullName,
      cell: (person) => (
        <span className="stacked">
          <Name person={person} cells={cells} />
          <small>{brokenAtDomain(person.email)}</small>
        </span>
      ),
      card: { as: 'heading', cell: (person) => <Name person={person} cells={cells} /> }
    },
    {
      id: 'email',
      header: 'E-mail',
      sort: 'E-mail',
      width: 12,
      value: ({ email }) => email,
      table: 'on-demand',
      card: 'fact'
    },
    {
      id: 'organizationName',
      header: 'Organization',
      width: 10,
      from: 'desktop',
      sort: 'Organization',
      value: ({ organizationName }) => organizationName,
      cell: ({ organizationName }) => organizationName || <span className="muted">None</span>,
      ...(isWide ? {} : NOT_IN_TABLE)
    },
    {
      id: 'type',
      header: 'Type',
      width: 7,
      whole: true,
      from: 'desktop',
      value: ({ userType }) => typeLabel(userType),
      cell: ({ userType }) => <TypeBadge userType={userType} />,
      ...(isWide ? {} : NOT_IN_TABLE)
    },
    rolesColumn(nameOf),
    {
      id: 'access',
      header: 'Access',
      width: 8.5,
      whole: true,
      value: ({ roleAssignments }) => accessText(roleAssignments),
      ...(isWide ? {} : NOT_IN_TABLE)
    },
    {
      id: 'lastActiveDate',
      header: 'Last active',
      width: 8.5,
      whole: true,
      from: 'desktop',
      sort: 'Last active',
      value: ({ lastActiveDate }) => lastActiveDate,
      cell: ({ lastActiveDate }) => <Timestamp iso={lastActiveDate} as="ago" none="Never" />,
      ...(withActivity ? {} : { ...NOT_IN_TABLE, card: false as const })
    }
  ]
}

export function TypeBadge({ userType }: { userType: string }) {
  return <span className={`badge ${userType === 'INTERNAL' ? 'info' : 'plain'}`}>{typeLabel(userType)}</span>
}

function Name({ person, cells: { opens, meId } }: { person: Person; cells: UserCells }) {
  const name = person.fullName
  return (
    <span>
      {opens(person) ? (
        <PrefetchLink to={paths.user(person.id)}>{name}</PrefetchLink>
      ) : (
        <strong>{name}</strong>
      )}
      {person.id === meId && <span className="badge info name-badge">You</span>}
      {person.status === 'DISABLED' && <span className="badge plain name-badge">Disabled</span>}
    </span>
  )
}
