import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { ApiError, failureOf, isNotFound } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { NotFound } from '../../../ui/state/panel.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useSession } from '../../session/session.ts'
import { useOrganizationTrail } from '../../session/use-trail.ts'
import { TypeBadge } from '../columns.tsx'
import type { PersonAccess, PersonAccessLoad } from './use-person-access.ts'

interface PersonFrameProps {
  load: PersonAccessLoad
  title: string | null
  /** Behind Users and Roles. */
  crumbs: { label: string | null; to?: string }[]
  facts?: ReactNode
  actions?: ReactNode
  children: (access: PersonAccess) => ReactNode
}

/** The states of every page about one user. */
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

/** Who it is, in one line. */
export function PersonFacts({ load }: { load: PersonAccessLoad }) {
  const { nowMs } = useSession()
  const { person } = load
  if (!person) return <Skeleton width="14rem" />
  const { email, organizationName, userType, disabled, lastActive } = person
  return (
    <span className="person-facts">
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
