import '../style.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { covers, customerScope, organizationScope } from '#shared/scopes.ts'
import { count } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../../ui/input/form-actions.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { AccessChoice } from '../../access/access-choice.tsx'
import {
  customMissing,
  type Draft,
  type Granting,
  grantableRoles,
  modeAt,
  settled
} from '../../access/access-draft.ts'
import { AccessPreview } from '../../access/access-preview.tsx'
import { type RoleNumbers, useRoleNumbers } from '../../access/api.ts'
import { scopeNames } from '../../access/roles.tsx'
import { ScopePicker } from '../../access/scope-picker.tsx'
import { type NamedCustomer, useAllCustomers } from '../../customers/api.ts'
import { useSession } from '../../session/session.ts'
import { useOrganizationTrail } from '../../session/use-trail.ts'
import { CopyAccess } from '../person/copy-access.tsx'
import { type Place, usePlace } from '../use-places.ts'
import { ADD_USER_CRUMBS, Steps } from './add-user-page.tsx'
import { draftFrom, type InvitationDraft, isStep } from './invitation-draft.ts'
import { Invited, SendingList, useSending } from './sending.tsx'

export default function AddUserAccessPage() {
  const { state, search } = useLocation()
  const { place, name } = usePlace()
  const trail = useOrganizationTrail()
  const draft = draftFrom(state)
  const numbers = useRoleNumbers()
  const customers = useAllCustomers(place?.customerId === null ? place.integratorId : null)
  const failed = [numbers, customers].find(({ error, data }) => error !== undefined && !data)
  if (!draft || !place || draft.invited.length === 0)
    return <Navigate to={{ pathname: paths.addUser, search }} replace state={state} />

  const known =
    place.customerId === null ? customers.data : [{ id: place.id, name: name ?? '', scope: place.scope }]
  const integratorName = (place.customerId === null && name) || 'the integrator'
  return (
    <>
      <TitleBlock title="Add user" crumbs={[...trail, ...ADD_USER_CRUMBS]} facts={<Steps current={2} />} />
      {failed && <ErrorPanel {...failed} />}
      {!failed && (!numbers.data || !known) && <p role="status">Loading roles…</p>}
      {numbers.data && known && (
        <RolesForm {...{ draft, place, integratorName }} customers={known} numbers={numbers.data} />
      )}
    </>
  )
}

interface RolesFormProps {
  draft: InvitationDraft
  place: Place
  integratorName: string
  customers: readonly NamedCustomer[]
  numbers: RoleNumbers
}

function RolesForm({ draft, place, integratorName, customers, numbers }: RolesFormProps) {
  const { user: me } = useSession()
  const { search } = useLocation()
  const navigate = useNavigate()
  const integratorScope = organizationScope(place.integratorId)
  const ofCustomer = draft.belongs === 'customer'
  const scope = ofCustomer ? customerScope(place.integratorId, draft.customerId ?? '') : integratorScope
  const nameOf = scopeNames(integratorScope, customers)
  const [wanted, setWanted] = useState<Assignment[]>(draft.roles)
  const { sendings, sent, busy, send } = useSending(draft, place, numbers)
  const [asked, setAsked] = useState(false)
  const granting: Granting = {
    granter: me.roleAssignments,
    level: ofCustomer ? 'CUSTOMER' : 'PARTNER',
    action: 'users:modify-roles',
    numbers
  }
  const change = (next: Draft) => setWanted(settled([], next))
  const mode = modeAt(wanted, scope)
  const incomplete = ofCustomer ? null : customMissing(wanted, scope)
  const missing = mode === 'none' ? 'Choose an access level' : incomplete
  const leftOut = draft.emails.filter((email) => !draft.invited.includes(email))

  // No guard once all are sent.
  const done = sendings !== null && sent === sendings.length && leftOut.length === 0
  useUnsavedChanges(done ? null : { keeps: isStep })
  const leave = useEffectEvent(() => {
    toasts.ok(`${count(sent, 'invitation')} sent.`)
    navigate(
      `${paths.users}?${new URLSearchParams({ ...(search ? { at: place.id } : {}), tab: 'invitations' })}`
    )
  })
  useEffect(() => {
    if (done) leave()
  }, [done])

  const sendTo = (emails: readonly string[]) => {
    setAsked(true)
    if (missing === null && !busy) void send(emails, wanted)
  }
  const backToWho = (emails: string[]) =>
    navigate(
      { pathname: paths.addUser, search },
      { state: { invitation: { ...draft, roles: wanted, emails, invited: [] } } }
    )
  const here = { scope, name: nameOf(scope) }
  const sendLabel = draft.invited.length === 1 ? 'Send invitation' : 'Send invitations'
  return (
    <div className="stack access-layout">
      <div className="stack">
        {sendings ? (
          <SendingList
            {...{ sendings, leftOut }}
            onRetry={sendTo}
            onCorrect={() => backToWho([...leftOut])}
          />
        ) : (
          <Invited
            invited={draft.invited}
            leftOut={leftOut}
            to={ofCustomer ? here.name : integratorName}
            onEdit={() => backToWho(draft.emails)}
          />
        )}
        <section className="card stack access-card" aria-label="Access level">
          <AccessChoice
            legend="Access level"
            scope={scope}
            draft={wanted}
            grantable={grantableRoles(granting, scope)}
            error={asked && mode === 'none' ? missing : null}
            onChange={change}
          />
        </section>
        {mode === 'custom' && !ofCustomer && (
          <ScopePicker
            label="Access by customer"
            integratorName={integratorName}
            places={customers}
            roles={grantableRoles(granting, customers[0]?.scope ?? '')}
            draft={wanted}
            onChange={change}
            error={asked && incomplete ? `${incomplete}.` : null}
          />
        )}
        <FormActions
          {...(sent === 0 || busy
            ? { label: busy ? 'Sending…' : sendLabel, missing, busy, onSend: () => sendTo(draft.invited) }
            : {
                label: 'To the invitations',
                missing: null,
                onSend: () => navigate(`${paths.users}?tab=invitations`)
              })}
          cancelLabel="Back"
          onCancel={() => backToWho(draft.emails)}
        >
          <CopyAccess
            organizationId={ofCustomer ? (draft.customerId ?? place.id) : place.integratorId}
            within={(other) => covers(scope, other)}
            {...{ granting, nameOf }}
            onCopy={change}
          />
        </FormActions>
      </div>
      <AccessPreview first={here} customers={ofCustomer ? [] : customers} after={wanted} nameOf={nameOf} />
    </div>
  )
}
