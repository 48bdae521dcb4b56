import './style.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { fieldReasonsOf, mustReload, refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { paths } from '../../../lib/paths.ts'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { FieldReasonsContext } from '../../../ui/input/field.tsx'
import { FormActions } from '../../../ui/input/form-actions.tsx'
import { LoadFailed } from '../../../ui/state/load-failed.tsx'
import { NotFound } from '../../../ui/state/panel.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { newRolesRefusal } from '../access/access-draft.ts'
import { AccessPreview } from '../access/access-preview.tsx'
import { AccountAccessChoice, accountAccessRefusal, useAccountGranting } from './account-access-choice.tsx'
import { AccountsFrame } from './accounts-frame.tsx'
import { type CreatedAccount, createAccount, type NewAccount, useAccountsRefresh } from './api.ts'
import { AccountTextFields, textsRefusal } from './details.tsx'
import { ExpiryChoice, SecretOnce, useExpiryDay } from './secret.tsx'

const TITLE = 'Create Service Account'
const MAYBE_CREATED =
  'The service account may have been created anyway. Look at the list before you try again.'

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
  const { customerId, customerPath } = useCustomer()
  const refresh = useAccountsRefresh(customerId)
  const accounts = paths.serviceAccounts(customerPath)
  const access = useAccountGranting('service-accounts:create')
  const [texts, setTexts] = useState({ serviceName: '', description: '' })
  const [draft, setDraft] = useState<readonly Assignment[]>([])
  const expiry = useExpiryDay()
  const [reasons, setReasons] = useState(fieldReasonsOf(null))
  const [account, setAccount] = useState<CreatedAccount | null>(null)
  const { data: numbers, error: rolesError } = access.numbers

  const refusal =
    textsRefusal(texts) ??
    accountAccessRefusal(draft) ??
    newRolesRefusal(draft) ??
    expiry.refusal ??
    (numbers ? null : rolesError ? 'The roles could not be loaded' : 'The roles are still loading')
  const isEdited = texts.serviceName !== '' || texts.description !== '' || draft.length > 0
  useUnsavedChanges(isEdited && !account ? { question: 'Leave without creating the service account?' } : null)

  const {
    mutate: create,
    isPending,
    error
  } = useMutation({
    async mutationFn(newAccount: NewAccount) {
      const created = await createAccount(newAccount)
      await refresh()
      return created
    },
    onSuccess(created) {
      setAccount(created)
      if (created.secret) toasts.ok(`Service account ${created.serviceName} created.`)
    },
    onError(failure) {
      setReasons(fieldReasonsOf(failure))
      if (mustReload(failure)) void refresh()
    }
  })

  const open = ({ id, problem }: CreatedAccount) =>
    navigate(paths.serviceAccount(customerPath, id), { replace: true, state: problem ? { problem } : null })
  // After the render that ends the question about unsaved changes.
  const openAccount = useEffectEvent(() => account && open(account))
  const hasNoSecret = account?.secret === null
  useEffect(() => {
    if (hasNoSecret) void openAccount()
  }, [hasNoSecret])

  return (
    <div className="stack access-layout">
      <form
        className="card stack access-card"
        onSubmit={(event) => {
          event.preventDefault()
          if (refusal === null && numbers)
            create({ here: access.here, texts, draft, day: expiry.day, numbers })
        }}
      >
        <FieldReasonsContext value={reasons}>
          <AccountTextFields texts={texts} onChange={(part) => setTexts({ ...texts, ...part })} />
        </FieldReasonsContext>
        <AccountAccessChoice access={access} draft={draft} onChange={setDraft} />
        {rolesError !== undefined && !numbers && (
          <LoadFailed onRetry={access.numbers.refetch}>The roles could not be loaded.</LoadFailed>
        )}
        <ExpiryChoice {...expiry} />
        {error !== undefined && (
          <p className="field-error" role="alert">
            {refusalText(error)}{' '}
            {consequenceText(error, 'The service account was not created.', MAYBE_CREATED)}
          </p>
        )}
        <FormActions
          label={isPending ? 'Creating…' : 'Create'}
          missing={refusal}
          busy={isPending}
          onCancel={() => navigate(accounts)}
        />
      </form>
      <AccessPreview first={access.here} customers={access.others} after={draft} nameOf={access.nameOf} />
      {account?.secret && (
        <SecretOnce name={account.serviceName} secret={account.secret} onClose={() => open(account)} />
      )}
    </div>
  )
}
