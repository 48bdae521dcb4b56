import type { AuditLogEntry } from '#shared/answers/management.ts'
import type { NewSecret, ServiceAccount as UpstreamAccount } from '#shared/answers/people.ts'
import { calls } from '#shared/calls.ts'
import type { RoleChanges } from '#shared/grants.ts'
import type { Assignment } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { halPage, itself } from '../../../lib/http/hal.ts'
import { type QueryResult, useQuery, useRefresh } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { SERVICE_ACCOUNT_LIST_SIZE } from '../../../lib/limits.ts'
import type { NamedCustomer } from '../../sites/customers/api.ts'
import { assignmentBody, changesBody, type RoleNumbers, type WithRoles, withRoles } from '../access/api.ts'
import { endOfDay } from '../access/secret-expiry.ts'

export type ServiceAccount = WithRoles<UpstreamAccount>

const accountFrom = withRoles<UpstreamAccount>

interface ServiceAccountList {
  accounts: ServiceAccount[]
  unlisted: number
}

/** Up to 1,000 accounts of a customer. */
export function useServiceAccounts(customerId: string, keyword: string): QueryResult<ServiceAccountList> {
  const query = new URLSearchParams({ size: String(SERVICE_ACCOUNT_LIST_SIZE) })
  if (keyword.trim()) query.set('keyword', keyword.trim())
  return useQuery(`${calls.customerServiceAccounts(customerId)}?${query}`, readAccounts, {
    keepPreviousData: true
  })
}

async function readAccounts(path: string, signal: AbortSignal): Promise<ServiceAccountList> {
  const { items, page } = await halPage('serviceAccounts', accountFrom)(path, signal)
  return { accounts: items, unlisted: Math.max(page.totalElements - items.length, 0) }
}

export function useServiceAccount(id: string, customerId: string): QueryResult<ServiceAccount> {
  return useQuery(calls.serviceAccount(id), async (path, signal) =>
    accountFrom(await request<UpstreamAccount>(path, { customerId, signal }))
  )
}

export type AccountTexts = Pick<UpstreamAccount, 'serviceName' | 'description'>

const trimTexts = ({ serviceName, description }: AccountTexts) => ({
  serviceName: serviceName.trim(),
  description: description.trim()
})

export async function editServiceAccount(id: string, customerId: string, texts: AccountTexts): Promise<void> {
  await request(calls.serviceAccount(id), { method: 'PATCH', body: trimTexts(texts), customerId })
}

export async function changeServiceAccountRoles(
  id: string,
  customerId: string,
  changes: RoleChanges,
  numbers: RoleNumbers
): Promise<void> {
  const body = changesBody(changes, numbers)
  await request(calls.serviceAccountRoles(id), { method: 'PATCH', body, customerId })
}

export async function deleteServiceAccount(id: string, customerId: string): Promise<void> {
  await request(calls.serviceAccount(id), { method: 'DELETE', customerId })
}

export interface NewAccount {
  here: NamedCustomer
  texts: AccountTexts
  draft: readonly Assignment[]
  /** The last day of the secret, YYYY-MM-DD. */
  day: string
  numbers: RoleNumbers
}

export type CreatedAccount = Awaited<ReturnType<typeof createAccount>>

/** Rejects if the account is not created. `problem` reports missing access to other customers or a missing secret. */
export async function createAccount({ here, texts, draft, day, numbers }: NewAccount) {
  const ownRoles = draft.filter(({ scope }) => scope === here.scope)
  const otherRoles = draft.filter(({ scope }) => scope !== here.scope)
  const { id, serviceName } = await request<UpstreamAccount>(calls.serviceAccounts, {
    method: 'POST',
    body: {
      ...trimTexts(texts),
      roleAssignments: ownRoles.map((assignment) => assignmentBody(assignment, numbers)),
      customer: `/organizations/${here.id}`,
      partner: `/organizations/${parseScope(here.scope)?.organizationId}`
    }
  })
  const problems: string[] = []
  if (otherRoles.length > 0) {
    const changes = { create: otherRoles, update: [], delete: [] }
    await changeServiceAccountRoles(id, here.id, changes, numbers).catch((error) =>
      problems.push(
        `its access to other customers ${consequenceText(error, 'could not be given', 'may not have been given')} (${refusalText(error)})`
      )
    )
  }
  const secret = await makeSecret(id, here.id, day).catch((error) => {
    const lostText = 'may have been generated, but its answer was lost'
    problems.push(`secret ${consequenceText(error, 'could not be generated', lostText)}`)
    return null
  })
  const problem = problems.length > 0 ? `Account created; ${problems.join('; ')}.` : null
  return { id, serviceName, secret, problem }
}

/** @param day the last day of the secret, YYYY-MM-DD */
export function makeSecret(id: string, customerId: string, day: string): Promise<NewSecret> {
  const body = { expiration: endOfDay(day) }
  return request<NewSecret>(calls.serviceAccountSecret(id), { method: 'POST', body, customerId })
}

export function useActivityOf(id: string, customerId: string): QueryResult<AuditLogEntry[]> {
  const query = new URLSearchParams({
    resourceType: 'SERVICE_ACCOUNT',
    resourceId: id,
    size: '10',
    sort: 'timestamp,desc'
  })
  const path = `${calls.auditLog(customerId)}?${query}`
  const { data, ...result } = useQuery(path, halPage('auditLogs', itself<AuditLogEntry>), {
    keepPreviousData: true
  })
  return { ...result, data: data?.items }
}

/** Reloads the list, the accounts and their activity after a change. */
export function useAccountsRefresh(customerId: string): () => Promise<void> {
  const refresh = useRefresh()
  return () =>
    refresh(
      calls.customerServiceAccounts(customerId),
      `${calls.serviceAccounts}/`,
      calls.auditLog(customerId)
    )
}
