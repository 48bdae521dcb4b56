import Mail from 'lucide-react/icons/mail'
import { calls } from '#shared/calls.ts'
import { parseScope } from '#shared/scopes.ts'
import { type QueryResult, useRefresh } from '../../../../lib/http/query.ts'
import { USER_PAGE_SIZE } from '../../../../lib/limits.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { ConfirmDialog } from '../../../../ui/dialog/confirm-dialog.tsx'
import { showDialog } from '../../../../ui/dialog/dialogs.tsx'
import type { MenuItem } from '../../../../ui/input/menu-button.tsx'
import type { ListColumn } from '../../../../ui/list/columns/column.ts'
import { List } from '../../../../ui/list/list.tsx'
import { pageOf } from '../../../../ui/list/pager.tsx'
import { Panel } from '../../../../ui/state/panel.tsx'
import { toasts } from '../../../../ui/state/toasts.ts'
import { Timestamp } from '../../../../ui/timestamp.tsx'
import { brokenAtDomain } from '../../../../ui/unbroken.tsx'
import { rolesColumn, type ScopeNames } from '../../access/roles.tsx'
import { secretExpiry } from '../../access/secret-expiry.ts'
import type { UsersQuery } from '../filters.tsx'
import type { Place } from '../users-organization.ts'
import { cancelInvitation, type Invitation } from './api.ts'
import { useResending } from './sending.tsx'

interface InvitationListProps {
  query: UsersQuery
  place: Place | null
  load: QueryResult<Invitation[]>
  nameOf: ScopeNames
}

/** Unanswered invitations, including expired invitations. */
export function InvitationList({ query, place, load, nameOf }: InvitationListProps) {
  const { values } = query
  const { can, nowMs } = useSession()
  const refresh = useRefresh()
  const { resend } = useResending(place?.id ?? '')
  if (!place)
    return (
      <Panel icon={Mail} title="Invitations belong to an integrator">
        <p>Choose an integrator in the navigation to see its pending invitations.</p>
      </Panel>
    )
  const { id: placeId, scope } = place
  const matchingInvitations = load.data && findInvitations(load.data, values.q, nameOf)

  const askToCancel = ({ id, email }: Invitation) =>
    showDialog((close) => (
      <ConfirmDialog
        title="Withdraw the invitation?"
        confirmLabel="Withdraw invitation"
        tone="danger"
        onConfirm={async () => {
          await cancelInvitation(id, placeId)
          close()
          toasts.ok(`Invitation to ${email} withdrawn.`)
          await refresh(calls.invitations(placeId))
        }}
        onCancel={close}
        reload={() => void refresh(calls.invitations(placeId))}
      >
        <p>
          <strong>{email}</strong> cannot accept the invitation any more.
        </p>
      </ConfirmDialog>
    ))

  const mayChange = can('users:modify-roles', scope)
  const actions = (invitation: Invitation): (MenuItem | false)[] => [
    mayChange && { label: 'Resend', onSelect: () => resend(invitation) },
    mayChange && { label: 'Withdraw invitation', tone: 'danger', onSelect: () => askToCancel(invitation) }
  ]
  return (
    <List
      noun="invitation"
      label="Pending invitations"
      className="users"
      load={load}
      page={matchingInvitations && pageOf(matchingInvitations, values.page, USER_PAGE_SIZE)}
      size={USER_PAGE_SIZE}
      query={query}
      columns={invitationColumns(nameOf, nowMs())}
      toolbar={{
        search: 'E-mail or customer',
        file: { name: 'invitations', read: async () => matchingInvitations ?? [] }
      }}
      rows={{ rowKey: ({ id }) => id, nameOf: ({ email }) => email, actions }}
      empty={<Panel icon={Mail} headingLevel={3} title="No pending invitations" />}
    />
  )
}

/** The invitations that contain the text, the latest first. */
function findInvitations(all: readonly Invitation[], text: string, nameOf: ScopeNames): Invitation[] {
  const keyword = text.trim().toLowerCase()
  return all
    .filter((invitation) =>
      [invitation.email, customersOf(invitation, nameOf), invitation.partnerName].some((field) =>
        field?.toLowerCase().includes(keyword)
      )
    )
    .sort((a, b) => (b.createdDate ?? '').localeCompare(a.createdDate ?? ''))
}

const CLOCK_TOLERANCE_MS = 60_000

function invitationColumns(nameOf: ScopeNames, nowMs: number): ListColumn<Invitation>[] {
  return [
    {
      id: 'invited',
      header: 'E-mail',
      width: 15,
      value: ({ email }) => email,
      cell: ({ email }) => brokenAtDomain(email),
      card: 'heading'
    },
    { ...rolesColumn(nameOf), header: 'Invited as', width: 9 },
    {
      id: 'customerName',
      header: 'Customer',
      width: 10,
      value: (invitation) => customersOf(invitation, nameOf),
      cell: (invitation) => {
        const names = customersOf(invitation, nameOf)
        return names ?? <span className="muted">None</span>
      },
      card: { as: 'fact', cell: (invitation) => customersOf(invitation, nameOf) }
    },
    {
      id: 'partnerName',
      header: 'Integrator',
      width: 12,
      from: 'desktop',
      value: ({ partnerName }) => partnerName
    },
    {
      id: 'sent',
      header: 'Sent',
      width: 7.5,
      whole: true,
      from: 'laptop',
      value: ({ createdDate }) => createdDate,
      cell: ({ createdDate }) => <Timestamp iso={createdDate} as="day" />
    },
    {
      id: 'expires',
      header: 'Expires',
      width: 7,
      whole: true,
      value: ({ expiresDate }) => expiresDate,
      cell: (invitation) => <ExpiresBadge invitation={invitation} nowMs={nowMs} />,
      card: 'aside'
    }
  ]
}

interface ExpiresBadgeProps {
  invitation: Invitation
  nowMs: number
}

function ExpiresBadge({ invitation: { expiresDate, status }, nowMs }: ExpiresBadgeProps) {
  // Tolerates a difference between the clocks of browser and server: 14 days must not round up to 15.
  const { state, days, level } = secretExpiry(expiresDate ?? null, nowMs + CLOCK_TOLERANCE_MS)
  if (status === 'EXPIRED' || state === 'expired')
    return (
      <span className="badge danger" title="The invitation can be sent again">
        Expired
      </span>
    )
  if (state === 'none') return <>–</>
  return (
    <span className={`badge ${level === 'ok' ? 'plain' : level}`}>
      {days <= 1 ? 'in 1 day' : `in ${days} days`}
    </span>
  )
}

/** The customer of the invitation, or the customers of its custom access; null without a customer. */
function customersOf({ customerName, roleAssignments }: Invitation, nameOf: ScopeNames): string | null {
  const scopes = roleAssignments.map(({ scope }) => scope).filter((scope) => parseScope(scope)?.customerId)
  return customerName ?? ([...new Set(scopes)].map(nameOf).join(', ') || null)
}
