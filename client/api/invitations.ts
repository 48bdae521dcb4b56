import { request } from './request.ts'
import { type Load, useLoad } from './use-load.ts'

export interface Invitation {
  id: string
  partnerName: string | null
  customerName: string | null
  /** ISO 8601 UTC; null when the upstream does not say. */
  expiresDate: string | null
  roleNames: string[]
}

interface InvitationBody extends Partial<Omit<Invitation, 'id' | 'roleNames'>> {
  id: string
  status?: string
  roleAssignments?: { roleName?: string }[]
}

const MINE = '/api/v2/management/myUser/userInvitations'

/** The invitations that wait for this person's answer, the oldest first as the upstream has them. */
export function useMyInvitations(): Load<Invitation[]> {
  const { data, ...load } = useLoad<{ _embedded?: { userInvitations?: InvitationBody[] } }>(MINE, {
    revalidateOnFocus: false
  })
  return { ...load, data: data && (data._embedded?.userInvitations ?? []).filter(isOpen).map(toInvitation) }
}

const isOpen = ({ status = 'PENDING' }: InvitationBody) => status === 'PENDING'

function toInvitation(body: InvitationBody): Invitation {
  const { id, partnerName = null, customerName = null, expiresDate = null, roleAssignments = [] } = body
  const roleNames = roleAssignments.flatMap(({ roleName }) => roleName ?? [])
  return { id, partnerName, customerName, expiresDate, roleNames }
}

export function answerInvitation(id: string, answer: 'accept' | 'reject'): Promise<void> {
  return request(`/api/v2/management/userInvitation/${encodeURIComponent(id)}/${answer}`, { method: 'POST' })
}
