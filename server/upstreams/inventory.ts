// A customer's projects, devices and subscriptions as the upstreams give them (upstream contract), fetched to the
// end of each list and handed on as they come. How they belong together is decided in portal/assemble.ts.
import type { Project, Subscription } from '#shared/entities.ts'
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import type { Bearer } from './bodies.ts'
import type { UpstreamClient } from './client.ts'
import { id, raw, text } from './fields.ts'
import { fetchPages, type List } from './hal.ts'

/** A device as its upstream gives it: it may name a project that the list of projects does not know. */
export interface FetchedDevice {
  id: string
  deviceUuid: string
  deviceName: string
  hostId: string
  location: string
  projectName: string | null
  systemGuid: string
  createdDate: string | null
}

export interface FetchedSubscription {
  deviceUuid: string
  subscription: Subscription
}

/** Where from, for whom, and until when. */
export interface Source {
  client: UpstreamClient
  customerId: string
  bearer: Bearer
  signal?: AbortSignal
}

export async function fetchProjects({ client, customerId, bearer, signal }: Source): Promise<Project[]> {
  const pages = await fetchPages(client, listOf(customerId, 'projects'), bearer, projectsOf, signal)
  return pages.flat()
}

/** Returns what `work` made of each page, in the order of the list; it is called as they come. */
export function fetchDevices<T>(
  { client, customerId, bearer, signal }: Source,
  work: (devices: FetchedDevice[]) => T
): Promise<T[]> {
  const read = (items: unknown[]) => work(items.map(deviceOf))
  return fetchPages(client, listOf(customerId, 'devices'), bearer, read, signal)
}

/** Returns what `work` made of each part of the list, in its order. */
export function fetchSubscriptions<T>(
  { client, customerId, bearer, signal }: Source,
  work: (subscriptions: FetchedSubscription[]) => T
): Promise<T[]> {
  const path = `/api/v1/subscription/customers/${encodeURIComponent(customerId)}`
  return client.getSlices('SUBSCRIPTION', path, bearer, (items) => work(items.map(subscriptionOf)), signal)
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

function deviceOf(item: unknown): FetchedDevice {
  const device = raw(item)
  return {
    id: id(device.id) ?? '',
    deviceUuid: text(device.deviceUuid),
    deviceName: text(device.deviceName) || text(device.name),
    hostId: text(device.hostId),
    location: text(device.location),
    projectName: text(device.projectName) || null,
    systemGuid: text(device.systemGuid),
    createdDate: text(device.createdDate) || null
  }
}

function subscriptionOf(item: unknown): FetchedSubscription {
  const { deviceUuid, offeringCode, startDate, endDate, planLimit } = raw(item)
  return {
    deviceUuid: text(deviceUuid),
    subscription: {
      offeringCode: text(offeringCode),
      startDate: text(startDate),
      endDate: text(endDate),
      ...(Number.isFinite(planLimit) ? { planLimit: planLimit as number } : {})
    }
  }
}
