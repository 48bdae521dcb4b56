import '../../access/style.css'
import '../style.css'
import Building from 'lucide-react/icons/building-2'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import type { QueryResult } from '../../../../lib/http/query.ts'
import { paths } from '../../../../lib/paths.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { useOrganizationTrail } from '../../../../lib/session/use-trail.ts'
import { note } from '../../../../lib/validation.ts'
import { useUnsavedChanges } from '../../../../ui/dialog/unsaved-changes.tsx'
import { ChoiceList } from '../../../../ui/input/choice-list.tsx'
import { Combobox } from '../../../../ui/input/combobox.tsx'
import { TextArea } from '../../../../ui/input/field.tsx'
import { FormActions } from '../../../../ui/input/form-actions.tsx'
import { LoadFailed } from '../../../../ui/state/load-failed.tsx'
import { Panel } from '../../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../../ui/title-block.tsx'
import { type NamedCustomer, useAllCustomers } from '../../../sites/customers/api.ts'
import { type Place, usersAddress, useUsersOrganization } from '../users-organization.ts'
import { AddressInput, isInvitable, useKnownAddresses } from './address-input.tsx'
import { useOpenInvitations } from './api.ts'
import { draftFrom, EMPTY_DRAFT, type InvitationDraft, UNSENT_INVITATION } from './invitation-draft.ts'
import { useResending } from './sending.tsx'

export default function AddUserPage() {
  const { search } = useLocation()
  const { place, name } = useUsersOrganization()
  const { can } = useSession()
  const trail = useOrganizationTrail()
  const isAllowed = place !== null && can('users:modify-roles', place.scope)
  return (
    <>
      <TitleBlock
        title="Add user"
        crumbs={[...trail, ...addUserCrumbs(search)]}
        facts={<Steps current={1} />}
      />
      {isAllowed ? (
        <WhoForm key={place.id} place={place} placeName={name ?? 'this organization'} />
      ) : (
        <Panel icon={Building} title="Choose an integrator first">
          <p>Users belong to an integrator or a customer. Choose an integrator in the navigation.</p>
        </Panel>
      )}
    </>
  )
}

export const addUserCrumbs = (search: string) => [
  { label: 'Users and Roles', to: usersAddress(search) },
  { label: 'Add user' }
]

export function Steps({ current }: { current: 1 | 2 }) {
  return (
    <span aria-current="step">{current === 1 ? 'Step 1 of 2: Who' : 'Step 2 of 2: Roles and access'}</span>
  )
}

function WhoForm({ place, placeName }: { place: Place; placeName: string }) {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const [form, setForm] = useState<InvitationDraft>(
    () => draftFrom(state) ?? { ...EMPTY_DRAFT, belongs: place.customerId ? 'customer' : 'partner' }
  )
  const change = (part: Partial<InvitationDraft>) => setForm((before) => ({ ...before, ...part }))
  const customers = useAllCustomers(place.customerId === null ? place.integratorId : null)
  const invitations = useOpenInvitations(place.id)
  const resending = useResending(place.id)
  const states = useKnownAddresses(place.id, form.emails, invitations.data ?? [])
  const invited = form.emails.filter((email) => isInvitable(states.get(email)))
  const isChecking = form.emails.some((email) => states.get(email)?.kind === 'checking')
  const customerId = place.customerId ?? form.customerId
  const noteError = note(form.note)
  const missing = isChecking
    ? 'Checking the addresses…'
    : invited.length === 0
      ? 'Add at least one address that can be invited'
      : form.belongs === 'customer' && customerId === null
        ? 'Choose the customer'
        : noteError

  useUnsavedChanges(form.emails.length > 0 || form.note.trim() !== '' ? UNSENT_INVITATION : null)

  // If “Next” is pressed during a check, goes on after the check if all addresses can be invited.
  const [isNextPending, setIsNextPending] = useState(false)
  const continueNext = useEffectEvent(() => {
    setIsNextPending(false)
    if (invited.length === form.emails.length) next()
  })
  useEffect(() => {
    if (isNextPending && !isChecking) continueNext()
  }, [isNextPending, isChecking])

  function next() {
    if (isChecking) setIsNextPending(true)
    if (missing !== null) return
    const lastDraft = draftFrom(state)
    const isSameHome = lastDraft?.belongs === form.belongs && lastDraft.customerId === form.customerId
    const invitation = { ...form, invited, customerId, roles: isSameHome ? form.roles : [] }
    // Keep the form in both history entries, so that going back loses nothing.
    navigate({ pathname: paths.addUser, search }, { replace: true, state: { invitation } })
    navigate({ pathname: paths.addUserAccess, search }, { state: { invitation } })
  }

  return (
    <form
      className="card stack access-card narrow-form"
      onSubmit={(event) => {
        event.preventDefault()
        next()
      }}
    >
      <AddressInput
        emails={form.emails}
        states={states}
        onChange={(emails) => change({ emails })}
        {...resending}
      />
      {place.customerId === null ? (
        <BelongsTo placeName={placeName} customers={customers} form={form} onChange={change} />
      ) : (
        <p>
          The invited people will belong to <strong>{placeName}</strong>.
        </p>
      )}
      <TextArea
        label="Note in the invitation"
        required={false}
        value={form.note}
        error={noteError}
        limit={DESCRIPTION_MAX_CHARACTERS}
        onChange={(text) => change({ note: text })}
      />
      <FormActions label="Next" missing={missing} onCancel={() => navigate(usersAddress(search))} />
    </form>
  )
}

interface BelongsToProps {
  placeName: string
  customers: QueryResult<NamedCustomer[]>
  form: InvitationDraft
  onChange: (part: Partial<InvitationDraft>) => void
}

function BelongsTo({ placeName, customers, form, onChange }: BelongsToProps) {
  const { can } = useSession()
  const customerOptions = (customers.data ?? []).filter(({ scope }) => can('users:modify-roles', scope))
  return (
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
            <>
              <Combobox
                label="Customer"
                placeholder={
                  customers.data ? 'Choose a customer' : customers.error ? 'Could not be loaded' : 'Loading…'
                }
                options={customerOptions}
                chosen={customerOptions.find(({ id }) => id === form.customerId) ?? null}
                emptyText="No customer has this name."
                onChoose={({ id }) => onChange({ customerId: id })}
              />
              {customers.error !== undefined && !customers.data && (
                <LoadFailed onRetry={customers.refetch}>Customers could not be loaded.</LoadFailed>
              )}
            </>
          )
        }
      ]}
      chosen={form.belongs}
      onChoose={(belongs) => onChange({ belongs })}
    />
  )
}
