import { useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import type { RoleNumbers } from '../../access/api.ts'
import type { Place } from '../use-places.ts'
import { invitationsPath, sendInvitation } from './api.ts'
import type { InvitationDraft } from './invitation-draft.ts'
import type { Sending } from './sending-list.tsx'

/** Sends invitations one after the other, and keeps what became of each. */
export function useSending(draft: InvitationDraft, place: Place, numbers: RoleNumbers) {
  const refresh = useRefresh()
  const [sendings, setSendings] = useState<Sending[] | null>(null)

  async function send(emails: readonly string[], roleAssignments: Assignment[]) {
    const before = sendings ?? draft.invited.map((email) => ({ email, status: 'waiting' as const }))
    const results = new Map<string, Sending>(before.map((one) => [one.email, one]))
    const note = (email: string, result: Omit<Sending, 'email'>) => {
      results.set(email, { email, ...result })
      setSendings([...results.values()])
    }
    const common = {
      message: draft.note,
      integratorId: place.integratorId,
      customerId: draft.belongs === 'customer' ? draft.customerId : null,
      roleAssignments
    }
    for (const email of emails) note(email, { status: 'waiting' })
    for (const email of emails) {
      note(email, { status: 'sending' })
      try {
        await sendInvitation({ email, ...common }, numbers)
        note(email, { status: 'sent' })
      } catch (error) {
        note(email, { status: 'failed', why: refusalText(error) })
      }
    }
    await refresh(invitationsPath(place.id))
  }

  return {
    sendings,
    sent: sendings?.filter(({ status }) => status === 'sent').length ?? 0,
    busy: sendings?.some(({ status }) => status === 'waiting' || status === 'sending') === true,
    send
  }
}
