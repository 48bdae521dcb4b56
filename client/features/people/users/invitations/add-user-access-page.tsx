import '../style.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { covers, customerScope, organizationScope } from '#shared/scopes.ts'
import { count } from '../../../../lib/format.ts'
import { paths } from '../../../../lib/paths.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { useOrganizationTrail } from '../../../../lib/session/use-trail.ts'
import { useUnsavedChanges } from '../../../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../../../ui/input/form-actions.tsx'
import { ErrorPanel } from '../../../../ui/state/error-panel.tsx'
import { toasts } from '../../../../ui/state/toasts.ts'
import { TitleBlock } from '../../../../ui/title-block.tsx'
import { type NamedCustomer, useAllCustomers } from '../../../sites/customers/api.ts'
import {
  customMissing,
  type Draft,
  type Granting,
  modeAt,
  newRolesRefusal,
  settled
} from '../../access/access-draft.ts'
import { AccessEditor } from '../../access/access-editor.tsx'
import { AccessPreview } from '../../access/access-preview.tsx'
import { type RoleNumbers, useRoleNumbers } from '../../access/api.ts'
import { scopeNames } from '../../access/roles.tsx'
import { CopyAccess } from '../person/copy-access.tsx'
import { type Place, usersAddress, useUsersOrganization } from '../users-organization.ts'
import { addUserCrumbs, Steps } from './add-user-page.tsx'
import { draftFrom, type InvitationDraft, UNSENT_INVITATION } from './invitation-draft.ts'
import { Invited, SendingList, useSending } from './sending.tsx'

export default function AddUserAccessPage() {
  const { state, search } = useLocation()
  const { place, name } = useUsersOrganization()
  const trail = useOrganizationTrail()
  const draft = draftFrom(state)
  const numbers = useRoleNumbers()
  const customers = useAllCustomers(place?.customerId === null ? place.integratorId : null)
  const failedLoad = [numbers, customers].find(({ error, data }) => error !== undefined && !data)
  const knownCustomers =
    place?.customerId === null
      ? customers.data
      : place && [{ id: place.id, name: name ?? '', scope: place.scope }]
  const isLoading = !numbers.data || !knownCustomers
  const isInvitation = draft !== null && draft.invited.length > 0
  useUnsavedChanges(isInvitation && isLoading ? UNSENT_INVITATION : null)
  if (!place || !isInvitation)
    return <Navigate to={{ pathname: paths.addUser, search }} replace state={state} />

  const integratorName = (place.customerId === null && name) || 'the integrator'
  return (
    <>
      <TitleBlock
        title="Add user"
        crumbs={[...trail, ...addUserCrumbs(search)]}
        facts={<Steps current={2} />}
      />
      {failedLoad && <ErrorPanel {...failedLoad} />}
      {!failedLoad && isLoading && <p role="status">Loading roles…</p>}
      {numbers.data && knownCustomers && (
        <RolesForm
          draft={draft}
          place={place}
          integratorName={integratorName}
          customers={knownCustomers}
          numbers={numbers.data}
        />
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
  const isCustomerUser = draft.belongs === 'customer'
  const scope = isCustomerUser ? customerScope(place.integratorId, draft.customerId ?? '') : integratorScope
  const nameOf = scopeNames(integratorScope, customers)
  const [roles, setRoles] = useState<Assignment[]>(draft.roles)
  const { sendings, sent, busy, send } = useSending(draft, place, numbers)
  const [hasTried, setHasTried] = useState(false)
  const granting: Granting = {
    granter: me.roleAssignments,
    level: isCustomerUser ? 'CUSTOMER' : 'PARTNER',
    action: 'users:modify-roles',
    numbers
  }
  const change = (next: Draft) => setRoles(settled([], next))
  const mode = modeAt(roles, scope)
  const customProblem = isCustomerUser ? null : customMissing(roles, scope)
  const missing = mode === 'none' ? 'Choose an access level' : (customProblem ?? newRolesRefusal(roles))
  const leftOut = draft.emails.filter((email) => !draft.invited.includes(email))

  // Leaving needs no confirmation once all invitations are sent.
  const isDone = sendings !== null && sent === sendings.length && leftOut.length === 0
  useUnsavedChanges(isDone ? null : UNSENT_INVITATION)
  const showInvitations = useEffectEvent(() => {
    toasts.ok(`${count(sent, 'invitation')} sent.`)
    navigate(usersAddress(search, 'invitations'))
  })
  useEffect(() => {
    if (isDone) showInvitations()
  }, [isDone])

  const sendTo = (emails: readonly string[]) => {
    setHasTried(true)
    if (missing === null && !busy) void send(emails, roles)
  }
  const backToStep1 = (emails: string[]) =>
    navigate(
      { pathname: paths.addUser, search },
      { state: { invitation: { ...draft, roles, emails, invited: [] } } }
    )
  const home = { scope, name: nameOf(scope) }
  const sendLabel = draft.invited.length === 1 ? 'Send invitation' : 'Send invitations'
  return (
    <div className="stack access-layout">
      <div className="stack">
        {sendings ? (
          <SendingList
            sendings={sendings}
            leftOut={leftOut}
            onRetry={sendTo}
            onCorrect={() => backToStep1([...leftOut])}
          />
        ) : (
          <Invited
            invited={draft.invited}
            leftOut={leftOut}
            to={isCustomerUser ? home.name : integratorName}
            onEdit={() => backToStep1(draft.emails)}
          />
        )}
        <AccessEditor
          legend="Access level"
          scope={scope}
          draft={roles}
          granting={granting}
          error={hasTried && mode === 'none' ? missing : null}
          onChange={change}
          integratorName={integratorName}
          {...(isCustomerUser ? {} : { customers })}
          customError={hasTried && customProblem ? `${customProblem}.` : null}
        />
        <FormActions
          {...(sent === 0 || busy
            ? { label: busy ? 'Sending…' : sendLabel, missing, busy, onSend: () => sendTo(draft.invited) }
            : {
                label: 'Show invitations',
                missing: null,
                onSend: () => navigate(usersAddress(search, 'invitations'))
              })}
          cancelLabel="Back"
          onCancel={() => backToStep1(draft.emails)}
        >
          <CopyAccess
            organizationId={isCustomerUser ? (draft.customerId ?? place.id) : place.integratorId}
            within={(other) => covers(scope, other)}
            granting={granting}
            nameOf={nameOf}
            onCopy={change}
          />
        </FormActions>
      </div>
      <AccessPreview first={home} customers={isCustomerUser ? [] : customers} after={roles} nameOf={nameOf} />
    </div>
  )
}
