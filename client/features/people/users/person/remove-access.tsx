import { useState } from 'react'
import { ROLE_CHANGES_MAX } from '#shared/limits.ts'
import { may } from '#shared/permissions.ts'
import { refusalText } from '../../../../lib/http/api-error.ts'
import { consequenceText } from '../../../../lib/http/consequence.ts'
import { useRefresh } from '../../../../lib/http/query.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { ConfirmDialog } from '../../../../ui/dialog/confirm-dialog.tsx'
import { toasts } from '../../../../ui/state/toasts.ts'
import { changesBetween, linesOf } from '../../access/access-draft.ts'
import { ChangeLines } from '../../access/access-edit.tsx'
import { useRoleNumbers } from '../../access/api.ts'
import { roleLabel, type ScopeNames } from '../../access/roles.tsx'
import type { Person } from '../../access/users.ts'
import { changeUserRoles, PATHS_OF_USERS, useSoleAdminPositions } from '../api.ts'

interface RemoveAccessProps {
  person: Person
  nameOf: ScopeNames
  onClose: () => void
  onRemoved?: () => void
}

/** Removes every role that the caller may remove. */
export function RemoveAccess({ person, nameOf, onClose, onRemoved }: RemoveAccessProps) {
  const { user: me } = useSession()
  const numbers = useRoleNumbers()
  const refresh = useRefresh()
  const reload = () => refresh(...PATHS_OF_USERS)
  const soleLoad = useSoleAdminPositions(person, numbers.data)
  const mayRemove = ({ scope }: { scope: string }) => may(me.roleAssignments, 'users:modify-roles', scope)
  const keptRoles = person.roleAssignments.filter((assignment) => !mayRemove(assignment))
  const [removedIds, setRemovedIds] = useState<readonly string[]>([])
  const remainingRoles = person.roleAssignments.filter(({ id }) => !removedIds.includes(id))
  const changes = changesBetween(remainingRoles, keptRoles)
  const lastPosition = soleLoad.data?.[0]

  async function remove() {
    if (!numbers.data) throw new Error('the roles are not loaded yet')
    try {
      for (let start = 0; start < changes.delete.length; start += ROLE_CHANGES_MAX) {
        const ids = changes.delete.slice(start, start + ROLE_CHANGES_MAX)
        await changeUserRoles(person.id, { create: [], update: [], delete: ids }, numbers.data)
        setRemovedIds((before) => [...before, ...ids])
      }
    } catch (failure) {
      // Earlier calls may have removed roles.
      void reload()
      throw failure
    }
    onClose()
    toasts.ok(`Access of ${person.fullName} removed.`)
    await reload()
    onRemoved?.()
  }

  return (
    <ConfirmDialog
      title={`Remove the access of ${person.fullName}?`}
      confirmLabel="Remove access"
      tone="danger"
      onConfirm={remove}
      onCancel={onClose}
      refusal={
        lastPosition
          ? `${person.fullName} is the last ${roleLabel(lastPosition.role)} at ${nameOf(lastPosition.scope)}: add another admin first.`
          : null
      }
      failureText={(error) =>
        `${refusalText(error)} ${consequenceText(error, 'The roles listed here were not removed.')}`
      }
    >
      <p>The user loses these roles immediately, but stays in the portal and can be given access again.</p>
      <ChangeLines lines={linesOf(changes, remainingRoles)} nameOf={nameOf} />
      {keptRoles.length > 0 && <p>Roles that you may not remove: {keptRoles.length}.</p>}
    </ConfirmDialog>
  )
}
