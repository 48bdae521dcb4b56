import { useState } from 'react'
import { isConflict, refusalText } from '../../../lib/http/api-error.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { Facts } from '../../../ui/list/card-list.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useSession } from '../../session/session.ts'
import { AccountTextFields, type AccountTexts, textsRefusal } from '../account-texts.tsx'
import { editServiceAccount, type ServiceAccount, serviceAccountsPath } from '../api.ts'
import type { AccountsCustomer } from '../use-customer.ts'
import { Section } from './section.tsx'

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
        className="details-form"
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
