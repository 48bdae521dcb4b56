import { useParams } from 'react-router-dom'
import type { Device, ProjectList } from '#shared/entities.ts'
import { type Expiry, soonestExpiry } from '../../lib/expiry.ts'
import { type ServiceLink, serviceLinks } from '../../lib/service-links.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'

export interface DeviceServices {
  customerPath: string
  linksOf: (device: Device) => ServiceLink[]
  expiryOf: (device: Device) => Expiry | null
}

/** What this person can do with the services of this customer's devices, right now. */
export function useDeviceServices(
  list: ProjectList | undefined,
  subscriptionsKnown: boolean
): DeviceServices {
  const { can, flags, links, nowMs } = useSession()
  const { customerId = '', organizationId } = useParams()
  const customerPath = paths.customer(customerId, organizationId)
  const scope = list?.customer.scope
  return {
    customerPath,
    linksOf: (device) =>
      serviceLinks(device, {
        customerPath,
        remoteUrl: links.remote,
        historyCharting: flags.enableHistoryCharting,
        subscriptionsKnown,
        nowMs: nowMs(),
        can: (action) => scope !== undefined && can(action, scope)
      }),
    expiryOf: (device) => soonestExpiry(device.subscriptions, nowMs())
  }
}
