import '../style.css'
import { useEffect, useRef } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { paths } from '../../../../lib/paths.ts'
import { useOrganization } from '../../../../lib/session/organization.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { useListQuery } from '../../../../lib/use-list-query.ts'
import { showDialog } from '../../../../ui/dialog/dialogs.tsx'
import { PrefetchLink } from '../../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../../ui/timestamp.tsx'
import type { Person } from '../../access/users.ts'
import { TypeBadge } from '../columns.tsx'
import { activityPath } from '../user-list.tsx'
import { type PersonAccess, PersonFrame, usePersonAccess } from './person-access.tsx'
import { RemoveAccess } from './remove-access.tsx'
import { UserAccess } from './user-access.tsx'

export default function UserPage() {
  const { userId = '' } = useParams()
  const { user: me, can } = useSession()
  const { chosen } = useOrganization()
  const navigate = useNavigate()
  const query = useListQuery({ edit: '' })
  const load = usePersonAccess(userId)
  const { data, person } = load
  const editing = query.values.edit === '1' && data?.mayChange === true && data.granting.level === 'PARTNER'
  // The pressed button disappears, so the form or the other button gets the focus.
  const button = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    if (!wasPressed.current) return
    wasPressed.current = false
    if (editing) form.current?.focus()
    else button.current?.focus()
  }, [editing])
  const toggle = (on: boolean) => {
    wasPressed.current = true
    query.change({ edit: on ? '1' : '' })
  }
  // The person's integrator, because another tab of a global admin may have chosen another one.
  const integratorId = chosen && (data?.integrator.id ?? null)
  const remove = ({ person: target, nameOf }: PersonAccess) =>
    showDialog((close) => (
      <RemoveAccess
        person={target}
        nameOf={nameOf}
        onClose={close}
        onRemoved={() => navigate(paths.withIntegrator(paths.users, integratorId))}
      />
    ))
  const mayRemove = person && person.roleAssignments.length > 0 && person.id !== me.id
  return (
    <PersonFrame
      load={load}
      title={person?.fullName ?? null}
      crumbs={[{ label: person?.fullName ?? null }]}
      facts={person && <PersonFacts person={person} />}
      actions={
        data && (
          <>
            {can('audit-log:view', data.integrator.scope) && (
              <PrefetchLink to={activityPath(data.person, integratorId)} className="button">
                View activity
              </PrefetchLink>
            )}
            {data.mayChange && mayRemove && (
              <button type="button" className="button" onClick={() => remove(data)}>
                Remove access
              </button>
            )}
            {data.mayChange && !editing && data.granting.level === 'PARTNER' && (
              <button ref={button} type="button" className="button primary" onClick={() => toggle(true)}>
                Manage access
              </button>
            )}
          </>
        )
      }
    >
      {(access) => (
        <UserAccess key={userId} access={access} editing={editing} form={form} onDone={() => toggle(false)} />
      )}
    </PersonFrame>
  )
}

function PersonFacts({ person }: { person: Person }) {
  const { email, organizationName, userType, status, lastActiveDate } = person
  return (
    <span className="row separated">
      {email && <span>{email}</span>}
      {organizationName && <span>{organizationName}</span>}
      <span>
        <TypeBadge userType={userType} />
      </span>
      {status === 'DISABLED' && (
        <span>
          <span className="badge plain">Disabled</span>
        </span>
      )}
      {lastActiveDate !== undefined && (
        <span>
          {lastActiveDate ? 'Last active ' : 'Never active'}
          {lastActiveDate && <Timestamp iso={lastActiveDate} as="ago" />}
        </span>
      )}
    </span>
  )
}
