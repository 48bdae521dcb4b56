import Copy from 'lucide-react/icons/copy'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { covers } from '#shared/scopes.ts'
import type { NamedCustomer } from '../../api/all-customers.ts'
import { sendInvitation } from '../../api/invitation-changes.ts'
import { invitationsPath } from '../../api/invitations-of-organization.ts'
import { refusalText } from '../../api/refusal-text.ts'
import type { RoleNumbers } from '../../api/roles.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { AccessChoice } from '../../components/access-choice.tsx'
import { AccessPreview } from '../../components/access-preview.tsx'
import { ScopePicker } from '../../components/scope-picker.tsx'
import { type Draft, type Granting, grantableRoles, modeAt, settled } from '../../lib/access-draft.ts'
import { count } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import type { ScopeNames } from '../../lib/role-text.ts'
import { toasts } from '../../lib/toasts.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { useUnsavedChanges } from '../../session/unsaved-changes.tsx'
import { CopyAccess } from './copy-access.tsx'
import { type InvitationDraft, isStep } from './invitation-draft.ts'
import { type Sending, SendingList } from './sending-list.tsx'
import type { Place } from './use-places.ts'

interface RolesFormProps {
  draft: InvitationDraft
  place: Place
  /** Where the invited will belong. */
  scope: string
  integratorName: string
  customers: readonly NamedCustomer[]
  numbers: RoleNumbers
  nameOf: ScopeNames
}

/** What the invited will hold, what it amounts to, and sending. */
export function RolesForm(props: RolesFormProps) {
  const { draft, place, scope, integratorName, customers, numbers, nameOf } = props
  const { user: me } = useSession()
  const { search } = useLocation()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const mobile = useLayout() === 'mobile'
  const [wanted, setWanted] = useState<Assignment[]>(draft.roles)
  const [sendings, setSendings] = useState<Sending[] | null>(null)
  const [copying, setCopying] = useState(false)
  const [asked, setAsked] = useState(false)
  const granting: Granting = {
    granter: me.roleAssignments,
    level: draft.belongs === 'customer' ? 'CUSTOMER' : 'PARTNER',
    action: 'users:modify-roles',
    known: (role) => numbers.has(role)
  }
  const change = (next: Draft) => setWanted(settled([], next))
  const mode = modeAt(wanted, scope)
  const perCustomer = wanted.filter((one) => one.scope !== scope)
  const missing =
    mode === 'none'
      ? 'Choose an access level'
      : mode === 'custom' && draft.belongs === 'partner' && perCustomer.length === 0
        ? 'Custom access needs a role at one customer at least'
        : null
  const leftOut = draft.emails.filter((email) => !draft.invited.includes(email))
  const sent = sendings?.filter(({ status }) => status === 'sent').length ?? 0
  const busy = sendings?.some(({ status }) => status === 'waiting' || status === 'sending') === true
  const invitation = { ...draft, roles: wanted }

  // Once all is sent, there is nothing to lose any more.
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

  async function send(emails: readonly string[]) {
    setAsked(true)
    if (missing !== null || busy) return
    const results = new Map<string, Sending>(
      (sendings ?? draft.invited.map((email) => ({ email, status: 'waiting' as const }))).map((one) => [
        one.email,
        one
      ])
    )
    const note = (email: string, result: Omit<Sending, 'email'>) => {
      results.set(email, { email, ...result })
      setSendings([...results.values()])
    }
    for (const email of emails) note(email, { status: 'waiting' })
    for (const email of emails) {
      note(email, { status: 'sending' })
      try {
        await sendInvitation(
          {
            email,
            message: draft.note,
            integratorId: place.integratorId,
            customerId: draft.belongs === 'customer' ? draft.customerId : null,
            roleAssignments: wanted
          },
          numbers
        )
        note(email, { status: 'sent' })
      } catch (error) {
        note(email, { status: 'failed', why: refusalText(error) })
      }
    }
    await refresh(invitationsPath(place.id))
  }

  const backToWho = (emails: string[]) =>
    navigate(
      { pathname: paths.addUser, search },
      { state: { invitation: { ...invitation, emails, invited: [] } } }
    )
  const preview = (
    <AccessPreview
      places={previewPlaces(scope, customers, nameOf, draft, wanted)}
      after={wanted}
      nameOf={nameOf}
    />
  )
  return (
    <div className="access-layout">
      <div className="access-form">
        <section className="card access-card" aria-label="Who">
          <p>
            <strong>{count(draft.invited.length, 'person').replace('persons', 'people')}</strong> will be
            invited to {nameOf(scope)}: {draft.invited.join(', ')}{' '}
            <button type="button" className="link-button" onClick={() => backToWho(draft.emails)}>
              Edit
            </button>
          </p>
          {leftOut.length > 0 && !sendings && (
            <p className="muted">Left out for now: {leftOut.join(', ')}. You can correct them afterwards.</p>
          )}
        </section>
        <section className="card access-card" aria-label="Access level">
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
        {sendings && (
          <SendingList
            sendings={sendings}
            leftOut={leftOut}
            onRetry={(emails) => void send(emails)}
            onCorrect={() => backToWho([...leftOut])}
          />
        )}
        <div className="form-bar">
          {sent === 0 || busy ? (
            <button
              type="button"
              className="button primary"
              aria-disabled={missing !== null || busy}
              aria-describedby="send-missing"
              onClick={() => void send(draft.invited)}
            >
              {busy ? 'Sending…' : draft.invited.length === 1 ? 'Send invitation' : 'Send invitations'}
            </button>
          ) : (
            <button
              type="button"
              className="button primary"
              onClick={() => navigate(`${paths.users}?tab=invitations`)}
            >
              To the invitations
            </button>
          )}
          <button type="button" className="button" onClick={() => backToWho(draft.emails)}>
            Back
          </button>
          <button type="button" className="button quiet" onClick={() => setCopying(true)}>
            <Copy />
            Copy access from…
          </button>
          <p id="send-missing" className="muted" role="status">
            {missing}
          </p>
        </div>
      </div>
      {mobile ? (
        <details className="card preview-details">
          <summary>Effective access</summary>
          {preview}
        </details>
      ) : (
        preview
      )}
      {copying && (
        <CopyAccess
          organizationId={draft.belongs === 'customer' ? (draft.customerId ?? place.id) : place.integratorId}
          granting={granting}
          within={(other) => covers(scope, other)}
          nameOf={nameOf}
          onCopy={(copied) => {
            change(copied)
            setCopying(false)
          }}
          onClose={() => setCopying(false)}
        />
      )}
    </div>
  )
}

/** Where roles are given comes first. */
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
