import Menu from 'lucide-react/icons/menu'
import Siren from 'lucide-react/icons/siren'
import { useState } from 'react'
import { useMatch } from 'react-router-dom'
import { mayOpenAlarms } from '#shared/landing.ts'
import { useSession } from '../../features/session/session.ts'
import { useSidebar } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Jump } from '../jump/jump.tsx'
import { AccountMenu, type DialogName } from './account-menu.tsx'
import { BrandMark } from './brand.tsx'
import { useLater } from './later.ts'

interface HeaderProps {
  /** Left out where there is nothing to navigate. */
  onOpenMenu?: () => void
}

export function Header({ onOpenMenu }: HeaderProps) {
  const session = useSession()
  const withMenu = !useSidebar() && onOpenMenu !== undefined
  const customer = useCustomerInAddress()
  const later = useLater()
  const [dialog, open] = useState<DialogName | null>(null)
  const Dialog = dialog && later?.[dialog]
  return (
    <header className="frame-header">
      {withMenu && (
        <button type="button" className="button quiet icon" aria-label="Open menu" onClick={onOpenMenu}>
          <Menu />
        </button>
      )}
      <PrefetchLink to={paths.home} className="brand">
        <BrandMark />
        Portal
      </PrefetchLink>
      {onOpenMenu && <Jump />}
      {customer !== null && mayOpenAlarms(session) && (
        <PrefetchLink
          to={paths.alarms(customer)}
          className="button quiet icon"
          aria-label="Alarms"
          title="Alarms"
        >
          <Siren />
        </PrefetchLink>
      )}
      {session.flags.enableNotifications && (
        <div className="bell-place">
          {later && <later.Bell onConfigure={() => open('NotificationSettings')} />}
        </div>
      )}
      <AccountMenu onOpen={open} />
      {Dialog && <Dialog onClose={() => open(null)} />}
    </header>
  )
}

/** The path of the customer whose page is open; null on other pages. */
function useCustomerInAddress(): string | null {
  const own = useMatch('/customers/:customerId/*')?.params
  const ofIntegrator = useMatch('/integrators/:organizationId/customers/:customerId/*')?.params
  const { customerId, organizationId } = { organizationId: undefined, ...(ofIntegrator ?? own) }
  return customerId ? paths.customer(customerId, organizationId) : null
}
