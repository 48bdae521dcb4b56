import { useState } from 'react'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { description as descriptionRule, freeName } from '../../../lib/validation.ts'
import { showDialog } from '../../../ui/dialog/dialogs.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea, TextField } from '../../../ui/input/field.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { Section } from './accounts-frame.tsx'
import { type AccountTexts, editServiceAccount, type ServiceAccount, useAccountsRefresh } from './api.ts'

export function Details({ account }: { account: ServiceAccount }) {
  const { can } = useCustomer()
  const { serviceName, description, createdDate, createdBy, lastUsedDate } = account
  return (
    <Section
      title="Details"
      actions={
        can('service-accounts:edit') && (
          <button
            type="button"
            className="button"
            onClick={() => showDialog((close) => <EditDialog account={account} onClose={close} />)}
          >
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
                <Timestamp iso={createdDate} />
                {createdBy && ` by ${createdBy}`}
              </>
            )
          },
          ...(lastUsedDate === undefined
            ? []
            : [
                {
                  name: 'Last used',
                  value: <Timestamp iso={lastUsedDate} as="ago" none="Never" />
                }
              ])
        ]}
      />
    </Section>
  )
}

function EditDialog({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const { customerId } = useCustomer()
  const refresh = useAccountsRefresh(customerId)
  const { serviceName, description } = account
  const [texts, setTexts] = useState<AccountTexts>({ serviceName, description })
  const differs = texts.serviceName.trim() !== serviceName || texts.description.trim() !== description.trim()
  return (
    <FormDialog
      title="Edit service account"
      saveLabel="Save"
      ready={differs && textsRefusal(texts) === null}
      edited={differs}
      enter
      onSave={async () => {
        await editServiceAccount(account.id, customerId, texts)
        onClose()
        toasts.ok('Service account updated.')
        await refresh()
      }}
      onClose={onClose}
      reload={refresh}
    >
      <AccountTextFields texts={texts} onChange={(part) => setTexts({ ...texts, ...part })} />
    </FormDialog>
  )
}

/** Why the texts cannot be saved; null if they can. */
export function textsRefusal({ serviceName, description }: AccountTexts): string | null {
  if (serviceName.trim() === '') return 'Enter a name'
  const problem = freeName(serviceName) ?? descriptionRule(description)
  return problem === null ? null : 'Correct the marked fields'
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
        bodyField="serviceName"
        value={texts.serviceName}
        error={freeName(texts.serviceName)}
        autoComplete="off"
        onChange={(serviceName) => onChange({ serviceName })}
      />
      <TextArea
        label="Description"
        bodyField="description"
        required={false}
        value={texts.description}
        error={descriptionRule(texts.description)}
        limit={DESCRIPTION_MAX_CHARACTERS}
        onChange={(description) => onChange({ description })}
      />
    </>
  )
}
