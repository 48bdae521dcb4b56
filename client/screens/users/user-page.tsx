import '../../style/users.css'
import '../../style/access.css'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { PersonFacts, PersonFrame } from './person-frame.tsx'
import { RemoveAccess } from './remove-access.tsx'
import { usePersonAccess } from './use-person-access.ts'
import { UserAccess } from './user-access.tsx'

export default function UserPage() {
  const { userId = '' } = useParams()
  const { user: me, can } = useSession()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const [removing, setRemoving] = useState(false)
  const load = usePersonAccess(userId)
  const { data, person } = load
  const editing = query.get('edit') === '1' && data?.mayChange === true
  const edit = (on: boolean) =>
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        if (on) next.set('edit', '1')
        else next.delete('edit')
        return next
      },
      { replace: true }
    )
  const removable = person && person.roleAssignments.length > 0 && person.id !== me.id
  return (
    <PersonFrame
      load={load}
      title={person?.fullName ?? null}
      crumbs={[{ label: person?.fullName ?? null }]}
      facts={<PersonFacts load={load} />}
      actions={
        data && (
          <>
            {can('audit-log:view', data.integrator.scope) && (
              <PrefetchLink
                to={`${paths.auditLog}?${new URLSearchParams({ actorId: userId })}`}
                className="button"
              >
                View activity
              </PrefetchLink>
            )}
            {data.mayChange && removable && (
              <button type="button" className="button" onClick={() => setRemoving(true)}>
                Remove access
              </button>
            )}
            {data.mayChange && !editing && data.granting.level === 'PARTNER' && (
              <button type="button" className="button primary" onClick={() => edit(true)}>
                Manage access
              </button>
            )}
          </>
        )
      }
    >
      {(access) => (
        <>
          <UserAccess
            key={userId}
            access={access}
            editing={editing && access.granting.level === 'PARTNER'}
            onReload={load.reload}
            onDone={() => edit(false)}
          />
          {removing && (
            <RemoveAccess
              person={access.person}
              nameOf={access.nameOf}
              onClose={() => setRemoving(false)}
              onRemoved={() => navigate(paths.users)}
            />
          )}
        </>
      )}
    </PersonFrame>
  )
}
