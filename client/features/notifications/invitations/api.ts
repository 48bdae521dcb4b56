import { type Load, useLoad } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'

export interface Invitation {
  id: string
  partnerName: string | null
  customerName: string | null
  /** ISO 8601 UTC; null when the upstream does not say. */
  expiresDate: string | null
  roleNames: string[]
}

const MINE = '/api/v2/management/myUser/userInvitations'

/** The invitations that wait for this person's answer, the oldest first as the upstream has them. */
export function useMyInvitations(): Load<Invitation[]> {
  const { data, ...load } = useLoad<Answer | null>(MINE, { revalidateOnFocus: false })
  return { ...load, data: data === undefined ? undefined : invitationsIn(data) }
}

type Body = { [Field in keyof Invitation | 'status' | 'roleAssignments']?: unknown } | null
type Answer = { _embedded?: { userInvitations?: Body[] } }

/** What is no invitation cannot be answered: it is left out, and the others show. */
function invitationsIn(answer: Answer | null): Invitation[] {
  const list = answer?._embedded?.userInvitations
  return Array.isArray(list) ? list.flatMap((body) => (isOpen(body) ? toInvitation(body) : [])) : []
}

const isOpen = (body: Body): body is NonNullable<Body> & { id: string } =>
  typeof body?.id === 'string' && (body.status ?? 'PENDING') === 'PENDING'

function toInvitation(body: NonNullable<Body> & { id: string }): Invitation {
  const words = (value: unknown) => (typeof value === 'string' ? value : null)
  const assignments = Array.isArray(body.roleAssignments) ? body.roleAssignments : []
  return {
    id: body.id,
    partnerName: words(body.partnerName),
    customerName: words(body.customerName),
    expiresDate: words(body.expiresDate),
    roleNames: assignments.flatMap((one: { roleName?: unknown } | null) => words(one?.roleName) ?? [])
  }
}

export function answerInvitation(id: string, answer: 'accept' | 'reject'): Promise<void> {
  return request(`/api/v2/management/userInvitation/${encodeURIComponent(id)}/${answer}`, { method: 'POST' })
}
