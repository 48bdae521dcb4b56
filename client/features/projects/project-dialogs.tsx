import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { PROJECT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { CUSTOMER_NOT_SET } from '#shared/messages.ts'
import { lengthOf, projectName } from '#shared/validation.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useUnsavedChanges } from '../../ui/dialog/unsaved-changes.tsx'
import { TextField } from '../../ui/input/field.tsx'
import { deletionRefusal, type ProjectEntry, useCustomer } from '../customers/customer.ts'
import { useProjectChanges } from './api.ts'

interface CreateProjectProps {
  /** A name that did not work, to be put right. */
  initialName?: string
  onClose: () => void
}

/** From 1 to 50 characters. A refusal is told by a message that leads back here with the name. */
export function CreateProject({ initialName = '', onClose }: CreateProjectProps) {
  const { customerId, partnerId } = useCustomer()
  const changes = useProjectChanges(customerId)
  const [name, setName] = useState(initialName)
  const error = projectName(name)
  const characters = lengthOf(name)
  const edited = name.trim() !== initialName.trim()
  useUnsavedChanges(edited ? {} : null)

  async function create() {
    if (partnerId === null) throw new Error(CUSTOMER_NOT_SET)
    await changes.createProject(name.trim(), partnerId)
    onClose()
  }

  return (
    <FormDialog
      title="New Project"
      saveLabel="Create"
      ready={error === null && characters > 0}
      edited={edited}
      enter
      onSave={create}
      onClose={onClose}
    >
      <TextField
        label="Project name"
        value={name}
        onChange={setName}
        error={error}
        help={`${characters} of ${PROJECT_NAME_MAX_CHARACTERS} characters`}
        autoFocus
        required
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  )
}

interface DeleteProjectProps {
  project: ProjectEntry
  onClose: () => void
}

export function DeleteProject({ project, onClose }: DeleteProjectProps) {
  const { customerId, list } = useCustomer()
  const changes = useProjectChanges(customerId)
  const current = list?.projects.find(({ id }) => id === project.id) ?? project
  const refusal = deletionRefusal(current)
  return (
    <ConfirmDialog
      title="Delete Project?"
      confirmLabel="Delete Project"
      tone="danger"
      failureText={() => refusal ?? ''}
      onConfirm={() => {
        if (refusal !== null) throw new Error(refusal)
        onClose()
        void changes.deleteProject(current)
      }}
      onCancel={onClose}
    >
      <p>
        The project <strong>{current.projectName}</strong> will be deleted. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

interface RenameProjectProps {
  project: ProjectEntry
  /** A name that was refused, to be put right; null for none. */
  refused: string | null
  onRefused: (name: string | null) => void
  /** Tells whether a key ended it: then the focus goes back to where it came from. */
  onDone: (byKey: boolean) => void
}

/** Enter or leaving the field saves a changed name, Escape keeps the old one. What cannot be saved stays in the field. */
export function RenameProject({ project, refused, onRefused, onDone }: RenameProjectProps) {
  const changes = useProjectChanges(useCustomer().customerId)
  const [name, setName] = useState(refused ?? project.projectName)
  const input = useRef<HTMLInputElement>(null)
  const ended = useRef(false)
  const hint = useId()
  const empty = name.trim() === ''
  const isRefused = refused !== null && name.trim() === refused
  const problem = empty
    ? 'Enter a name.'
    : isRefused
      ? 'Not saved. Try again or change the name.'
      : projectName(name)

  useLayoutEffect(() => input.current?.select(), [])

  function end(byKey: boolean, save: boolean) {
    if (ended.current) return
    ended.current = true
    onDone(byKey)
    onRefused(null)
    const changed = name.trim()
    if (!save || changed === project.projectName) return
    void changes.renameProject(project, changed).then((worked) => worked || onRefused(changed))
  }

  function operate(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      end(true, false)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (problem === null || isRefused) end(true, true)
    }
  }

  return (
    <>
      <input
        ref={input}
        // biome-ignore lint/a11y/noAutofocus: the button that was pressed gives way to the field
        autoFocus
        type="text"
        aria-label={`New name of ${project.projectName}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={hint}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={operate}
        onBlur={() => (empty || isRefused || problem === null) && end(false, problem === null)}
      />
      <span id={hint} role="status" className="tooltip" data-shown={problem ? true : undefined}>
        {problem}
      </span>
    </>
  )
}
