import '../../style/users.css'
import '../../style/access.css'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Assignment } from '#shared/permissions.ts'
import { refusalText } from '../../api/refusal-text.ts'
import {
  changeServiceAccountRoles,
  createServiceAccount,
  makeSecret,
  type NewSecret,
  serviceAccountsPath
} from '../../api/service-accounts.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { AccessPreview } from '../../components/access-preview.tsx'
import { NotFound } from '../../components/not-found.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { accountAccessRefusal } from '../../lib/account-access.ts'
import { dayAfter, dayRefusal, endOfDay } from '../../lib/secret-expiry.ts'
import { toasts } from '../../lib/toasts.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { useUnsavedChanges } from '../../session/unsaved-changes.tsx'
import { AccountAccessChoice } from './account-access-choice.tsx'
import { AccountTextFields, textsRefusal } from './account-texts.tsx'
import { AccountsFrame } from './accounts-frame.tsx'
import { ExpiryChoice } from './expiry-choice.tsx'
import { useAccountGranting } from './use-account-granting.ts'
import type { AccountsCustomer } from './use-customer.ts'

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

/** Where the new account is, and what did not work out after it was made. */
interface Outcome {
  id: string
  secret: NewSecret | null
  problem: string | null
}

function CreateForm({ customer }: { customer: AccountsCustomer }) {
  const { nowMs } = useSession()
  const [now] = useState(nowMs)
  const navigate = useNavigate()
  const refresh = useRefresh()
  const given = useAccountGranting(customer, 'service-accounts:create')
  const [texts, setTexts] = useState({ serviceName: '', description: '' })
  const [draft, setDraft] = useState<readonly Assignment[]>([])
  const [day, setDay] = useState(() => dayAfter(DEFAULT_DAYS, now))
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [leaving, setLeaving] = useState(false)

  const missing =
    textsRefusal(texts) ??
    accountAccessRefusal(draft) ??
    dayRefusal(day, now) ??
    (given.numbers.data ? null : 'The roles are still loading')
  const dirty = texts.serviceName !== '' || texts.description !== '' || draft.length > 0
  useUnsavedChanges(dirty && !leaving ? {} : null)
  const target = outcome && paths.serviceAccount(customer.path, outcome.id)
  useEffect(() => {
    if (leaving && target)
      navigate(target, { replace: true, state: outcome?.problem ? { problem: outcome.problem } : null })
  }, [leaving, target, navigate, outcome])

  async function create() {
    setAsked(true)
    const numbers = given.numbers.data
    if (missing !== null || busy || !numbers) return
    setBusy(true)
    setFailure(null)
    try {
      const here = draft.filter(({ scope }) => scope === customer.scope)
      const elsewhere = draft.filter(({ scope }) => scope !== customer.scope)
      const { id, serviceName } = await createServiceAccount(
        { ...texts, customerId: customer.id, integratorId: customer.integratorId, roleAssignments: here },
        numbers
      )
      const problems: string[] = []
      if (elsewhere.length > 0) {
        const changes = { create: [...elsewhere], update: [], delete: [] }
        await changeServiceAccountRoles(id, customer.id, changes, numbers).catch((error) =>
          problems.push(`its access to other customers could not be given (${refusalText(error)})`)
        )
      }
      const secret = await makeSecret(id, customer.id, endOfDay(day) ?? '').catch(() => {
        problems.push('secret could not be generated')
        return null
      })
      await refresh(serviceAccountsPath(customer.id))
      setOutcome({
        id,
        secret,
        problem: problems.length > 0 ? `Account created; ${problems.join('; ')}.` : null
      })
      if (!secret) setLeaving(true)
      else toasts.ok(`Service account ${serviceName} created.`)
    } catch (error) {
      setFailure(`${refusalText(error)} The service account was not created.`)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="access-layout">
      <form
        className="card narrow-form"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
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
        <div className="form-actions">
          <button
            type="submit"
            className="button primary"
            aria-disabled={missing !== null || busy}
            aria-busy={busy}
            aria-describedby="create-missing"
          >
            {busy ? 'Creating…' : 'Create'}
          </button>
          <button
            type="button"
            className="button"
            onClick={() => navigate(paths.serviceAccounts(customer.path))}
          >
            Cancel
          </button>
          <span id="create-missing" className="muted" role="status">
            {missing}
          </span>
        </div>
      </form>
      <AccessPreview
        places={placesOf(customer, draft, given.customers)}
        after={draft}
        nameOf={given.nameOf}
      />
      {outcome?.secret && !leaving && (
        <SecretOnce
          name={texts.serviceName}
          secret={outcome.secret}
          onClose={() => {
            setOutcome({ ...outcome, secret: null })
            setLeaving(true)
          }}
        />
      )}
    </div>
  )
}

/** The customer of the account, and the others that it gets access to. */
export function placesOf(
  customer: AccountsCustomer,
  draft: readonly Assignment[],
  customers: readonly { scope: string; name: string }[]
) {
  const others = customers.filter(
    ({ scope }) => scope !== customer.scope && draft.some((one) => one.scope === scope)
  )
  return [{ scope: customer.scope, name: customer.name }, ...others]
}
