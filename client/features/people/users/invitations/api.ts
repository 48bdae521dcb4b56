import type { Invitation as UserInvitation } from '#shared/answers/people.ts'
import type { Assignment } from '#shared/permissions.ts'
import { readAll } from '../../../../lib/http/hal.ts'
import { type Load, useQuery } from '../../../../lib/http/query.ts'
import { request } from '../../../../lib/http/request.ts'
import { assignmentBody, type RoleNumbers, type WithRoles, withRoles } from '../../access/api.ts'

const BASE = '/api/v2/management'

export type Invitation = WithRoles<UserInvitation>

export function invitationsPath(organizationId: string): string {
  return `${BASE}/organizations/${encodeURIComponent(organizationId)}/userInvitations`
}

/** Unanswered invitations, including expired invitations. Loads nothing without an organization. */
export function useOpenInvitations(organizationId: string | null): Load<Invitation[]> {
  const { data, ...load } = useQuery(
    organizationId && invitationsPath(organizationId),
    (path, signal) => readAll(path, 'userInvitations', withRoles<UserInvitation>, signal),
    { keepPreviousData: true }
  )
  return { ...load, data: data?.filter(({ status }) => status === 'PENDING' || status === 'EXPIRED') }
}

interface NewInvitation {
  email: string
  message: string
  integratorId: string
  /** Null for users of the integrator. */
  customerId: string | null
  roleAssignments: readonly Assignment[]
}

export async function sendInvitation(invitation: NewInvitation, numbers: RoleNumbers): Promise<void> {
  const { email, message, integratorId, customerId, roleAssignments } = invitation
  await request(`${BASE}/userInvitations`, {
    method: 'POST',
    body: {
      email,
      ...(message.trim() ? { message: message.trim() } : {}),
      partner: `/organizations/${integratorId}`,
      customer: customerId === null ? null : `/organizations/${customerId}`,
      roleAssignments: roleAssignments.map((one) => assignmentBody(one, numbers))
    }
  })
}

export async function resendInvitation(invitationId: string, organizationId: string): Promise<void> {
  const path = `${BASE}/userInvitation/${encodeURIComponent(invitationId)}/resend`
  await request(path, { method: 'POST', customerId: organizationId })
}

export async function cancelInvitation(invitationId: string, organizationId: string): Promise<void> {
  const path = `${BASE}/userInvitations/${encodeURIComponent(invitationId)}`
  await request(path, { method: 'DELETE', customerId: organizationId })
}
