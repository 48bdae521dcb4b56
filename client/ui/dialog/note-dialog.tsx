import { type ReactNode, useState } from 'react'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { note } from '../../lib/validation.ts'
import { TextArea } from '../input/field.tsx'
import { FormDialog } from './form-dialog.tsx'

interface NoteDialogProps {
  title: string
  text?: string
  /** A text that was not saved, to begin with. */
  draft?: string
  saveLabel: string
  children?: ReactNode
  /** Must reject on failure, so that the dialog stays open with the text. */
  onSave: (text: string) => Promise<void>
  onClose: () => void
  reload?: () => void
  failureText: (error: unknown) => string
}

export function NoteDialog(props: NoteDialogProps) {
  const {
    title,
    text: initialText = '',
    draft = initialText,
    saveLabel,
    children,
    onSave,
    onClose,
    reload,
    failureText
  } = props
  const [text, setText] = useState(draft)
  const problem = note(text)
  return (
    <FormDialog
      title={title}
      saveLabel={saveLabel}
      ready={text.trim() !== initialText && !problem}
      edited={text.trim() !== initialText.trim()}
      onSave={() => onSave(text.trim())}
      onClose={onClose}
      reload={reload}
      failureText={failureText}
    >
      <TextArea
        label="Note"
        value={text}
        onChange={setText}
        autoFocus
        error={problem}
        limit={DESCRIPTION_MAX_CHARACTERS}
      />
      {children}
    </FormDialog>
  )
}
