// The access of a service account as a choice of three: one role at its customer, or a custom mix.
import type { Assignment, Role } from '#shared/permissions.ts'
import { type Draft, modeOf, rolesAt, withRolesAt } from '../access/access-draft.ts'

export type AccountChoice = 'customer_user' | 'nds_operator' | 'custom'

/** Null while nothing is chosen. */
export function accountChoice(draft: Draft, scope: string): AccountChoice | null {
  if (draft.length === 0) return null
  const here = rolesAt(draft, scope)
  if (draft.length === 1 && (here[0] === 'customer_user' || here[0] === 'nds_operator')) return here[0]
  return 'custom'
}

/** A role alone, or the mark of custom access beside what is chosen customer by customer. */
export function withChoice(choice: AccountChoice, scope: string, last: Draft): Assignment[] {
  if (choice !== 'custom') return withRolesAt([], scope, [choice])
  return withMark(last.length > 0 ? last : [], scope)
}

export function withoutMark(draft: Draft): Assignment[] {
  return draft.filter(({ role }) => role !== 'custom')
}

export function withMark(draft: Draft, scope: string): Assignment[] {
  return [{ role: 'custom' as Role, scope }, ...withoutMark(draft)]
}

/** Why such access cannot be saved; null when it can. */
export function accountAccessRefusal(draft: Draft): string | null {
  if (draft.length === 0) return 'Choose the access'
  return draft.some(({ role }) => modeOf(role) !== 'custom')
    ? null
    : 'Custom access needs a role at one customer at least'
}
