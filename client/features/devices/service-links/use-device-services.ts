import { useMemo } from 'react'
import { useParams } from 'react-router-dom'
import type { Device, ProjectList } from '#shared/entities.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../session/session.ts'
import { type Expiry, type ServiceLink, serviceLinks, soonestExpiry } from './device-services.ts'

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
  return useMemo(
    () => ({
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
    }),
    [customerPath, scope, subscriptionsKnown, links, flags, nowMs, can]
  )
}
