import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import type { ProjectList } from '#shared/entities.ts'
import type { Action } from '#shared/permissions.ts'
import { useCustomerRefresh } from '../../lib/http/query.ts'
import { paths } from '../../lib/paths.ts'
import { useFetchAhead, useIdle } from '../../lib/use-lazy.ts'
import { useDialog } from '../../ui/dialog/use-dialog.ts'
import { type Customer, CustomerContext, RETRY_PARAMETER } from '../customers/customer.ts'
import { fetchDeviceDialogs } from '../devices/device-actions.tsx'
import { isGlobalAdmin } from '../session/landing.ts'
import { useSession } from '../session/session.ts'

const fetchDialogs = () => Promise.all([import('./project-dialogs.tsx'), fetchDeviceDialogs()])

interface CustomerScopeProps {
  customerId: string
  list: ProjectList | undefined
  children: ReactNode
}

/** Everything below knows the customer, and shows its dialogs here. */
export function CustomerScope({ customerId, list, children }: CustomerScopeProps) {
  const session = useSession()
  const { organizationId } = useParams()
  const refresh = useCustomerRefresh(customerId)
  const { dialog, show } = useDialog()
  const customer = useMemo<Customer>(() => {
    const scope = list?.customer.scope
    const can = (action: Action) => scope !== undefined && session.can(action, scope)
    return {
      id: customerId,
      path: paths.customer(customerId, organizationId),
      name: list?.customer.orgName ?? '',
      projects: list?.projects ?? [],
      partnerId: can('projects:create') ? partnerOf(session, organizationId) : null,
      may: {
        renameProject: can('projects:edit'),
        deleteProject: can('projects:delete'),
        editDevice: can('devices:edit'),
        moveDevice: can('devices:move'),
        deleteDevice: can('devices:delete'),
        register: can('devices:register')
      },
      reload: () => void refresh(),
      showDialog: show
    }
  }, [customerId, organizationId, list, session, refresh, show])
  useRetriedProject(customer, list !== undefined)
  // Data first.
  useFetchAhead(fetchDialogs, useIdle() && list !== undefined)
  return (
    <CustomerContext value={customer}>
      {children}
      {dialog}
    </CustomerContext>
  )
}

/** A partner user's own organization, or the integrator that a global admin has chosen. */
function partnerOf(
  session: ReturnType<typeof useSession>,
  organizationId: string | undefined
): string | null {
  if (isGlobalAdmin(session)) return organizationId ?? null
  return session.user.userType === 'PARTNER' ? session.user.organizationId : null
}

export function showCreateProject(customer: Customer, initialName?: string): void {
  customer.showDialog(async (close) => {
    const { CreateProject } = await import('./project-dialogs.tsx')
    return <CreateProject onClose={close} {...(initialName === undefined ? {} : { initialName })} />
  })
}

/** A link with the name of a project that could not be created opens the form with it, for those who may create one. */
function useRetriedProject(customer: Customer, ready: boolean): void {
  const [query, setQuery] = useSearchParams()
  const name = query.get(RETRY_PARAMETER)
  const open = useEffectEvent((retried: string) => {
    if (customer.partnerId !== null) showCreateProject(customer, retried)
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.delete(RETRY_PARAMETER)
        return next
      },
      { replace: true }
    )
  })
  useEffect(() => {
    if (ready && name !== null) open(name)
  }, [ready, name])
}
