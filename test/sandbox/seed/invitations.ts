// Invitations: two pending invitations of invited.user, and invitations of other people in every status.
import type { InvitationRecord } from '../records/people.ts'
import { roleNumber } from '../records/roles.ts'
import type { State } from '../state.ts'
import { NOTABLE } from './notable.ts'
import { startOfDay } from './sites.ts'

const DAY_MS = 86_400_000

interface Draft {
  email: string
  customerId: string | null
  sentDaysAgo: number
  status?: InvitationRecord['status']
}

const DRAFTS: Draft[] = [
  { email: 'invited.user@portal.example', customerId: NOTABLE.northwind, sentDaysAgo: 2 },
  { email: 'invited.user@portal.example', customerId: null, sentDaysAgo: 1 },
  { email: 'h.lindqvist@northwind.example', customerId: NOTABLE.northwind, sentDaysAgo: 5 },
  { email: 'j.mensah@northwind.example', customerId: NOTABLE.northwind, sentDaysAgo: 40 },
  { email: 'r.santos@meridian.example', customerId: null, sentDaysAgo: 3 },
  { email: 'k.vogel@meridian.example', customerId: null, sentDaysAgo: 20, status: 'REJECTED' },
  { email: 'd.osei@meridian.example', customerId: null, sentDaysAgo: 25, status: 'ACCEPTED' }
]

export const INVITATION_DAYS = 14

export function addInvitations(state: State): void {
  const today = startOfDay(state.clock())
  DRAFTS.forEach(({ email, customerId, sentDaysAgo, status = 'PENDING' }, index) => {
    const createdMs = today - sentDaysAgo * DAY_MS
    const role = customerId === null ? 'partner_user' : 'customer_user'
    const partnerScope = `/organizations/${NOTABLE.partner}`
    const id = `inv-${index + 1}`
    state.invitations.set(id, {
      id,
      email,
      message: null,
      partnerId: NOTABLE.partner,
      customerId,
      createdDate: new Date(createdMs).toISOString(),
      expiresDate: new Date(createdMs + INVITATION_DAYS * DAY_MS).toISOString(),
      invitedBy: 'u-partner-admin',
      status,
      roleAssignments: [
        {
          id: `ra-${id}`,
          scope: customerId === null ? partnerScope : `${partnerScope}/customers/${customerId}`,
          roleNumber: roleNumber(role),
          roleName: role
        }
      ]
    })
  })
}
