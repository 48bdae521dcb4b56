import { useState } from 'react'
import { PROJECT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { CUSTOMER_NOT_SET } from '#shared/messages.ts'
import { lengthOf, projectName } from '#shared/validation.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useUnsavedChanges } from '../../session/unsaved-changes.tsx'
import { useCustomer } from '../customer.ts'
import { useProjectDeeds } from '../use-project-deeds.ts'

interface CreateProjectProps {
  /** A name that did not work, to be put right. */
  initialName?: string
  onClose: () => void
}

/** §5: from 1 to 50 characters. A refusal is told by a message that leads back here with the name. */
export function CreateProject({ initialName = '', onClose }: CreateProjectProps) {
  const customer = useCustomer()
  const deeds = useProjectDeeds(customer.id)
  const [name, setName] = useState(initialName)
  const error = projectName(name)
  const characters = lengthOf(name)
  useUnsavedChanges(name.trim() === initialName.trim() ? null : {})

  async function create() {
    if (customer.partnerId === null) throw new Error(CUSTOMER_NOT_SET)
    await deeds.createProject(name.trim(), customer.partnerId)
    onClose()
  }

  return (
    <FormDialog
      title="New Project"
      saveLabel="Create"
      ready={error === null && characters > 0}
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
