import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { count } from '../../../../lib/format.ts'
import { refusalText } from '../../../../lib/http/api-error.ts'
import { FormDialog } from '../../../../ui/dialog/form-dialog.tsx'
import { ChoiceList } from '../../../../ui/input/choice-list.tsx'
import { SearchField } from '../../../../ui/input/search-field.tsx'
import { type Granting, grantableRoles } from '../../access/access-draft.ts'
import { roleAt, type ScopeNames } from '../../access/roles.tsx'
import { useUsers } from '../../access/users.ts'

interface CopyAccessProps {
  organizationId: string
  exceptId?: string
  granting: Granting
  /** Limits the copy to these scopes. */
  within: (scope: string) => boolean
  nameOf: ScopeNames
  onCopy: (copies: Assignment[]) => void
}

export function CopyAccess(props: CopyAccessProps) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setOpen(true)}>
        <Copy />
        Copy access from…
      </button>
      {open && <CopyDialog {...props} onClose={close} />}
    </>
  )
}

/** Copies another user's roles into the form, except roles that the caller may not grant. Does not save. */
function CopyDialog(props: CopyAccessProps & { onClose: () => void }) {
  const { organizationId, exceptId, granting, within, nameOf, onCopy, onClose } = props
  const [keyword, setKeyword] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { data, error } = useUsers(organizationId, { keyword })
  const people = (data?.items ?? []).filter(({ id }) => id !== exceptId)
  const chosen = people.find(({ id }) => id === chosenId)
  const rolesWithin = chosen?.roleAssignments.filter(({ scope }) => within(scope)) ?? []
  const copies = rolesWithin.filter(({ role, scope }) => grantableRoles(granting, scope).includes(role))
  const others = (chosen?.roleAssignments.length ?? 0) + (chosen?.unknownRoles.length ?? 0) - copies.length
  const text = (roles: readonly Assignment[]) =>
    roles.map((assignment) => roleAt(assignment, nameOf)).join(', ') || 'No roles'
  return (
    <FormDialog
      title="Copy access from another user"
      saveLabel="Copy"
      ready={copies.length > 0}
      onSave={() => {
        onCopy(copies.map(({ role, scope }) => ({ role, scope })))
        onClose()
      }}
      onClose={onClose}
    >
      <SearchField label="Name or e-mail of the user" value={keyword} onSearch={setKeyword} />
      {error !== undefined && (
        <p className="field-error" role="alert">
          {refusalText(error)}
        </p>
      )}
      {!data && error === undefined && <p role="status">Searching…</p>}
      {data && people.length === 0 && <p role="status">No user matches.</p>}
      {people.length > 0 && (
        <ChoiceList
          legend="Users"
          choices={people.map(({ id, fullName, email, roleAssignments }) => ({
            value: id,
            label: fullName,
            help: (
              <>
                {email && <span className="choice-email">{email}</span>}
                {text(roleAssignments)}
              </>
            )
          }))}
          chosen={chosen?.id ?? null}
          onChoose={setChosenId}
        />
      )}
      {chosen && (
        <p role="status">
          {copies.length > 0 ? `Copies ${text(copies)}.` : 'None of these roles can be given here.'}
          {copies.length > 0 && others > 0 && ` ${count(others, 'other role')} cannot be given here.`}
        </p>
      )}
    </FormDialog>
  )
}
