import Menu from 'lucide-react/icons/menu'
import Siren from 'lucide-react/icons/siren'
import { BrandMark } from '../../components/brand.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { mayOpenAlarms } from '../../lib/landing.ts'
import { useLayout } from '../../lib/layout.ts'
import { useIdle, useLater } from '../../lib/use-later.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { Account } from './account.tsx'
import type { Attachments } from './attachments.ts'
import { Jump } from './jump.tsx'
import { useCustomerInAddress } from './use-customer-in-address.ts'
import { useDialogs } from './use-dialogs.tsx'

interface HeaderProps {
  attachments: Attachments
  /** Left out where there is nothing to navigate. */
  onOpenMenu?: () => void
}

export function Header({ attachments, onOpenMenu }: HeaderProps) {
  const session = useSession()
  const withMenu = useLayout() === 'mobile' && onOpenMenu !== undefined
  const customer = useCustomerInAddress()
  const withBell = session.flags.enableNotifications
  const Bell = useLater(attachments.bell, useIdle() && withBell)
  const { dialog, open } = useDialogs(attachments)
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
      {withBell && (
        <div className="bell-place">{Bell && <Bell onConfigure={() => open('notificationSettings')} />}</div>
      )}
      <Account onOpen={open} />
      {dialog}
    </header>
  )
}
