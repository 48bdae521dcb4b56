import type { Invitation } from '../../api/invitations-of-organization.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import type { Column } from '../../components/data-table.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { RoleBadges } from '../../components/role-badges.tsx'
import { RowActions } from '../../components/row-actions.tsx'
import type { ScopeNames } from '../../lib/role-text.ts'
import { secretExpiry } from '../../lib/secret-expiry.ts'

const CLOCKS_APART_MS = 60_000

interface Cells {
  nameOf: ScopeNames
  nowMs: number
  actionsFor: (invitation: Invitation) => MenuItem[]
}

export function invitationColumns({ nameOf, nowMs, actionsFor }: Cells): Column<Invitation>[] {
  const column = (
    id: string,
    header: string,
    cell: Column<Invitation>['cell'],
    rest: Partial<Column<Invitation>> = {}
  ) => ({ id, header, sortable: false, cell, ...rest })
  return [
    column('invited', 'E-mail', ({ email }) => <ClippedText text={email} />),
    column('roles', 'Invited as', (invitation) => <InvitedAs invitation={invitation} nameOf={nameOf} />),
    column(
      'customerName',
      'Customer',
      ({ customerName }) => customerName ?? <span className="muted">None</span>
    ),
    column('partnerName', 'Integrator', ({ partnerName }) => partnerName),
    column('sent', 'Sent', ({ created }) => <Moment iso={created} as="day" nowMs={nowMs} />),
    column('expires', 'Expires', (invitation) => <ExpiresBadge invitation={invitation} nowMs={nowMs} />),
    column(
      'actions',
      'Actions',
      (invitation) => <RowActions name={invitation.email} items={actionsFor(invitation)} />,
      { silent: true, align: 'end' }
    )
  ]
}

interface InvitedAsProps {
  invitation: Invitation
  nameOf: ScopeNames
}

export function InvitedAs({ invitation: { roleAssignments, unknownRoles }, nameOf }: InvitedAsProps) {
  return <RoleBadges held={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
}

/** When it can be accepted no more. */
export function ExpiresBadge({
  invitation: { expires, status },
  nowMs
}: {
  invitation: Invitation
  nowMs: number
}) {
  if (status === 'EXPIRED' || (expires && Date.parse(expires) <= nowMs))
    return (
      <span className="badge danger" title="It can be sent again">
        Expired
      </span>
    )
  if (!expires) return <>–</>
  // Two clocks never agree: what was sent just now for 14 days must not read as 15.
  const { days, level } = secretExpiry(expires, nowMs + CLOCKS_APART_MS)
  return (
    <span className={`badge ${level === 'danger' ? 'warn' : 'plain'}`}>
      {days <= 1 ? 'in 1 day' : `in ${days} days`}
    </span>
  )
}
