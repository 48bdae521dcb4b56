// Creates a service account, then its access to other customers and its secret.
import { useRef, useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { refusalText } from '../../lib/http/api-error.ts'
import { useRefresh } from '../../lib/http/query.ts'
import type { DirtyForm } from '../../ui/dialog/unsaved-changes.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import type { RoleNumbers } from '../access/api.ts'
import { endOfDay } from '../access/secret-expiry.ts'
import type { AccountsCustomer } from './accounts-frame.tsx'
import {
  changeServiceAccountRoles,
  createServiceAccount,
  deleteServiceAccount,
  makeSecret,
  type NewSecret,
  serviceAccountsPath
} from './api.ts'

/** The created account, and what failed afterwards. */
export interface Outcome {
  id: string
  serviceName: string
  secret: NewSecret | null
  problem: string | null
}

export interface Wanted {
  texts: { serviceName: string; description: string }
  draft: readonly Assignment[]
  /** The last day of the secret, YYYY-MM-DD. */
  day: string
  numbers: RoleNumbers
}

export function useCreation(customer: AccountsCustomer) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [leaving, setLeaving] = useState(false)
  /** Continues the interrupted navigation once the secret is stored. */
  const onStored = useRef<() => void>(undefined)

  /** Null if it failed; `failure` says why. */
  async function make(wanted: Wanted): Promise<Outcome | null> {
    setBusy(true)
    setFailure(null)
    try {
      const made = await createWhole(customer, wanted)
      await refresh(serviceAccountsPath(customer.id))
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

  async function discard({ id, serviceName }: Outcome) {
    await deleteServiceAccount(id, customer.id)
    toasts.ok(`Service account ${serviceName} deleted.`)
    await refresh(serviceAccountsPath(customer.id))
  }

  const unstored: DirtyForm | null = outcome?.secret
    ? {
        text: `The service account ${outcome.serviceName} was created. Its secret is shown here only. Save keeps the account, Discard deletes it.`,
        save: async () => {},
        discard: () => discard(outcome)
      }
    : null

  return {
    busy,
    failure,
    outcome,
    leaving,
    /** The guard while the secret shows. */
    unstored,
    async create(wanted: Wanted) {
      if (busy) return
      const made = await make(wanted)
      if (made && !made.secret) setLeaving(true)
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
      setOutcome(outcome && { ...outcome, secret: null })
      if (onStored.current) onStored.current()
      else setLeaving(true)
    }
  }
}

/** A failure after the account exists is reported as its problem. */
async function createWhole(customer: AccountsCustomer, { texts, draft, day, numbers }: Wanted) {
  const here = draft.filter(({ scope }) => scope === customer.scope)
  const elsewhere = draft.filter(({ scope }) => scope !== customer.scope)
  const { id, serviceName } = await createServiceAccount(
    { ...texts, customerId: customer.id, integratorId: customer.integratorId, roleAssignments: here },
    numbers
  )
  const problems: string[] = []
  if (elsewhere.length > 0) {
    const changes = { create: elsewhere, update: [], delete: [] }
    await changeServiceAccountRoles(id, customer.id, changes, numbers).catch((error) =>
      problems.push(`its access to other customers could not be given (${refusalText(error)})`)
    )
  }
  const secret = await makeSecret(id, customer.id, endOfDay(day) ?? '').catch(() => {
    problems.push('secret could not be generated')
    return null
  })
  const problem = problems.length > 0 ? `Account created; ${problems.join('; ')}.` : null
  return { id, serviceName, secret, problem }
}
