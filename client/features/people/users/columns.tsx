import { paths } from '../../../lib/paths.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ClippedText } from '../../../ui/text/clipped-text.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { accessText, rolesColumn, type ScopeNames } from '../access/roles.tsx'
import type { Person } from '../access/users.ts'
import { typeLabel } from './filters.tsx'
import type { Place } from './use-places.ts'

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
      value: ({ fullName }) => fullName,
      cell: (person) => <Name person={person} cells={cells} />,
      card: 'heading'
    },
    {
      id: 'email',
      header: 'E-mail',
      sort: 'E-mail',
      value: ({ email }) => email,

      card: 'fact'
    },
    {
      id: 'organizationName',
      header: 'Organization',
      from: 'desktop',
      sort: 'Organization',
      value: ({ organizationName }) => organizationName,
      cell: ({ organizationName }) =>
        organizationName ? <ClippedText text={organizationName} /> : <span className="muted">None</span>,
      ...(isWide ? {} : NOT_IN_TABLE)
    },
    {
      id: 'type',
      header: 'Type',
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
      whole: true,
      value: ({ roleAssignments }) => accessText(roleAssignments),
      ...(isWide ? {} : NOT_IN_TABLE)
    },
    {
      id: 'lastActiveDate',
      header: 'Last active',
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
  const name = <ClippedText text={person.fullName} />
  return (
    <>
      {opens(person) ? (
        <PrefetchLink to={paths.user(person.id)}>{name}</PrefetchLink>
      ) : (
        <strong>{name}</strong>
      )}
      {person.id === meId && <span className="badge info name-badge">You</span>}
      {person.status === 'DISABLED' && <span className="badge plain name-badge">Disabled</span>}
    </>
  )
}
