import type { Assignment } from '#shared/permissions.ts'
import { request } from './request.ts'
import { assignmentBody } from './role-bodies.ts'
import type { RoleNumbers } from './roles.ts'

const BASE = '/api/v2/management'

export interface NewInvitation {
  email: string
  message: string
  integratorId: string
  /** Null for people of the integrator itself. */
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

/** @param organizationId whose list the invitation is in */
export async function resendInvitation(invitationId: string, organizationId: string): Promise<void> {
  const path = `${BASE}/userInvitation/${encodeURIComponent(invitationId)}/resend`
  await request(path, { method: 'POST', customerId: organizationId })
}

/** @param organizationId whose list the invitation is in */
export async function cancelInvitation(invitationId: string, organizationId: string): Promise<void> {
  const path = `${BASE}/userInvitations/${encodeURIComponent(invitationId)}`
  await request(path, { method: 'DELETE', customerId: organizationId })
}
