import { useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { changesBetween, type Draft, isEmpty, linesOf, settled } from '../../access/access-draft.ts'
import { changeUserRoles, PATHS_OF_USERS } from '../api.ts'
import type { PersonAccess } from './use-person-access.ts'

/** Somebody's access while it is edited: a draft beside what is held, which may change underneath. */
export function useAccessEdit({ person, numbers, refusalOf }: PersonAccess, onSaved?: () => void) {
  const [draft, setDraft] = useState<Assignment[] | null>(null)
  const refresh = useRefresh()
  const held = person.roleAssignments
  const wanted = draft ? settled(held, draft) : held
  const changes = changesBetween(held, wanted)
  const dirty = !isEmpty(changes)
  const refusal = refusalOf(changes)

  async function save() {
    await changeUserRoles(person.id, changes, numbers)
    setDraft(null)
    toasts.ok(`Access of ${person.fullName} changed.`)
    await refresh(...PATHS_OF_USERS)
    onSaved?.()
  }

  useUnsavedChanges(dirty ? { discard: () => setDraft(null), ...(refusal === null ? { save } : {}) } : null)
  return {
    held,
    wanted,
    dirty,
    refusal,
    lines: linesOf(changes, held),
    change: (next: Draft) => setDraft(settled(held, next)),
    reset: () => setDraft(null),
    save
  }
}

export type AccessEdit = ReturnType<typeof useAccessEdit>
