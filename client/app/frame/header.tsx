import Menu from 'lucide-react/icons/menu'
import Siren from 'lucide-react/icons/siren'
import { type ReactNode, useState } from 'react'
import { useMatch } from 'react-router-dom'
import { mayOpenAlarms } from '#shared/landing.ts'
import { useSession } from '../../features/session/session.ts'
import { browser } from '../../lib/browser.ts'
import { useSidebar } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { useFetchAhead, useIdle, useLazy } from '../../lib/use-lazy.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { Jump } from '../jump/jump.tsx'
import { Account, type DialogName } from './account.tsx'
import { BrandMark } from './brand.tsx'

const bell = () => import('../../features/notifications/bell.tsx')

interface HeaderProps {
  /** Left out where there is nothing to navigate. */
  onOpenMenu?: () => void
}

export function Header({ onOpenMenu }: HeaderProps) {
  const session = useSession()
  const withMenu = !useSidebar() && onOpenMenu !== undefined
  const customer = useCustomerInAddress()
  const withBell = session.flags.enableNotifications
  const Bell = useLazy(bell, useIdle() && withBell)
  const { dialog, open } = useDialogs()
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

/** The path of the customer whose page is open; null on other pages. */
function useCustomerInAddress(): string | null {
  const own = useMatch('/customers/:customerId/*')?.params
  const ofIntegrator = useMatch('/integrators/:organizationId/customers/:customerId/*')?.params
  const { customerId, organizationId } = { organizationId: undefined, ...(ofIntegrator ?? own) }
  return customerId ? paths.customer(customerId, organizationId) : null
}

const settings = () => import('../../features/notifications/settings-dialog.tsx')
const messages = () => import('./recent-messages.tsx')
const sessions = () => import('../session/own-sessions.tsx')
const fetchDialogs = () => Promise.all([settings(), messages(), sessions()])

/** One of the header's dialogs, whose code is fetched when it is first asked for. */
function useDialogs(): {
  dialog: ReactNode
  open: (name: DialogName) => void
} {
  const [name, open] = useState<DialogName | null>(null)
  useFetchAhead(fetchDialogs, useIdle())
  const failed = () => {
    open(null)
    toasts.failed('This part of the portal could not be fetched.', {
      label: 'Reload',
      onAct: () => browser.reload()
    })
  }
  const Settings = useLazy(settings, name === 'notificationSettings', failed)
  const Messages = useLazy(messages, name === 'recentMessages', failed)
  const Sessions = useLazy(sessions, name === 'ownSessions', failed)
  const close = () => open(null)
  return {
    open,
    dialog: (
      <>
        {name === 'notificationSettings' && Settings && <Settings onClose={close} />}
        {name === 'recentMessages' && Messages && <Messages onClose={close} />}
        {name === 'ownSessions' && Sessions && <Sessions onClose={close} />}
      </>
    )
  }
}
