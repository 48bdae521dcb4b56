import Mail from 'lucide-react/icons/mail'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import SearchX from 'lucide-react/icons/search-x'
import { useState } from 'react'
import { USER_PAGE_SIZE } from '#shared/limits.ts'
import { failureOf } from '../../api/api-error.ts'
import { cancelInvitation, resendInvitation } from '../../api/invitation-changes.ts'
import { type Invitation, invitationsPath } from '../../api/invitations-of-organization.ts'
import { refusalText } from '../../api/refusal-text.ts'
import type { Load } from '../../api/use-load.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { CardList } from '../../components/card-list.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { Panel } from '../../components/panel.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import type { ScopeNames } from '../../lib/role-text.ts'
import { toasts } from '../../lib/toasts.ts'
import { useSession } from '../../session/session.ts'
import { ExpiresBadge, InvitedAs, invitationColumns } from './invitation-columns.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import type { Place } from './use-places.ts'
import { pageOfQuery, type UserList } from './user-query.ts'

interface InvitationListProps {
  list: UserList
  place: Place | null
  load: Load<Invitation[]>
  nameOf: ScopeNames
}

/** Invitations that wait for an answer, those among them that are over. */
export default function InvitationList({ list, place, load, nameOf }: InvitationListProps) {
  const { values, change } = list
  const { data, error, busy, reload } = load
  const layout = useLayout()
  const { can, nowMs } = useSession()
  const refresh = useRefresh()
  const [cancelling, setCancelling] = useState<Invitation | null>(null)
  if (place === null)
    return (
      <Panel icon={Mail} title="Invitations belong to an integrator">
        <p>Choose one in the navigation to see its pending invitations.</p>
      </Panel>
    )

  const { id: placeId } = place
  const wanted = values.q.trim().toLowerCase()
  const found = (data ?? [])
    .filter((one) =>
      [one.email, one.customerName, one.partnerName].some((text) => text?.toLowerCase().includes(wanted))
    )
    .sort((a, b) => (b.created ?? '').localeCompare(a.created ?? ''))
  const totalPages = Math.ceil(found.length / USER_PAGE_SIZE)
  const number = Math.min(pageOfQuery(values.page), Math.max(totalPages - 1, 0))
  const rows = found.slice(number * USER_PAGE_SIZE, (number + 1) * USER_PAGE_SIZE)

  async function resend(invitation: Invitation) {
    try {
      await resendInvitation(invitation.id, placeId)
      toasts.ok(`Invitation sent to ${invitation.email}.`)
    } catch (failure) {
      toasts.failed(`The invitation to ${invitation.email} was not sent. ${refusalText(failure)}`, {
        label: 'Retry',
        onAct: () => void resend(invitation)
      })
    }
    await refresh(invitationsPath(placeId))
  }

  const mayChange = can('users:modify-roles', place.scope)
  const actionsFor = (invitation: Invitation): MenuItem[] =>
    mayChange
      ? [
          { label: 'Resend', onSelect: () => void resend(invitation) },
          { label: 'Cancel invitation', tone: 'danger', onSelect: () => setCancelling(invitation) }
        ]
      : []
  const cells = { nameOf, nowMs: nowMs(), actionsFor }
  return (
    <section className="card users" aria-label="Pending invitations">
      <h2 className="sr-only">Pending invitations</h2>
      <div className="toolbar">
        <SearchField
          label="E-mail or customer"
          value={values.q}
          debounceMs={0}
          onSearch={(q) => change({ q })}
        />
        <div className="toolbar-end">
          <button
            type="button"
            className="button icon"
            aria-label="Refresh"
            title="Refresh"
            aria-disabled={busy}
            onClick={reload}
          >
            <RefreshCw />
          </button>
        </div>
      </div>
      {error !== undefined && data && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: reload }}>
          {failureOf(error).title}. The invitations below may be out of date.
        </Notice>
      )}
      {!data && error === undefined && <ListSkeleton label="Loading invitations" />}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />
      )}
      {data && data.length === 0 && <Panel icon={Mail} headingLevel={3} title="No pending invitations" />}
      {data && data.length > 0 && found.length === 0 && (
        <Panel
          icon={SearchX}
          headingLevel={3}
          title={`No invitations match “${values.q}”`}
          actions={
            <button type="button" className="button" onClick={() => change({ q: '' })}>
              Clear search
            </button>
          }
        />
      )}
      {rows.length > 0 && (
        <>
          {layout === 'mobile' ? (
            <CardList
              label="Pending invitations"
              rows={rows}
              rowKey={({ id }) => id}
              heading={({ email }) => email}
              nameOf={({ email }) => email}
              facts={(invitation) => [
                { name: 'Invited as', value: <InvitedAs invitation={invitation} nameOf={nameOf} /> },
                { name: 'Expires', value: <ExpiresBadge invitation={invitation} nowMs={nowMs()} /> }
              ]}
              more={({ customerName, partnerName, created }) => [
                { name: 'Customer', value: customerName ?? 'None' },
                { name: 'Integrator', value: partnerName ?? '–' },
                { name: 'Sent', value: <Moment iso={created} as="day" nowMs={nowMs()} /> }
              ]}
              actions={(invitation) =>
                actionsFor(invitation).map(({ label, onSelect, tone }) => (
                  <button key={label} type="button" className={`button ${tone ?? ''}`} onClick={onSelect}>
                    {label}
                  </button>
                ))
              }
            />
          ) : (
            <DataTable
              caption="Pending invitations"
              columns={invitationColumns(cells)}
              rows={rows}
              rowKey={({ id }) => id}
              sort=""
              order="asc"
              onSort={() => {}}
              busy={busy}
              status={`${rows.length} of ${formatNumber(found.length)} invitations`}
            />
          )}
          <div className="card-foot">
            <Pager
              label="Pages of invitations"
              page={{ number, size: USER_PAGE_SIZE, totalPages, totalElements: found.length }}
              onPage={(to) => change({ page: String(to + 1) })}
            />
          </div>
        </>
      )}
      {cancelling && (
        <ConfirmDialog
          title="Withdraw the invitation?"
          confirmLabel="Withdraw invitation"
          tone="danger"
          onConfirm={async () => {
            await cancelInvitation(cancelling.id, placeId)
            setCancelling(null)
            toasts.ok(`Invitation to ${cancelling.email} withdrawn.`)
            await refresh(invitationsPath(placeId))
          }}
          onCancel={() => setCancelling(null)}
          failureText={refusalText}
        >
          <p>
            <strong>{cancelling.email}</strong> cannot accept it any more.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}
