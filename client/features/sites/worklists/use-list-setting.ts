import { useMemo } from 'react'
import { isGlobalAdmin } from '#shared/landing.ts'
import { paths } from '../../../lib/paths.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import type { ListSetting } from './columns.tsx'

/** The same object for as long as the person and the organization are the same. */
export function useListSetting(): ListSetting {
  const session = useSession()
  const { id } = useOrganization()
  const integratorId = (isGlobalAdmin(session) && id) || undefined
  const { nowMs } = session
  return useMemo(
    () => ({ customerPathOf: (customer) => paths.customer(customer.id, integratorId), nowMs }),
    [integratorId, nowMs]
  )
}
