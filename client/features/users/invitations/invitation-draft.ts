// The form for adding users. Stored in the history entry, it survives a reload and keeps e-mails out of the address.
import type { Assignment } from '#shared/permissions.ts'
import { paths } from '../../../lib/paths.ts'

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

/** Whether the path is a step of adding users. Navigation between the steps needs no confirmation. */
export function isStep(pathname: string): boolean {
  return pathname === paths.addUser || pathname === paths.addUserAccess
}
