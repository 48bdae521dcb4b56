import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { covers } from '#shared/scopes.ts'
import { count } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { paths } from '../../../lib/paths.ts'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
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
import type { RoleNumbers } from '../../access/api.ts'
import type { ScopeNames } from '../../access/roles.tsx'
import { ScopePicker } from '../../access/scope-picker.tsx'
import type { NamedCustomer } from '../../customers/api.ts'
import { useSession } from '../../session/session.ts'
import { CopyAccess } from '../person/copy-access.tsx'
import type { Place } from '../use-places.ts'
import { type InvitationDraft, isStep } from './invitation-draft.ts'
import { SendBar, SendingList, useSending } from './sending.tsx'

interface RolesFormProps {
  draft: InvitationDraft
  place: Place
  scope: string
  integratorName: string
  customers: readonly NamedCustomer[]
  numbers: RoleNumbers
  nameOf: ScopeNames
}

export function RolesForm(props: RolesFormProps) {
  const { draft, place, scope, integratorName, customers, numbers, nameOf } = props
  const { user: me } = useSession()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<Assignment[]>(draft.roles)
  const { sendings, sent, busy, send } = useSending(draft, place, numbers)
  const [asked, setAsked] = useState(false)
  const granting = grantingOf(me.roleAssignments, draft, numbers)
  const change = (next: Draft) => setWanted(settled([], next))
  const mode = modeAt(wanted, scope)
  const perCustomer = wanted.filter((one) => one.scope !== scope)
  const missing =
    mode === 'none'
      ? 'Choose an access level'
      : draft.belongs === 'partner'
        ? customMissing(wanted, scope)
        : null
  const leftOut = draft.emails.filter((email) => !draft.invited.includes(email))
  const invitation = { ...draft, roles: wanted }

  // Nothing is lost once all are sent.
  const done = sendings !== null && sent === sendings.length && leftOut.length === 0
  useUnsavedChanges(done ? null : { keeps: isStep })
  useLeaving(done, sent, place)
  const sendTo = (emails: readonly string[]) => {
    setAsked(true)
    if (missing === null && !busy) void send(emails, wanted)
  }

  const backToWho = (emails: string[]) =>
    navigate(
      { pathname: paths.addUser, search },
      { state: { invitation: { ...invitation, emails, invited: [] } } }
    )
  const places = previewPlaces(scope, customers, nameOf, draft, wanted)
  return (
    <div className="access-layout">
      <div className="stack access-form">
        {sendings ? (
          <SendingList
            sendings={sendings}
            leftOut={leftOut}
            onRetry={sendTo}
            onCorrect={() => backToWho([...leftOut])}
          />
        ) : (
          <Invited
            draft={draft}
            to={draft.belongs === 'customer' ? nameOf(scope) : integratorName}
            leftOut={leftOut}
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
        {mode === 'custom' && draft.belongs === 'partner' && (
          <ScopePicker
            label="Access by customer"
            integratorName={integratorName}
            places={customers}
            roles={grantableRoles(granting, customers[0]?.scope ?? '')}
            draft={wanted}
            onChange={change}
            error={asked && perCustomer.length === 0 ? `${missing}.` : null}
          />
        )}
        <SendBar
          people={draft.invited.length}
          sent={sent > 0}
          busy={busy}
          missing={missing}
          onSend={() => sendTo(draft.invited)}
          onBack={() => backToWho(draft.emails)}
        >
          <CopyAccess
            organizationId={
              draft.belongs === 'customer' ? (draft.customerId ?? place.id) : place.integratorId
            }
            granting={granting}
            within={(other) => covers(scope, other)}
            nameOf={nameOf}
            onCopy={change}
          />
        </SendBar>
      </div>
      <Preview places={places} after={wanted} nameOf={nameOf} />
    </div>
  )
}

function grantingOf(
  granter: Granting['granter'],
  { belongs }: InvitationDraft,
  numbers: RoleNumbers
): Granting {
  return {
    granter,
    level: belongs === 'customer' ? 'CUSTOMER' : 'PARTNER',
    action: 'users:modify-roles',
    known: (role) => numbers.has(role)
  }
}

interface InvitedProps {
  draft: InvitationDraft
  to: string
  leftOut: readonly string[]
  onEdit: () => void
}

function Invited({ draft: { invited }, to, leftOut, onEdit }: InvitedProps) {
  return (
    <section className="card stack access-card" aria-label="Who">
      <p>
        <strong>{count(invited.length, 'person').replace('persons', 'people')}</strong> will be invited to{' '}
        {to}: {invited.join(', ')}{' '}
        <button type="button" className="link-button" onClick={onEdit}>
          Edit
        </button>
      </p>
      {leftOut.length > 0 && (
        <p className="muted">Left out for now: {leftOut.join(', ')}. You can correct them afterwards.</p>
      )}
    </section>
  )
}

/** Opens the invitations once all are sent. */
function useLeaving(done: boolean, sent: number, place: Place): void {
  const { search } = useLocation()
  const navigate = useNavigate()
  const leave = useEffectEvent(() => {
    toasts.ok(`${count(sent, 'invitation')} sent.`)
    navigate(
      `${paths.users}?${new URLSearchParams({ ...(search ? { at: place.id } : {}), tab: 'invitations' })}`
    )
  })
  useEffect(() => {
    if (done) leave()
  }, [done])
}

/** On a small screen the preview is folded. */
function Preview(props: ComponentProps<typeof AccessPreview>) {
  if (useLayout() !== 'mobile') return <AccessPreview {...props} />
  return (
    <details className="card preview-details">
      <summary>Effective access</summary>
      <AccessPreview {...props} />
    </details>
  )
}

/** Scopes with roles come first. */
function previewPlaces(
  scope: string,
  customers: readonly NamedCustomer[],
  nameOf: ScopeNames,
  { belongs }: InvitationDraft,
  wanted: Draft
) {
  const here = { scope, name: nameOf(scope) }
  if (belongs === 'customer') return [here]
  const given = customers.filter((one) => wanted.some((held) => held.scope === one.scope))
  const rest = customers.filter((one) => !given.includes(one))
  return modeAt(wanted, scope) === 'custom' && given.length > 0
    ? [...given, here, ...rest]
    : [here, ...given, ...rest]
}
