// Creates a service account, then its access to other customers and its secret.
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { NewSecret } from '#shared/answers/people.ts'
import type { Assignment } from '#shared/permissions.ts'
import { refusalText } from '../../lib/http/api-error.ts'
import { paths } from '../../lib/paths.ts'
import type { DirtyForm } from '../../ui/dialog/unsaved-changes.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import type { RoleNumbers } from '../access/api.ts'
import type { NamedCustomer } from '../customers/api.ts'
import { useCustomer } from '../customers/customer.ts'
import {
  changeServiceAccountRoles,
  createServiceAccount,
  deleteServiceAccount,
  makeSecret,
  useAccountsRefresh
} from './api.ts'
import type { AccountTexts } from './details.tsx'

interface Outcome {
  id: string
  serviceName: string
  secret: NewSecret | null
  problem: string | null
}

interface Wanted {
  here: NamedCustomer
  texts: AccountTexts
  draft: readonly Assignment[]
  /** The last day of the secret, YYYY-MM-DD. */
  day: string
  numbers: RoleNumbers
}

export function useCreation() {
  const navigate = useNavigate()
  const { customerId, customerPath } = useCustomer()
  const refresh = useAccountsRefresh(customerId)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  /** Continues the interrupted navigation once the secret is stored. */
  const onStored = useRef<() => void>(undefined)

  /** Null if it failed; `failure` says why. */
  async function make(wanted: Wanted): Promise<Outcome | null> {
    setBusy(true)
    setFailure(null)
    try {
      const made = await createWhole(wanted)
      await refresh()
      setOutcome(made)
      if (made.secret) toasts.ok(`Service account ${made.serviceName} created.`)
      return made
    } catch (error) {
      setFailure(`${refusalText(error)} The service account was not created.`)
      return null
    } finally {
      setBusy(false)
    }
  }

  const show = ({ id, problem }: Outcome) =>
    navigate(paths.serviceAccount(customerPath, id), { replace: true, state: problem ? { problem } : null })

  return {
    busy,
    failure,
    secret: outcome?.secret,
    unstored: outcome?.secret
      ? ({
          text: `The service account ${outcome.serviceName} was created. Its secret is shown here only. Save keeps the account, Discard deletes it.`,
          save: async () => {},
          async discard() {
            await deleteServiceAccount(outcome.id, customerId)
            toasts.ok(`Service account ${outcome.serviceName} deleted.`)
            await refresh()
          }
        } satisfies DirtyForm)
      : null,
    async create(wanted: Wanted) {
      if (busy) return
      const made = await make(wanted)
      if (made && !made.secret) show(made)
    },
    /** Resolves once the secret is stored. */
    async createAndStay(wanted: Wanted) {
      const made = await make(wanted)
      if (!made) throw new Error('the service account was not created')
      if (made.problem) toasts.failed(made.problem)
      if (made.secret)
        await new Promise<void>((resolve) => {
          onStored.current = resolve
        })
    },
    stored() {
      if (!outcome) return
      if (!onStored.current) return show(outcome)
      setOutcome({ ...outcome, secret: null })
      onStored.current()
    }
  }
}

/** Reports a failure after the account was created in `problem`. */
async function createWhole({ here, texts, draft, day, numbers }: Wanted): Promise<Outcome> {
  const own = draft.filter(({ scope }) => scope === here.scope)
  const elsewhere = draft.filter(({ scope }) => scope !== here.scope)
  const { id, serviceName } = await createServiceAccount(here, texts, own, numbers)
  const problems: string[] = []
  if (elsewhere.length > 0) {
    const changes = { create: elsewhere, update: [], delete: [] }
    await changeServiceAccountRoles(id, here.id, changes, numbers).catch((error) =>
      problems.push(`its access to other customers could not be given (${refusalText(error)})`)
    )
  }
  const secret = await makeSecret(id, here.id, day).catch(() => {
    problems.push('secret could not be generated')
    return null
  })
  const problem = problems.length > 0 ? `Account created; ${problems.join('; ')}.` : null
  return { id, serviceName, secret, problem }
}
