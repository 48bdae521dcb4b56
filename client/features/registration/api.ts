import { isRegistrationCode } from '#shared/validation.ts'
import { type Load, useLoad } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'

export interface License {
  licenseId: string
  niagaraLicenseId: string
  customerName: string
  features?: { subscriptions?: { offeringCode: string }[] }
}

export interface Registration {
  userCode: string
  licenseId: string
  customerId: string
  projectId: string
  deviceName: string
  location: string
}

const BASE = '/api/v2/devicemanagement'

/** The licenses of a complete code. */
export function useLicenses(code: string): Load<License[]> {
  const path = isRegistrationCode(code) ? `${BASE}/registration/${encodeURIComponent(code)}` : null
  const { data, ...load } = useLoad<{ licenses?: License[] }>(path, {
    revalidateOnFocus: false,
    revalidateOnReconnect: false
  })
  return { ...load, data: data && (data.licenses ?? []) }
}

export function register(
  device: Registration
): Promise<{ id: string; deviceUuid: string; systemGuid: string }> {
  const { customerId, projectId, ...rest } = device
  return request(`${BASE}/registration`, {
    method: 'POST',
    body: { ...rest, customer: `/organizations/${customerId}`, project: `/projects/${projectId}` }
  })
}

export function createProject(
  projectName: string,
  customerId: string,
  partnerId: string
): Promise<{ id: string; projectName: string }> {
  return request('/api/v2/management/projects', {
    method: 'POST',
    customerId,
    body: { projectName, customer: `/organizations/${customerId}`, partner: `/organizations/${partnerId}` }
  })
}
