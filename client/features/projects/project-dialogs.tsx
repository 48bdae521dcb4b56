import { useState } from 'react'
import { PROJECT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { CUSTOMER_NOT_SET } from '#shared/messages.ts'
import { projectName } from '#shared/validation.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { showDialog } from '../../ui/dialog/dialogs.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/input/field.tsx'
import { deletionRefusal, type ProjectEntry, useCustomer } from '../customers/customer.ts'
import { useProjectChanges } from './api.ts'

interface CreateProjectProps {
  initialName?: string
  onClose: () => void
}

/** On failure a message links back to this dialog, with the name filled in. */
function CreateProject({ initialName = '', onClose }: CreateProjectProps) {
  const { partnerId } = useCustomer()
  const changes = useProjectChanges()
  const [name, setName] = useState(initialName)
  const error = projectName(name)

  async function create() {
    if (partnerId === null) throw new Error(CUSTOMER_NOT_SET)
    await changes.createProject(name.trim(), partnerId)
    onClose()
  }

  return (
    <FormDialog
      title="New Project"
      saveLabel="Create"
      ready={error === null && name.trim() !== ''}
      edited={name.trim() !== initialName.trim()}
      enter
      onSave={create}
      onClose={onClose}
    >
      <TextField
        label="Project name"
        value={name}
        onChange={setName}
        error={error}
        limit={PROJECT_NAME_MAX_CHARACTERS}
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

function DeleteProject({ project, onClose }: DeleteProjectProps) {
  const { list } = useCustomer()
  const changes = useProjectChanges()
  const current = list?.projects.find(({ id }) => id === project.id) ?? project
  return (
    <ConfirmDialog
      title="Delete Project?"
      confirmLabel="Delete Project"
      tone="danger"
      refusal={deletionRefusal(current)}
      onConfirm={() => {
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

export function showDeleteProject(project: ProjectEntry): void {
  showDialog((close) => <DeleteProject project={project} onClose={close} />)
}

export function showCreateProject(initialName?: string): void {
  showDialog((close) => (
    <CreateProject onClose={close} {...(initialName === undefined ? {} : { initialName })} />
  ))
}
