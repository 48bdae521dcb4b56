// A customer's projects, devices and subscriptions as the upstreams give them (upstream contract), fetched to the
// end of each list and handed on as they come. How they belong together is decided in portal/assemble.ts.
import type { Project } from '#shared/entities.ts'
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import type { Bearer } from './bodies.ts'
import type { UpstreamClient } from './client.ts'
import { id, raw, text } from './fields.ts'
import { fetchAll, fetchRecords, type List } from './hal.ts'
import { type Field, RecordReader, type Records } from './records.ts'

/** A device as its upstream gives it: it may name a project that the list of projects does not know. */
const DEVICE: readonly Field[] = [
  { name: 'id', from: ['id'], value: (given) => id(given) ?? '', keeps: 'texts' },
  { name: 'deviceUuid', from: ['deviceUuid'], value: text, keeps: 'texts' },
  {
    name: 'deviceName',
    from: ['deviceName', 'name'],
    value: (own, other) => text(own) || text(other),
    keeps: 'texts'
  },
  { name: 'hostId', from: ['hostId'], value: text, keeps: 'texts' },
  { name: 'location', from: ['location'], value: text, keeps: 'texts' },
  { name: 'projectName', from: ['projectName'], value: (given) => text(given) || null, keeps: 'texts' },
  { name: 'systemGuid', from: ['systemGuid'], value: text, keeps: 'texts' },
  { name: 'createdDate', from: ['createdDate'], value: (given) => text(given) || null, keeps: 'texts' }
]

const SUBSCRIPTION: readonly Field[] = [
  { name: 'offeringCode', from: ['offeringCode'], value: text, keeps: 'texts' },
  { name: 'startDate', from: ['startDate'], value: text, keeps: 'texts' },
  { name: 'endDate', from: ['endDate'], value: text, keeps: 'texts' },
  {
    name: 'planLimit',
    from: ['planLimit'],
    value: (given) => (Number.isFinite(given) ? (given as number) : undefined),
    keeps: 'integers'
  }
]

/** Devices as JSON, with what joins them. */
export type DeviceRecords = Records<'deviceUuid' | 'projectName'>
export type SubscriptionRecords = Records<'deviceUuid'>

export const deviceReader = () => new RecordReader(DEVICE, ['deviceUuid', 'projectName'])
export const subscriptionReader = () => new RecordReader(SUBSCRIPTION, ['deviceUuid'])

/** Where from, for whom, and until when. */
export interface Source {
  client: UpstreamClient
  customerId: string
  bearer: Bearer
  signal?: AbortSignal
}

export async function fetchProjects({ client, customerId, bearer, signal }: Source): Promise<Project[]> {
  const { api, path, rel, size } = listOf(customerId, 'projects')
  return projectsOf(await fetchAll(client, api, path, rel, size, bearer, signal))
}

/** Page by page, in the order of the list. */
export function fetchDevices({ client, customerId, bearer, signal }: Source): Promise<DeviceRecords[]> {
  return fetchRecords(client, listOf(customerId, 'devices'), bearer, deviceReader(), signal)
}

/** Part by part, in the order of the list. */
export function fetchSubscriptions({
  client,
  customerId,
  bearer,
  signal
}: Source): Promise<SubscriptionRecords[]> {
  const path = `/api/v1/subscription/customers/${encodeURIComponent(customerId)}`
  return client.getSlices('SUBSCRIPTION', path, bearer, subscriptionReader, signal)
}

function listOf(customerId: string, rel: 'projects' | 'devices'): List {
  const path = `/api/v2/management/organizations/${encodeURIComponent(customerId)}/${rel}`
  return { api: 'MANAGEMENT', path, rel, size: FETCH_PAGE_SIZE }
}

function projectsOf(items: unknown[]): Project[] {
  return items
    .map(raw)
    .map((project) => ({ id: id(project.id) ?? '', projectName: text(project.projectName) }))
}
