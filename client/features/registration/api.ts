import { organizationScope } from '#shared/scopes.ts'
import { request } from '../../lib/http/request.ts'

interface Registration {
  userCode: string
  licenseId: string
  customerId: string
  projectId: string
  deviceName: string
  location: string
}

export function register({
  customerId,
  projectId,
  ...device
}: Registration): Promise<{ deviceUuid: string }> {
  return request('/api/v2/devicemanagement/registration', {
    method: 'POST',
    body: { ...device, customer: organizationScope(customerId), project: `/projects/${projectId}` }
  })
}
