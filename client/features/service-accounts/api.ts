import type { RoleChanges } from '#shared/grants.ts'
import { SERVICE_ACCOUNT_LIST_SIZE } from '#shared/limits.ts'
import type { Assignment } from '#shared/permissions.ts'
import { type HalAnswer, pageFrom } from '../../lib/http/hal.ts'
import { type Load, useLoad, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import {
  assignmentBody,
  changesBody,
  type Held,
  heldFrom,
  type RoleNumbers,
  type UpstreamAssignment
} from '../access/api.ts'

const BASE = '/api/v2/management'

export interface ServiceAccount extends Held {
  id: string
  serviceName: string
  description: string
  clientId: string | null
  /** ISO 8601; null while there is no secret. */
  secretExpires: string | null
  createdBy: string | null
  created: string | null
  /** Null for never, undefined where the upstream does not tell. */
  lastUsed: string | null | undefined
}

interface UpstreamAccount {
  id: string
  serviceName?: string
  description?: string | null
  clientId?: string | null
  secretExpiration?: string | null
  createdBy?: string | null
  createdDate?: string | null
  lastUsedDate?: string | null
  roleAssignments?: UpstreamAssignment[]
}

function accountFrom(body: UpstreamAccount): ServiceAccount {
  return {
    id: body.id,
    serviceName: body.serviceName || body.id,
    description: body.description ?? '',
    clientId: body.clientId ?? null,
    secretExpires: body.secretExpiration ?? null,
    createdBy: body.createdBy ?? null,
    created: body.createdDate ?? null,
    lastUsed: body.lastUsedDate,
    ...heldFrom(body.roleAssignments)
  }
}

export function serviceAccountsPath(customerId: string): string {
  return `${BASE}/organizations/${encodeURIComponent(customerId)}/serviceAccounts`
}

interface ServiceAccountList {
  accounts: ServiceAccount[]
  /** How many there are, beside those that are listed. */
  unlisted: number
}

/** All of a customer, up to 1,000; null loads nothing. */
export function useServiceAccounts(customerId: string | null, keyword: string): Load<ServiceAccountList> {
  const query = new URLSearchParams({ size: String(SERVICE_ACCOUNT_LIST_SIZE) })
  if (keyword.trim()) query.set('keyword', keyword.trim())
  const { data, ...load } = useLoad<HalAnswer>(customerId && `${serviceAccountsPath(customerId)}?${query}`, {
    keepPreviousData: true
  })
  return { ...load, data: data && listFrom(data) }
}

// The same answer is the same list, so that sorting and filtering need not begin anew.
const lists = new WeakMap<HalAnswer, ServiceAccountList>()

function listFrom(answer: HalAnswer): ServiceAccountList {
  const known = lists.get(answer)
  if (known) return known
  const { items, page } = pageFrom(answer, 'serviceAccounts', accountFrom)
  const list = { accounts: items, unlisted: Math.max(page.totalElements - items.length, 0) }
  lists.set(answer, list)
  return list
}

const accountPath = (id: string) => `${BASE}/serviceAccounts/${encodeURIComponent(id)}`

/** One account of the customer. */
export function useServiceAccount(id: string, customerId: string): Load<ServiceAccount> {
  return useQuery(accountPath(id), async (path, signal) =>
    accountFrom(await request<UpstreamAccount>(path, { customerId, signal }))
  )
}

export interface NewServiceAccount {
  serviceName: string
  description: string
  customerId: string
  integratorId: string
  roleAssignments: readonly Assignment[]
}

export async function createServiceAccount(
  { serviceName, description, customerId, integratorId, roleAssignments }: NewServiceAccount,
  numbers: RoleNumbers
): Promise<ServiceAccount> {
  const body = await request<UpstreamAccount>(`${BASE}/serviceAccounts`, {
    method: 'POST',
    body: {
      serviceName: serviceName.trim(),
      description: description.trim(),
      roleAssignments: roleAssignments.map((one) => assignmentBody(one, numbers)),
      customer: `/organizations/${customerId}`,
      partner: `/organizations/${integratorId}`
    }
  })
  return accountFrom(body)
}

export async function editServiceAccount(
  id: string,
  customerId: string,
  texts: { serviceName?: string; description?: string }
): Promise<void> {
  await request(accountPath(id), { method: 'PATCH', body: texts, customerId })
}

export async function changeServiceAccountRoles(
  id: string,
  customerId: string,
  changes: RoleChanges,
  numbers: RoleNumbers
): Promise<void> {
  const body = changesBody(changes, numbers)
  await request(`${accountPath(id)}/roleAssignments`, { method: 'PATCH', body, customerId })
}

export async function deleteServiceAccount(id: string, customerId: string): Promise<void> {
  await request(accountPath(id), { method: 'DELETE', customerId })
}

/** What `POST …/secret` tells, once: it is for the eyes of who asked, and is kept nowhere. */
export interface NewSecret {
  clientId: string
  secret: string
  /** ISO 8601 UTC. */
  expiration: string
}

export function makeSecret(id: string, customerId: string, expiration: string): Promise<NewSecret> {
  return request<NewSecret>(`${accountPath(id)}/secret`, { method: 'POST', body: { expiration }, customerId })
}

interface ActivityEntry {
  id: string
  at: string
  action: string
  actor: string
  outcome: string
}

interface UpstreamEntry {
  id: string
  timestamp: string
  action: string
  outcome: string
  actor?: { name?: string }
}

/** The last that was done to an account. */
export function useActivityOf(id: string, customerId: string): Load<ActivityEntry[]> {
  const query = new URLSearchParams({
    resourceType: 'SERVICE_ACCOUNT',
    resourceId: id,
    size: '10',
    sort: 'timestamp,desc'
  })
  const path = `${BASE}/organizations/${encodeURIComponent(customerId)}/auditLogs?${query}`
  const { data, ...load } = useLoad<HalAnswer>(path)
  const entryFrom = (body: UpstreamEntry): ActivityEntry => ({
    id: body.id,
    at: body.timestamp,
    action: body.action,
    actor: body.actor?.name ?? '–',
    outcome: body.outcome
  })
  return { ...load, data: data && pageFrom(data, 'auditLogs', entryFrom).items }
}
