import type { Page } from '#shared/answers/parts.ts'
import type { DeviceRow, OrganizationDevices, Worklists } from '#shared/answers/worklists.ts'
import { calls, type Query } from '#shared/calls.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import type { WorklistName } from '#shared/worklists.ts'
import { allPages } from '../../../lib/http/hal.ts'
import { get, type QueryResult, useQuery } from '../../../lib/http/query.ts'

/** Poll interval until the first rows, while the gateway reads customers, and otherwise: it only reads while it is asked. */
const FIRST_ROWS_MS = 700
const READING_MS = 2_000
const REREADING_MS = 60_000

interface Listed {
  items: readonly unknown[]
  partial: readonly unknown[]
}

function refreshInterval(list: Listed | undefined): number {
  if (!list?.partial.length) return REREADING_MS
  return list.items.length === 0 ? FIRST_ROWS_MS : READING_MS
}

/** A page of a list over all customers. */
export function useWorklist<Name extends WorklistName>(
  organizationId: string,
  name: Name,
  query: Query
): QueryResult<Worklists[Name]> {
  const path = calls.organizationList(organizationId, `worklists/${name}`, query)
  return useQuery(path, get<Worklists[Name]>, { keepPreviousData: true, refreshInterval })
}

/** Maximum number of rows of a file. */
export const FILE_ROWS_MAX = 100_000

/** Up to `max` rows that match. */
export function allRows<Row>(
  organizationId: string,
  name: WorklistName,
  query: Query,
  max: number,
  signal: AbortSignal
): Promise<Row[]> {
  const path = calls.organizationList(organizationId, `worklists/${name}`, { ...query, size: PAGE_SIZE_MAX })
  return allPages(get<Page<Row>>, max)(path, signal)
}

/** A page of the devices of all customers. */
export function useOrganizationDevices(
  organizationId: string,
  query: Query
): QueryResult<OrganizationDevices> {
  const path = calls.organizationList(organizationId, 'devices', query)
  return useQuery(path, get<OrganizationDevices>, { keepPreviousData: true, refreshInterval })
}

/** Up to `max` devices that match. */
export function allDevices(
  organizationId: string,
  query: Query,
  max: number,
  signal: AbortSignal
): Promise<DeviceRow[]> {
  const path = calls.organizationList(organizationId, 'devices', { ...query, size: PAGE_SIZE_MAX })
  return allPages(get<OrganizationDevices>, max)(path, signal)
}
