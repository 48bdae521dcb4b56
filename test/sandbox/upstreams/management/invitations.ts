// Invitations: send, list, accept, decline, withdraw. Accepting an invitation gives the user the invitation's roles.
import type { FastifyRequest } from 'fastify'
import { recorderOf } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { linkField, objectBody, textField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { ApiProblem, malformed, notFound } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { InvitationRecord, UserRecord } from '../../records/people.ts'
import { INVITATION_DAYS } from '../../seed/invitations.ts'
import { now, type State } from '../../state.ts'
import { organizationOf } from './organizations.ts'
import { readRoles, roleBodies } from './roles.ts'

const DAY_MS = 86_400_000
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/
const MESSAGE_MAX_CHARACTERS = 300

export const invitations: Upstream = (api, state) => {
  const toBody = (invitation: InvitationRecord): object => invitationBody(state, invitation)
  const record = recorderOf(state, 'INVITATION', (invitation: InvitationRecord) => ({
    id: invitation.id,
    name: invitation.email,
    organizationId: invitation.customerId ?? invitation.partnerId
  }))
  const list = (request: FastifyRequest, items: InvitationRecord[]): object =>
    halPage(request, { rel: 'userInvitations', items, toBody, searched: (invitation) => [invitation.email] })
  const allInvitations = (): InvitationRecord[] => [...state.invitations.values()]

  api.get(`${MANAGEMENT}/myUser/userInvitations`, async (request) => {
    const { email } = callerOf(request)
    return list(
      request,
      allInvitations().filter(
        (invitation) => invitation.email === email && statusOf(state, invitation) === 'PENDING'
      )
    )
  })

  api.get(`${MANAGEMENT}/organizations/:id/userInvitations`, async (request) => {
    const { id } = organizationOf(state, params(request).id)
    return list(
      request,
      allInvitations().filter((invitation) => invitation.partnerId === id || invitation.customerId === id)
    )
  })

  api.post(`${MANAGEMENT}/userInvitations`, async (request, reply) => {
    const invitation = readInvitation(state, request)
    state.invitations.set(invitation.id, invitation)
    record(request, 'USER_INVITED', invitation)
    return reply.code(201).send(toBody(invitation))
  })

  api.post(`${MANAGEMENT}/userInvitation/:id/accept`, async (request, reply) => {
    const invitation = ownInvitation(state, request)
    if (statusOf(state, invitation) === 'EXPIRED')
      throw new ApiProblem(410, 'expired', 'the invitation has expired')
    join(callerOf(request), invitation)
    invitation.status = 'ACCEPTED'
    record(request, 'INVITATION_ACCEPTED', invitation)
    return reply.code(204).send()
  })

  api.post(`${MANAGEMENT}/userInvitation/:id/reject`, async (request, reply) => {
    const invitation = ownInvitation(state, request)
    invitation.status = 'REJECTED'
    record(request, 'INVITATION_REJECTED', invitation)
    return reply.code(204).send()
  })

  api.post(`${MANAGEMENT}/userInvitation/:id/resend`, async (request, reply) => {
    const invitation = pendingInvitation(state, params(request).id)
    invitation.expiresDate = new Date(state.clock() + INVITATION_DAYS * DAY_MS).toISOString()
    record(request, 'INVITATION_RESENT', invitation)
    return reply.code(204).send()
  })

  api.delete(`${MANAGEMENT}/userInvitations/:id`, async (request, reply) => {
    const invitation = pendingInvitation(state, params(request).id)
    state.invitations.delete(invitation.id)
    record(request, 'INVITATION_CANCELLED', invitation)
    return reply.code(204).send()
  })
}

function readInvitation(state: State, request: FastifyRequest): InvitationRecord {
  const body = objectBody(request)
  const email = textField(body, 'email', 254)
  if (!EMAIL.test(email)) throw malformed('email must be an e-mail address', 'email')
  const partner = organizationOf(state, linkField(body, 'partner', 'organizations'))
  const hasNoCustomer = body.customer === null || body.customer === undefined
  const customer = hasNoCustomer ? null : organizationOf(state, linkField(body, 'customer', 'organizations'))
  if (partner.partnerId !== null) throw malformed('partner must be an integrator', 'partner')
  if (customer && customer.partnerId !== partner.id)
    throw malformed('the customer belongs to another partner', 'customer')
  return {
    id: state.nextId('inv'),
    email,
    message: body.message === undefined ? null : textField(body, 'message', MESSAGE_MAX_CHARACTERS),
    partnerId: partner.id,
    customerId: customer?.id ?? null,
    createdDate: now(state),
    expiresDate: new Date(state.clock() + INVITATION_DAYS * DAY_MS).toISOString(),
    invitedBy: callerOf(request).id,
    status: 'PENDING',
    roleAssignments: readRoles(state, body.roleAssignments, 'roleAssignments')
  }
}

function pendingInvitation(state: State, id: string): InvitationRecord {
  const invitation = state.invitations.get(id)
  if (invitation?.status !== 'PENDING') throw notFound(`invitation ${id}`)
  return invitation
}

function ownInvitation(state: State, request: FastifyRequest): InvitationRecord {
  const invitation = pendingInvitation(state, params(request).id)
  if (invitation.email !== callerOf(request).email) throw notFound(`invitation ${invitation.id}`)
  return invitation
}

function join(user: UserRecord, invitation: InvitationRecord): void {
  user.userType = invitation.customerId === null ? 'PARTNER' : 'CUSTOMER'
  user.organizationId = invitation.customerId ?? invitation.partnerId
  user.roleAssignments = [...user.roleAssignments, ...invitation.roleAssignments]
}

function statusOf(state: State, { status, expiresDate }: InvitationRecord): string {
  return status === 'PENDING' && Date.parse(expiresDate) <= state.clock() ? 'EXPIRED' : status
}

function invitationBody(state: State, invitation: InvitationRecord): object {
  const { partnerId, customerId, roleAssignments, ...fields } = invitation
  return {
    ...fields,
    partnerName: state.organizations.get(partnerId)?.orgName,
    customerName: state.organizations.get(customerId ?? '')?.orgName ?? null,
    status: statusOf(state, invitation),
    roleAssignments: roleBodies(roleAssignments),
    _links: {
      self: { href: `${MANAGEMENT}/userInvitations/${invitation.id}` },
      partner: { href: `/organizations/${partnerId}` },
      ...(customerId !== null && { customer: { href: `/organizations/${customerId}` } })
    }
  }
}
