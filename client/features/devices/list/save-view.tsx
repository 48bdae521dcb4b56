import { useState } from 'react'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../../ui/input/field.tsx'
import { VIEW_NAME_MAX_CHARACTERS } from '../saved-views.ts'

interface SaveViewProps {
  name: string
  /** Names that there are; one of them is saved anew. */
  taken: readonly string[]
  onSave: (name: string) => void
  onClose: () => void
}

/** A name for the filters, sort and columns that show. */
export function SaveView({ name: initial, taken, onSave, onClose }: SaveViewProps) {
  const [name, setName] = useState(initial)
  const wanted = name.trim()
  return (
    <FormDialog
      title="Save view"
      saveLabel={taken.includes(wanted) ? 'Save anew' : 'Save'}
      ready={wanted !== ''}
      enter
      onSave={() => {
        onSave(wanted)
        onClose()
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        help="Filters, sort and columns are saved under it, in this browser. The address holds them too, to be shared."
        maxLength={VIEW_NAME_MAX_CHARACTERS}
        autoFocus
        required
        autoComplete="off"
      />
    </FormDialog>
  )
}
