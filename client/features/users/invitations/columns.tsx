import { ClippedText } from '../../../ui/clipped-text.tsx'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { RoleBadges } from '../../access/role-badges.tsx'
import type { ScopeNames } from '../../access/role-text.ts'
import { secretExpiry } from '../../access/secret-expiry.ts'
import type { Invitation } from './api.ts'

const CLOCKS_APART_MS = 60_000

export function invitationColumns(nameOf: ScopeNames, nowMs: number): ListColumn<Invitation>[] {
  return [
    {
      id: 'invited',
      header: 'E-mail',
      width: '24%',
      value: ({ email }) => email,
      cell: ({ email }) => <ClippedText text={email} />,
      card: { as: 'heading', cell: ({ email }) => email }
    },
    {
      id: 'roles',
      header: 'Invited as',
      width: '9.5rem',
      cell: ({ roleAssignments, unknownRoles }) => (
        <RoleBadges held={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
      ),
      card: 'fact'
    },
    {
      id: 'customerName',
      header: 'Customer',
      value: ({ customerName }) => customerName,
      cell: ({ customerName }) => customerName ?? <span className="muted">None</span>,
      card: { as: 'more', cell: ({ customerName }) => customerName ?? 'None' }
    },
    {
      id: 'partnerName',
      header: 'Integrator',
      value: ({ partnerName }) => partnerName,
      card: { as: 'more', cell: ({ partnerName }) => partnerName ?? '–' }
    },
    {
      id: 'sent',
      header: 'Sent',
      width: '8rem',
      value: ({ created }) => created,
      cell: ({ created }) => <Timestamp iso={created} as="day" nowMs={nowMs} />
    },
    {
      id: 'expires',
      header: 'Expires',
      width: '8rem',
      value: ({ expires }) => expires,
      cell: (invitation) => <ExpiresBadge invitation={invitation} nowMs={nowMs} />,
      card: 'fact'
    }
  ]
}

interface ExpiresBadgeProps {
  invitation: Invitation
  nowMs: number
}

/** When it can be accepted no more. */
function ExpiresBadge({ invitation: { expires, status }, nowMs }: ExpiresBadgeProps) {
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
