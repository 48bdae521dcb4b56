import type { Invitation as UserInvitation } from '#shared/answers/people.ts'
import { calls } from '#shared/calls.ts'
import type { Assignment } from '#shared/permissions.ts'
import { allPages, halPage } from '../../../../lib/http/hal.ts'
import { type QueryResult, useQuery } from '../../../../lib/http/query.ts'
import { request } from '../../../../lib/http/request.ts'
import { assignmentBody, type RoleNumbers, type WithRoles, withRoles } from '../../access/api.ts'

export type Invitation = WithRoles<UserInvitation>

/** Unanswered invitations, including expired invitations. Loads nothing without an organization. */
export function useOpenInvitations(organizationId: string | null): QueryResult<Invitation[]> {
  const readInvitations = allPages(halPage('userInvitations', withRoles<UserInvitation>))
  const path = organizationId && calls.invitations(organizationId)
  const { data, ...result } = useQuery(path, readInvitations, { keepPreviousData: true })
  return { ...result, data: data?.filter(({ status }) => status === 'PENDING' || status === 'EXPIRED') }
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
  await request(calls.newInvitation, {
    method: 'POST',
    body: {
      email,
      ...(message.trim() ? { message: message.trim() } : {}),
      partner: `/organizations/${integratorId}`,
      customer: customerId === null ? null : `/organizations/${customerId}`,
      roleAssignments: roleAssignments.map((assignment) => assignmentBody(assignment, numbers))
    }
  })
}

export async function resendInvitation(invitationId: string, organizationId: string): Promise<void> {
  await request(calls.resendInvitation(invitationId), { method: 'POST', customerId: organizationId })
}

export async function cancelInvitation(invitationId: string, organizationId: string): Promise<void> {
  await request(calls.invitation(invitationId), { method: 'DELETE', customerId: organizationId })
}
