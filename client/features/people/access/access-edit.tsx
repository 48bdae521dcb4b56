import './style.css'
import { type ReactNode, useState } from 'react'
import type { RoleAssignment } from '#shared/answers/portal.ts'
import type { RoleChanges } from '#shared/grants.ts'
import type { Assignment } from '#shared/permissions.ts'
import { count } from '../../../lib/format.ts'
import { mustReload, refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../../ui/input/form-actions.tsx'
import {
  type ChangeLine,
  changesBetween,
  type Draft,
  isEmpty,
  limitRefusal,
  linesOf,
  settled,
  shortened
} from './access-draft.ts'
import { roleLabel, type ScopeNames } from './roles.tsx'

interface AccessEditOptions {
  current: readonly RoleAssignment[]
  /** Why the changed access cannot be saved; null if it can. */
  refusalOf: (changes: RoleChanges, wanted: Draft) => string | null
  save: (changes: RoleChanges) => Promise<void>
}

/** Edits the access of a user or a service account. `current`, the saved assignments, may change during the edit. */
export function useAccessEdit({ current, refusalOf, save }: AccessEditOptions) {
  const [draft, setDraft] = useState<Assignment[] | null>(null)
  const wanted = draft ? settled(current, draft) : current
  const changes = changesBetween(current, wanted)
  const dirty = !isEmpty(changes)
  const sentChanges = shortened(changes, current)
  const refusal = refusalOf(changes, wanted) ?? limitRefusal(sentChanges)
  const reset = () => setDraft(null)
  const saveChanges = async () => {
    await save(sentChanges)
    reset()
  }
  useUnsavedChanges(
    dirty
      ? {
          discard: reset,
          ...(refusal === null
            ? { save: saveChanges }
            : { text: `Your changes cannot be saved yet. ${refusal.replace(/\.?$/, '.')}` })
        }
      : null
  )
  return {
    current,
    wanted,
    dirty,
    refusal,
    lines: linesOf(changes, current),
    change: (next: Draft) => setDraft(settled(current, next)),
    reset,
    save: saveChanges
  }
}

export type AccessEdit = ReturnType<typeof useAccessEdit>

interface AccessBarProps {
  name: string
  edit: AccessEdit
  nameOf: ScopeNames
  onReload: () => void
  onBack: () => void
  children?: ReactNode
}

export function AccessBar({ name, edit, nameOf, onReload, onBack, children }: AccessBarProps) {
  const [confirmOpen, setConfirmOpen] = useState(false)
  const { dirty, refusal, lines } = edit
  const missing = refusal ?? (dirty ? null : 'Nothing is changed')
  return (
    <FormActions
      label="Save…"
      missing={missing}
      onSend={() => missing === null && setConfirmOpen(true)}
      cancelLabel="Back"
      onCancel={onBack}
    >
      <button type="button" className="button" aria-disabled={!dirty} onClick={() => dirty && edit.reset()}>
        Reset
      </button>
      {children}
      {confirmOpen && (
        <FormDialog
          title={`${count(lines.length, 'change')} for ${name}`}
          role="alertdialog"
          saveLabel="Save changes"
          ready
          enter
          onSave={async () => {
            await edit.save()
            setConfirmOpen(false)
          }}
          onClose={() => setConfirmOpen(false)}
          failureText={(error) => (
            <>
              {refusalText(error)} {consequenceText(error)}{' '}
              {mustReload(error) && (
                <button
                  type="button"
                  className="link-button"
                  onClick={() => {
                    onReload()
                    setConfirmOpen(false)
                  }}
                >
                  Reload
                </button>
              )}
            </>
          )}
        >
          <ChangeLines lines={lines} nameOf={nameOf} />
        </FormDialog>
      )}
    </FormActions>
  )
}

export function ChangeLines({ lines, nameOf }: { lines: readonly ChangeLine[]; nameOf: ScopeNames }) {
  return (
    <ul className="lines plain-list" aria-label="Changes">
      {lines.map(({ sign, role, scope, replacedBy }) => (
        <li key={`${sign} ${role} ${scope}`} className={`outcome ${sign === '+' ? 'ok' : 'danger'}`}>
          <strong aria-hidden="true">{sign}</strong>
          <span>
            <span className="sr-only">{sign === '+' ? 'Add ' : 'Remove '}</span>
            <strong>{roleLabel(role)}</strong> at {nameOf(scope)}
            {replacedBy && (
              <small>
                {' '}
                Replaced by {roleLabel(replacedBy.role)} at {nameOf(replacedBy.scope)} (narrower scope)
              </small>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
