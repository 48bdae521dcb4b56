import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { count } from '../../../lib/format.ts'
import { isConflict, refusalText } from '../../../lib/http/api-error.ts'
import { ChangeDialog } from '../../access/change-dialog.tsx'
import { CopyAccess } from './copy-access.tsx'
import type { AccessEdit } from './use-access-edit.ts'
import type { PersonAccess } from './use-person-access.ts'

interface AccessBarProps {
  access: PersonAccess
  edit: AccessEdit
  /** Why it is not complete; null when it is. */
  incomplete: string | null
  /** The scopes that are edited here; access elsewhere is not copied. */
  within: (scope: string) => boolean
  onReload: () => void
  onBack: () => void
}

/** Save, reset, and taking over what somebody else has. */
export function AccessBar({ access, edit, incomplete, within, onReload, onBack }: AccessBarProps) {
  const [asking, setAsking] = useState(false)
  const [copying, setCopying] = useState(false)
  const { person, nameOf } = access
  const reason = edit.refusal ?? incomplete ?? (edit.dirty ? null : 'Nothing is changed')
  return (
    <div className="form-bar">
      <button
        type="button"
        className="button primary"
        aria-disabled={reason !== null}
        aria-describedby="access-bar-state"
        onClick={() => reason === null && setAsking(true)}
      >
        Save…
      </button>
      <button
        type="button"
        className="button"
        aria-disabled={!edit.dirty}
        onClick={() => edit.dirty && edit.reset()}
      >
        Reset
      </button>
      <button type="button" className="button" onClick={onBack}>
        Back
      </button>
      <button type="button" className="button quiet" onClick={() => setCopying(true)}>
        <Copy />
        Copy access from…
      </button>
      <p id="access-bar-state" className={edit.refusal ? 'field-error' : 'muted'} role="status">
        {reason ?? count(edit.lines.length, 'change')}
      </p>
      {asking && (
        <ChangeDialog
          name={person.fullName}
          lines={edit.lines}
          nameOf={nameOf}
          onSave={async () => {
            await edit.save()
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
          failureText={refusalText}
          isConflict={isConflict}
          onReload={onReload}
        />
      )}
      {copying && (
        <CopyAccess
          organizationId={
            person.userType === 'CUSTOMER' ? (person.organizationId ?? '') : access.integrator.id
          }
          exceptId={person.id}
          granting={access.granting}
          within={within}
          nameOf={nameOf}
          onCopy={(copied) => {
            edit.change([...edit.wanted.filter(({ scope }) => !within(scope)), ...copied])
            setCopying(false)
          }}
          onClose={() => setCopying(false)}
        />
      )}
    </div>
  )
}
