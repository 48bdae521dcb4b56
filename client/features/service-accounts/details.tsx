import { useState } from 'react'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { description as descriptionRule, freeName, lengthOf } from '#shared/validation.ts'
import { isConflict, refusalText } from '../../lib/http/api-error.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { useUnsavedChanges } from '../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { TextArea, TextField } from '../../ui/input/field.tsx'
import { Facts } from '../../ui/list/card-list.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { useSession } from '../session/session.ts'
import { type AccountsCustomer, Section } from './accounts-frame.tsx'
import { editServiceAccount, type ServiceAccount, serviceAccountsPath } from './api.ts'

interface DetailsProps {
  customer: AccountsCustomer
  account: ServiceAccount
}

export function Details({ customer, account }: DetailsProps) {
  const { can, nowMs } = useSession()
  const [editing, setEditing] = useState(false)
  if (editing) return <DetailsForm {...{ customer, account }} onDone={() => setEditing(false)} />
  const { serviceName, description, created, createdBy, lastUsed } = account
  return (
    <Section
      title="Details"
      actions={
        can('service-accounts:edit', customer.scope) && (
          <button type="button" className="button" onClick={() => setEditing(true)}>
            Edit
          </button>
        )
      }
    >
      <Facts
        facts={[
          { name: 'Name', value: serviceName },
          {
            name: 'Description',
            value: <span className="account-description">{description || 'None'}</span>
          },
          {
            name: 'Created',
            value: (
              <>
                <Timestamp iso={created} nowMs={nowMs()} />
                {createdBy && ` by ${createdBy}`}
              </>
            )
          },
          ...(lastUsed === undefined
            ? []
            : [
                {
                  name: 'Last used',
                  value: <Timestamp iso={lastUsed} as="ago" nowMs={nowMs()} none="Never" />
                }
              ])
        ]}
      />
    </Section>
  )
}

function DetailsForm({ customer, account, onDone }: DetailsProps & { onDone: () => void }) {
  const refresh = useRefresh()
  const { serviceName, description } = account
  const [texts, setTexts] = useState<AccountTexts>({ serviceName, description })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const unchanged =
    texts.serviceName.trim() === serviceName && texts.description.trim() === description.trim()
  const missing = textsRefusal(texts) ?? (unchanged ? 'Nothing is changed' : null)
  const readAgain = () =>
    refresh(serviceAccountsPath(customer.id), `/api/v2/management/serviceAccounts/${account.id}`)

  async function save() {
    await editServiceAccount(account.id, customer.id, {
      serviceName: texts.serviceName.trim(),
      description: texts.description.trim()
    })
    toasts.ok('Service account updated.')
    onDone()
    await readAgain()
  }
  useUnsavedChanges(unchanged ? null : { ...(textsRefusal(texts) === null ? { save } : {}), discard: onDone })

  async function submit() {
    if (missing !== null || busy) return
    setBusy(true)
    setFailure(null)
    await save().catch((error) => {
      setFailure(error)
      setBusy(false)
    })
  }

  return (
    <Section title="Details">
      <form
        className="stack narrow-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <AccountTextFields texts={texts} onChange={(part) => setTexts({ ...texts, ...part })} />
        {failure !== null && (
          <p className="field-error" role="alert">
            {refusalText(failure)} Nothing was changed.{' '}
            {isConflict(failure) && (
              <button type="button" className="link-button" onClick={() => void readAgain()}>
                Reload
              </button>
            )}
          </p>
        )}
        <FormActions label={busy ? 'Saving…' : 'Save'} missing={missing} busy={busy} onCancel={onDone} />
      </form>
    </Section>
  )
}

interface AccountTexts {
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
