import { calls } from '#shared/calls.ts'
import { organizationScope } from '#shared/scopes.ts'
import { request } from '../../../lib/http/request.ts'
import type { Placement } from './link-panel.tsx'

export function register(
  userCode: string,
  licenseId: string,
  { customerId, projectId, deviceName, location }: Placement
): Promise<{ deviceUuid: string }> {
  return request(calls.registration, {
    method: 'POST',
    body: {
      userCode,
      licenseId,
      deviceName: deviceName.trim(),
      location: location.trim(),
      customer: organizationScope(customerId),
      project: `/projects/${projectId}`
    }
  })
}
