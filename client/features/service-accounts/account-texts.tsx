import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { description as descriptionRule, freeName, lengthOf } from '#shared/validation.ts'
import { TextArea, TextField } from '../../ui/input/field.tsx'

export interface AccountTexts {
  serviceName: string
  description: string
}

/** Why the texts cannot be saved; null when they can. */
export function textsRefusal({ serviceName, description }: AccountTexts): string | null {
  if (serviceName.trim() === '') return 'Give it a name'
  const wrong = freeName(serviceName) ?? descriptionRule(description)
  return wrong === null ? null : 'Correct the texts'
}

interface AccountTextFieldsProps {
  texts: AccountTexts
  onChange: (part: Partial<AccountTexts>) => void
}

export function AccountTextFields({ texts, onChange }: AccountTextFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        value={texts.serviceName}
        error={freeName(texts.serviceName)}
        autoComplete="off"
        onChange={(serviceName) => onChange({ serviceName })}
      />
      <TextArea
        label="Description"
        required={false}
        value={texts.description}
        error={descriptionRule(texts.description)}
        help={`${lengthOf(texts.description)} of ${DESCRIPTION_MAX_CHARACTERS} characters`}
        onChange={(description) => onChange({ description })}
      />
    </>
  )
}
