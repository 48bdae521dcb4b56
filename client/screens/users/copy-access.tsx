import { useEffect, useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { refusalText } from '../../api/refusal-text.ts'
import { searchUsers } from '../../api/user-access.ts'
import type { Person } from '../../api/users.ts'
import { ChoiceList } from '../../components/choice-list.tsx'
import { Modal } from '../../components/modal.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { type Granting, grantableRoles } from '../../lib/access-draft.ts'
import { count } from '../../lib/format.ts'
import { roleLabel, type ScopeNames } from '../../lib/role-text.ts'

interface CopyAccessProps {
  /** Among whose users to look. */
  organizationId: string
  exceptId?: string
  granting: Granting
  within: (scope: string) => boolean
  nameOf: ScopeNames
  onCopy: (copied: Assignment[]) => void
  onClose: () => void
}

/** Takes over the roles of somebody else, as far as they may be given; nothing is saved by it. */
export function CopyAccess(props: CopyAccessProps) {
  const { organizationId, exceptId, granting, within, nameOf, onCopy, onClose } = props
  const [keyword, setKeyword] = useState('')
  const [found, setFound] = useState<Person[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [chosenId, setChosenId] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    searchUsers(organizationId, keyword).then(
      (people) => {
        if (!current) return
        setFound(people)
        setFailure(null)
      },
      (error) => current && setFailure(refusalText(error))
    )
    return () => {
      current = false
    }
  }, [organizationId, keyword])

  const people = (found ?? []).filter(({ id }) => id !== exceptId)
  const chosen = people.find(({ id }) => id === chosenId)
  const relevant = chosen?.roleAssignments.filter(({ scope }) => within(scope)) ?? []
  const copied = relevant.filter(({ role, scope }) => grantableRoles(granting, scope).includes(role))
  const skipped = (chosen?.roleAssignments.length ?? 0) + (chosen?.unknownRoles.length ?? 0) - copied.length
  const text = (held: readonly Assignment[]) =>
    held.map(({ role, scope }) => `${roleLabel(role)} at ${nameOf(scope)}`).join(', ') || 'No roles'
  const ready = copied.length > 0
  return (
    <Modal title="Copy access from another user" onClose={onClose}>
      <div className="modal-body">
        <SearchField label="Name or e-mail of the user" value={keyword} onSearch={setKeyword} />
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
        {!found && !failure && <p role="status">Looking…</p>}
        {found && people.length === 0 && <p role="status">Nobody matches.</p>}
        {people.length > 0 && (
          <ChoiceList
            legend="Users"
            choices={people.map(({ id, fullName, email, roleAssignments }) => ({
              value: id,
              label: email ? `${fullName}, ${email}` : fullName,
              help: text(roleAssignments)
            }))}
            chosen={chosen ? chosen.id : null}
            onChoose={setChosenId}
          />
        )}
        {chosen && (
          <p role="status">
            {ready ? `Copies ${text(copied)}.` : 'None of these roles can be given here.'}
            {ready && skipped > 0 && ` ${count(skipped, 'other role')} cannot be given here.`}
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!ready}
          onClick={() => ready && onCopy(copied.map(({ role, scope }) => ({ role, scope })))}
        >
          Copy
        </button>
      </div>
    </Modal>
  )
}
