// The form for adding users. Stored in the history entry, it survives a reload and keeps e-mails out of the address.
import type { Assignment } from '#shared/permissions.ts'
import { paths } from '../../../../lib/paths.ts'
import type { DirtyForm } from '../../../../ui/dialog/unsaved-changes.tsx'

export interface InvitationDraft {
  /** All entered addresses, including invalid addresses. */
  emails: string[]
  invited: string[]
  belongs: 'partner' | 'customer'
  customerId: string | null
  note: string
  roles: Assignment[]
}

export const EMPTY_DRAFT: InvitationDraft = {
  emails: [],
  invited: [],
  belongs: 'partner',
  customerId: null,
  note: '',
  roles: []
}

export const ADDRESSES_MAX = 20

export function draftFrom(state: unknown): InvitationDraft | null {
  const { invitation } = (state ?? {}) as { invitation?: InvitationDraft }
  return invitation ?? null
}

/** Asks before the invitation is lost, but not between the steps of adding users. */
export const UNSENT_INVITATION: DirtyForm = {
  question: 'Leave without sending the invitation?',
  keeps: ({ pathname, search }, current) =>
    // The query names the organization.
    (pathname === paths.addUser || pathname === paths.addUserAccess) && search === current.search
}
