import '../style.css'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { paths } from '../../../lib/paths.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useSession } from '../../session/session.ts'
import { PersonFacts, PersonFrame, usePersonAccess } from './person-access.tsx'
import { RemoveAccess } from './remove-access.tsx'
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
  // The pressed button disappears: move the focus to its replacement.
  const manage = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    if (!pressed.current) return
    pressed.current = false
    if (editing) form.current?.focus()
    else manage.current?.focus()
  }, [editing])
  const edit = (on: boolean) => {
    pressed.current = true
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        if (on) next.set('edit', '1')
        else next.delete('edit')
        return next
      },
      { replace: true }
    )
  }
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
                to={`${paths.auditLog}?${new URLSearchParams({ actorId: userId, actorName: data.person.fullName })}`}
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
              <button ref={manage} type="button" className="button primary" onClick={() => edit(true)}>
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
            form={form}
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
