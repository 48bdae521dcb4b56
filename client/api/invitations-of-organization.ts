import { type Held, heldFrom, type UpstreamAssignment } from './roles.ts'
import { readAll } from './upstream-list.ts'
import type { Load } from './use-load.ts'
import { useWholeList } from './use-whole-list.ts'

const BASE = '/api/v2/management'

/** §3 and A-6. */
export interface Invitation extends Held {
  id: string
  email: string
  partnerName: string | null
  customerName: string | null
  /** ISO 8601; null where the upstream does not tell. */
  created: string | null
  expires: string | null
  status: string
}

interface UpstreamInvitation {
  id: string
  email?: string
  partnerName?: string | null
  customerName?: string | null
  createdDate?: string | null
  expiresDate?: string | null
  status?: string
  roleAssignments?: UpstreamAssignment[]
}

function invitationFrom(body: UpstreamInvitation): Invitation {
  return {
    id: body.id,
    email: body.email ?? '',
    partnerName: body.partnerName ?? null,
    customerName: body.customerName ?? null,
    created: body.createdDate ?? null,
    expires: body.expiresDate ?? null,
    status: body.status ?? 'PENDING',
    ...heldFrom(body.roleAssignments)
  }
}

export function invitationsPath(organizationId: string): string {
  return `${BASE}/organizations/${encodeURIComponent(organizationId)}/userInvitations`
}

/** Those that nobody has answered yet, expired ones among them; null loads nothing. */
export function useOpenInvitations(organizationId: string | null): Load<Invitation[]> {
  const { data, ...load } = useWholeList(organizationId && invitationsPath(organizationId), (path, signal) =>
    readAll(path, 'userInvitations', invitationFrom, signal)
  )
  return { ...load, data: data?.filter(({ status }) => status === 'PENDING' || status === 'EXPIRED') }
}
