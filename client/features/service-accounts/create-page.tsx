import './style.css'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { useUnsavedChanges } from '../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../ui/input/form-actions.tsx'
import { LoadFailed } from '../../ui/state/load-failed.tsx'
import { NotFound } from '../../ui/state/panel.tsx'
import { AccessPreview } from '../access/access-preview.tsx'
import { useCustomer } from '../customers/customer.ts'
import { AccountAccessChoice, accountAccessRefusal, useAccountGranting } from './account-access-choice.tsx'
import { AccountsFrame } from './accounts-frame.tsx'
import { AccountTextFields, textsRefusal } from './details.tsx'
import { ExpiryChoice, SecretOnce, useExpiryDay } from './secret.tsx'
import { useCreation } from './use-creation.ts'

const TITLE = 'Create Service Account'

export default function CreatePage() {
  const { customerPath, list, can } = useCustomer()
  if (list && !can('service-accounts:create')) return <NotFound />
  return (
    <AccountsFrame
      title={TITLE}
      crumbs={[{ label: 'Service Accounts', to: paths.serviceAccounts(customerPath) }, { label: TITLE }]}
    >
      <CreateForm key={customerPath} />
    </AccountsFrame>
  )
}

function CreateForm() {
  const navigate = useNavigate()
  const { customerPath } = useCustomer()
  const accounts = paths.serviceAccounts(customerPath)
  const given = useAccountGranting('service-accounts:create')
  const [texts, setTexts] = useState({ serviceName: '', description: '' })
  const [draft, setDraft] = useState<readonly Assignment[]>([])
  const expiry = useExpiryDay()
  const creation = useCreation()
  const { busy, failure, secret, unstored } = creation
  const { data: numbers, error: rolesError } = given.numbers

  const missing =
    textsRefusal(texts) ??
    accountAccessRefusal(draft) ??
    expiry.refusal ??
    (numbers ? null : rolesError ? 'The roles could not be loaded' : 'The roles are still loading')
  const dirty = texts.serviceName !== '' || texts.description !== '' || draft.length > 0
  const wanted = missing === null && numbers && { here: given.here, texts, draft, day: expiry.day, numbers }
  const unsaved = wanted ? { save: () => creation.createAndStay(wanted) } : { missing: missing ?? '' }
  const form = unstored ?? (dirty ? unsaved : null)
  // Opening the created account loses nothing.
  useUnsavedChanges(form && { ...form, keeps: (pathname) => pathname.startsWith(`${accounts}/`) })

  return (
    <div className="stack access-layout">
      <form
        className="card stack access-card"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted) void creation.create(wanted)
        }}
      >
        <AccountTextFields texts={texts} onChange={(part) => setTexts({ ...texts, ...part })} />
        <AccountAccessChoice given={given} draft={draft} onChange={setDraft} />
        {rolesError !== undefined && !numbers && (
          <LoadFailed onRetry={given.numbers.reload}>The roles could not be loaded.</LoadFailed>
        )}
        <ExpiryChoice {...expiry} />
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
        <FormActions
          label={busy ? 'Creating…' : 'Create'}
          missing={missing}
          busy={busy}
          onCancel={() => navigate(accounts)}
        />
      </form>
      <AccessPreview first={given.here} customers={given.others} after={draft} nameOf={given.nameOf} />
      {secret && <SecretOnce name={texts.serviceName} secret={secret} onClose={creation.stored} />}
    </div>
  )
}
