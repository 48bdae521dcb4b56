import { useState } from 'react'
import { PROJECT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { projectName } from '../../../lib/validation.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../../ui/input/field.tsx'

export interface NewProjectProps {
  initialName?: string
  onCreate: (projectName: string) => Promise<void>
  onClose: () => void
  failureText?: (error: unknown) => string
}

export function NewProject({ initialName = '', onCreate, onClose, failureText }: NewProjectProps) {
  const [name, setName] = useState(initialName)
  const trimmedName = name.trim()
  const error = projectName(name)
  return (
    <FormDialog
      title="New Project"
      saveLabel="Create"
      ready={error === null && trimmedName !== ''}
      edited={trimmedName !== initialName.trim()}
      enter
      onSave={() => onCreate(trimmedName)}
      onClose={onClose}
      failureText={failureText}
    >
      <TextField
        label="Project name"
        bodyField="projectName"
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
