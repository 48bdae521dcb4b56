// A customer's projects, devices and subscriptions as the upstreams give them (upstream contract), fetched to the
// end of each list. How they belong together is decided in portal/assemble.ts.
import type { Project, Subscription } from '#shared/entities.ts'
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'
import { id, raw, text } from './fields.ts'
import { fetchAll } from './hal.ts'

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

export interface FetchedSubscription extends Subscription {
  deviceUuid: string
}

type Fetch<T> = (
  client: UpstreamClient,
  customerId: string,
  bearer: Bearer,
  signal?: AbortSignal
) => Promise<T[]>

export const fetchProjects: Fetch<Project> = async (client, customerId, bearer, signal) => {
  const items = await fetchAll(
    client,
    'MANAGEMENT',
    listPath(customerId, 'projects'),
    'projects',
    FETCH_PAGE_SIZE,
    bearer,
    signal
  )
  return items
    .map(raw)
    .map((project) => ({ id: id(project.id) ?? '', projectName: text(project.projectName) }))
}

export const fetchDevices: Fetch<FetchedDevice> = async (client, customerId, bearer, signal) => {
  const items = await fetchAll(
    client,
    'MANAGEMENT',
    listPath(customerId, 'devices'),
    'devices',
    FETCH_PAGE_SIZE,
    bearer,
    signal
  )
  return items.map(raw).map((device) => ({
    id: id(device.id) ?? '',
    deviceUuid: text(device.deviceUuid),
    deviceName: text(device.deviceName) || text(device.name),
    hostId: text(device.hostId),
    location: text(device.location),
    projectName: text(device.projectName) || null,
    systemGuid: text(device.systemGuid),
    createdDate: text(device.createdDate) || null
  }))
}

export const fetchSubscriptions: Fetch<FetchedSubscription> = async (client, customerId, bearer, signal) => {
  const path = `/api/v1/subscription/customers/${encodeURIComponent(customerId)}`
  const items = await client.get('SUBSCRIPTION', path, bearer, signal)
  if (!Array.isArray(items)) throw problems.upstreamGarbled()
  return items.map(raw).map((subscription) => ({
    deviceUuid: text(subscription.deviceUuid),
    offeringCode: text(subscription.offeringCode),
    startDate: text(subscription.startDate),
    endDate: text(subscription.endDate),
    ...(typeof subscription.planLimit === 'number' ? { planLimit: subscription.planLimit } : {})
  }))
}

function listPath(customerId: string, list: 'projects' | 'devices'): string {
  return `/api/v2/management/organizations/${encodeURIComponent(customerId)}/${list}`
}
