import './style.css'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { useUnsavedChanges } from '../../ui/dialog/unsaved-changes.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { NotFound } from '../../ui/state/panel.tsx'
import { AccessPreview } from '../access/access-preview.tsx'
import { dayAfter, dayRefusal } from '../access/secret-expiry.ts'
import { useSession } from '../session/session.ts'
import { AccountAccessChoice, accountAccessRefusal, useAccountGranting } from './account-access-choice.tsx'
import { type AccountsCustomer, AccountsFrame } from './accounts-frame.tsx'
import { AccountTextFields, textsRefusal } from './details.tsx'
import { ExpiryChoice, SecretOnce } from './secret.tsx'
import { type Outcome, useCreation } from './use-creation.ts'

const TITLE = 'Create Service Account'
const DEFAULT_DAYS = 90

export default function CreatePage() {
  const { can } = useSession()
  return (
    <AccountsFrame
      title={TITLE}
      crumbs={({ path }) => [
        { label: 'Service Accounts', to: paths.serviceAccounts(path) },
        { label: TITLE }
      ]}
    >
      {(customer) =>
        can('service-accounts:create', customer.scope) ? (
          <CreateForm key={customer.id} customer={customer} />
        ) : (
          <NotFound path={paths.createServiceAccount(customer.path)} home={paths.home} />
        )
      }
    </AccountsFrame>
  )
}

function CreateForm({ customer }: { customer: AccountsCustomer }) {
  const { nowMs } = useSession()
  const [now] = useState(nowMs)
  const navigate = useNavigate()
  const given = useAccountGranting(customer, 'service-accounts:create')
  const [texts, setTexts] = useState({ serviceName: '', description: '' })
  const [draft, setDraft] = useState<readonly Assignment[]>([])
  const [day, setDay] = useState(() => dayAfter(DEFAULT_DAYS, now))
  const [asked, setAsked] = useState(false)
  const creation = useCreation(customer)
  const { busy, failure, outcome, leaving } = creation

  const missing =
    textsRefusal(texts) ??
    accountAccessRefusal(draft) ??
    dayRefusal(day, now) ??
    (given.numbers.data ? null : 'The roles are still loading')
  const dirty = texts.serviceName !== '' || texts.description !== '' || draft.length > 0
  const wanted = missing === null && given.numbers.data && { texts, draft, day, numbers: given.numbers.data }
  const unsaved = wanted ? { save: () => creation.createAndStay(wanted) } : { missing: missing ?? '' }
  useUnsavedChanges(leaving ? null : (creation.unstored ?? (dirty ? unsaved : null)))
  useGoing(customer, leaving ? outcome : null)

  function submit() {
    setAsked(true)
    if (wanted) void creation.create(wanted)
  }

  return (
    <div className="access-layout">
      <form
        className="card stack access-card"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <AccountTextFields texts={texts} onChange={(part) => setTexts({ ...texts, ...part })} />
        <AccountAccessChoice
          customer={customer}
          integratorName={given.integratorName}
          customers={given.customers}
          granting={given.granting}
          draft={draft}
          onChange={setDraft}
          asked={asked}
        />
        <ExpiryChoice day={day} nowMs={now} onChange={setDay} />
        {given.numbers.error !== undefined && !given.numbers.data && (
          <p className="field-error" role="alert">
            The roles could not be loaded.{' '}
            <button type="button" className="link-button" onClick={given.numbers.reload}>
              Retry
            </button>
          </p>
        )}
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
        <FormActions
          label={busy ? 'Creating…' : 'Create'}
          missing={missing}
          busy={busy}
          onCancel={() => navigate(paths.serviceAccounts(customer.path))}
        />
      </form>
      <AccessPreview
        places={navItemsOf(customer, draft, given.customers)}
        after={draft}
        nameOf={given.nameOf}
      />
      {outcome?.secret && !leaving && (
        <SecretOnce name={texts.serviceName} secret={outcome.secret} onClose={creation.stored} />
      )}
    </div>
  )
}

/** To the page of the account. Called after what keeps unsaved changes, whose effect has to let go of the page first. */
function useGoing(customer: AccountsCustomer, outcome: Outcome | null): void {
  const navigate = useNavigate()
  const target = outcome && paths.serviceAccount(customer.path, outcome.id)
  const problem = outcome?.problem ?? null
  useEffect(() => {
    if (target) navigate(target, { replace: true, state: problem ? { problem } : null })
  }, [target, problem, navigate])
}

/** The customer of the account, and the others that it gets access to. */
export function navItemsOf(
  customer: AccountsCustomer,
  draft: readonly Assignment[],
  customers: readonly { scope: string; name: string }[]
) {
  const others = customers.filter(
    ({ scope }) => scope !== customer.scope && draft.some((one) => one.scope === scope)
  )
  return [{ scope: customer.scope, name: customer.name }, ...others]
}
