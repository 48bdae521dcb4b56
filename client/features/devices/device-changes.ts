// Changes of devices, and their re-registration.

import { request } from '../../lib/http/request.ts'
import type { DeviceChange } from '../customers/customer-changes.ts'

const pathOf = (deviceId: string) => `/api/v2/management/devices/${encodeURIComponent(deviceId)}`

export function updateDevice(deviceId: string, change: DeviceChange, customerId: string): Promise<unknown> {
  const { project, ...body } = change
  return request(pathOf(deviceId), {
    method: 'PATCH',
    body: { ...body, ...(project ? { project: `/projects/${project.id}` } : {}) },
    customerId
  })
}

export function deleteDevice(deviceId: string, customerId: string): Promise<unknown> {
  return request(pathOf(deviceId), { method: 'DELETE', customerId })
}

export interface License {
  licenseId: string
  niagaraLicenseId: string
  customerName: string
  features: { subscriptions: { offeringCode: string }[] }
}

/** The licenses behind the code that a known device shows. */
export async function fetchLicenses(
  code: string,
  deviceUuid: string,
  customerId: string,
  signal: AbortSignal
): Promise<License[]> {
  const path = `/api/v2/devicemanagement/reregistration/${encodeURIComponent(code)}/deviceUuid/${encodeURIComponent(deviceUuid)}`
  const { licenses } = await request<{ licenses?: License[] }>(path, { customerId, signal })
  return licenses ?? []
}

export interface Reregistration {
  userCode: string
  deviceUuid: string
  licenseId: string
}

export function reregisterDevice(body: Reregistration, customerId: string): Promise<unknown> {
  return request('/api/v2/devicemanagement/reregistration', { method: 'POST', body, customerId })
}
