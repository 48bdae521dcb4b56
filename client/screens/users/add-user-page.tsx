import '../../style/users.css'
import '../../style/access.css'
import Building from 'lucide-react/icons/building-2'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { VALIDATION } from '#shared/messages.ts'
import { lengthOf } from '#shared/validation.ts'
import { useAllCustomers } from '../../api/all-customers.ts'
import { resendInvitation } from '../../api/invitation-changes.ts'
import { useOpenInvitations } from '../../api/invitations-of-organization.ts'
import { refusalText } from '../../api/refusal-text.ts'
import { ChoiceList } from '../../components/choice-list.tsx'
import { Combobox } from '../../components/combobox.tsx'
import { TextArea } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { toasts } from '../../lib/toasts.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { useUnsavedChanges } from '../../session/unsaved-changes.tsx'
import { AddressInput } from './address-input.tsx'
import { draftFrom, EMPTY_DRAFT, type InvitationDraft, isStep } from './invitation-draft.ts'
import { isInvitable, useKnownAddresses } from './use-known-addresses.ts'
import { type Place, usePlace } from './use-places.ts'

export default function AddUserPage() {
  const { place, name } = usePlace()
  const { can } = useSession()
  const allowed = place !== null && can('users:modify-roles', place.scope)
  return (
    <>
      <TitleBlock title="Add user" crumbs={ADD_USER_CRUMBS} facts={<Steps current={1} />} />
      {allowed ? (
        <WhoForm key={place.id} place={place} placeName={name ?? 'this organization'} />
      ) : (
        <Panel icon={Building} title="Choose an integrator first">
          <p>Users are added to an integrator or one of its customers. Choose one in the navigation.</p>
        </Panel>
      )}
    </>
  )
}

export const ADD_USER_CRUMBS = [
  { label: 'Home', to: paths.home },
  { label: 'Users and Roles', to: paths.users },
  { label: 'Add user' }
]

export function Steps({ current }: { current: 1 | 2 }) {
  return (
    <span aria-current="step">{current === 1 ? 'Step 1 of 2: Who' : 'Step 2 of 2: Roles and access'}</span>
  )
}

/** The first step: who is invited, and where they belong. */
function WhoForm({ place, placeName }: { place: Place; placeName: string }) {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const { can } = useSession()
  const [form, setForm] = useState<InvitationDraft>(
    () => draftFrom(state) ?? { ...EMPTY_DRAFT, belongs: place.customerId ? 'customer' : 'partner' }
  )
  const change = (part: Partial<InvitationDraft>) => setForm((before) => ({ ...before, ...part }))
  const customers = useAllCustomers(place.customerId === null ? place.integratorId : null)
  const invitations = useOpenInvitations(place.id)
  const states = useKnownAddresses(place.id, form.emails, invitations.data ?? [])
  const invited = form.emails.filter((email) => isInvitable(states.get(email)))
  const offered = (customers.data ?? []).filter(({ scope }) => can('users:modify-roles', scope))
  const customerId = place.customerId ?? form.customerId
  const noteError =
    lengthOf(form.note) > DESCRIPTION_MAX_CHARACTERS ? VALIDATION.tooLong(DESCRIPTION_MAX_CHARACTERS) : null
  const missing =
    invited.length === 0
      ? 'Add at least one address that can be invited'
      : form.belongs === 'customer' && customerId === null
        ? 'Choose the customer'
        : noteError

  useUnsavedChanges(form.emails.length > 0 || form.note.trim() !== '' ? { keeps: isStep } : null)

  function next() {
    if (missing !== null) return
    const sameHome =
      draftFrom(state)?.belongs === form.belongs && draftFrom(state)?.customerId === form.customerId
    const invitation = { ...form, invited, customerId, roles: sameHome ? form.roles : [] }
    // Both entries of the history know it, so that going back loses nothing.
    navigate({ pathname: paths.addUser, search }, { replace: true, state: { invitation } })
    navigate({ pathname: paths.addUserAccess, search }, { state: { invitation } })
  }

  return (
    <form
      className="card narrow-form"
      onSubmit={(event) => {
        event.preventDefault()
        next()
      }}
    >
      <AddressInput
        emails={form.emails}
        states={states}
        onChange={(emails) => change({ emails })}
        onResend={({ invitation }) =>
          void resendInvitation(invitation.id, place.id).then(
            () => toasts.ok(`Invitation sent to ${invitation.email}.`),
            (failure) => toasts.failed(refusalText(failure))
          )
        }
      />
      {place.customerId === null ? (
        <ChoiceList
          legend="User belongs to"
          choices={[
            {
              value: 'partner',
              label: placeName,
              help: 'An integrator user: can work with several customers.'
            },
            {
              value: 'customer',
              label: 'A customer',
              help: 'A customer user: works with that customer.',
              more: (
                <Combobox
                  label="Customer"
                  placeholder={
                    customers.data
                      ? 'Choose a customer'
                      : customers.error
                        ? 'Could not be loaded'
                        : 'Loading…'
                  }
                  options={offered}
                  chosen={offered.find(({ id }) => id === form.customerId) ?? null}
                  emptyText={
                    customers.error ? 'Customers could not be loaded.' : 'No customer has this name.'
                  }
                  onChoose={({ id }) => change({ customerId: id })}
                />
              )
            }
          ]}
          chosen={form.belongs}
          onChoose={(belongs) => change({ belongs })}
        />
      ) : (
        <p>
          They will belong to <strong>{placeName}</strong>.
        </p>
      )}
      {customers.error !== undefined && !customers.data && (
        <p className="field-error" role="alert">
          Customers could not be loaded.{' '}
          <button type="button" className="link-button" onClick={customers.reload}>
            Retry
          </button>
        </p>
      )}
      <TextArea
        label="Note in the invitation"
        required={false}
        value={form.note}
        error={noteError}
        help={`${lengthOf(form.note)} of ${DESCRIPTION_MAX_CHARACTERS} characters`}
        onChange={(note) => change({ note })}
      />
      <div className="form-actions">
        <button
          type="submit"
          className="button primary"
          aria-disabled={missing !== null}
          aria-describedby="who-missing"
        >
          Next
        </button>
        <button type="button" className="button" onClick={() => navigate(paths.users)}>
          Cancel
        </button>
        <span id="who-missing" className="muted" role="status">
          {missing}
        </span>
      </div>
    </form>
  )
}
