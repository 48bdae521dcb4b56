import { useState } from 'react'
import { PROJECT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { CUSTOMER_NOT_SET } from '#shared/messages.ts'
import { lengthOf, projectName } from '#shared/validation.ts'
import { TextField } from '../../components/field.tsx'
import { Modal } from '../../components/modal.tsx'
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
  const [busy, setBusy] = useState(false)
  const error = projectName(name)
  const characters = lengthOf(name)
  const ready = !busy && error === null && characters > 0
  useUnsavedChanges(name.trim() === initialName.trim() ? null : {})

  async function create() {
    if (!ready) return
    if (customer.partnerId === null) throw new Error(CUSTOMER_NOT_SET)
    setBusy(true)
    await deeds.createProject(name.trim(), customer.partnerId)
    onClose()
  }

  return (
    <Modal title="New Project" onClose={() => busy || onClose()} onEnter={() => void create()}>
      <div className="modal-body">
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
      </div>
      <div className="modal-actions">
        <button type="button" className="button" aria-disabled={busy} onClick={() => busy || onClose()}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!ready}
          aria-busy={busy}
          onClick={() => void create()}
        >
          Create
        </button>
      </div>
    </Modal>
  )
}
