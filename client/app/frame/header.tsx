import Bell from 'lucide-react/icons/bell'
import LogOut from 'lucide-react/icons/log-out'
import Menu from 'lucide-react/icons/menu'
import MessageSquare from 'lucide-react/icons/message-square'
import Monitor from 'lucide-react/icons/monitor'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { AlarmsButton } from '../../features/alarms/all-customers/alarms-button.tsx'
import { initials } from '../../lib/format.ts'
import { useSidebar } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { MenuButton, type MenuItem } from '../../ui/input/menu-button.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { chooseTheme, followTabs, storedTheme, type ThemeChoice } from '../theme.ts'
import { useDeferredParts } from './deferred-frame.ts'
import { BrandMark } from './frame-skeleton.tsx'
import { Jump } from './jump.tsx'

interface HeaderProps {
  /** Undefined for people without access, who get no menu. */
  onOpenMenu?: () => void
}

export function Header({ onOpenMenu }: HeaderProps) {
  const session = useSession()
  const withMenu = !useSidebar() && onOpenMenu !== undefined
  const deferredParts = useDeferredParts()
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const Dialog = dialog && deferredParts?.[dialog]
  return (
    <header className="frame-header">
      {withMenu && <IconButton name="Open menu" Icon={Menu} onPress={onOpenMenu} />}
      <PrefetchLink to={paths.home} className="brand">
        <BrandMark />
        Portal
      </PrefetchLink>
      {onOpenMenu && <Jump />}
      {onOpenMenu && <AlarmsButton />}
      {session.flags.enableNotifications && (
        <div className="bell-place">
          {deferredParts && <deferredParts.Bell onConfigure={() => setDialog('NotificationSettings')} />}
        </div>
      )}
      <AccountMenu onOpen={setDialog} />
      {Dialog && <Dialog onClose={() => setDialog(null)} />}
    </header>
  )
}

export type DialogName = 'NotificationSettings' | 'RecentMessages' | 'OwnSessions'

const THEMES: { choice: ThemeChoice; label: string; icon: MenuItem['icon'] }[] = [
  { choice: 'light', label: 'Light', icon: <Sun /> },
  { choice: 'dark', label: 'Dark', icon: <Moon /> },
  { choice: 'system', label: 'System', icon: <Monitor /> }
]

export function AccountMenu({ onOpen }: { onOpen: (dialog: DialogName) => void }) {
  const { user, flags } = useSession()
  const navigate = useNavigate()
  const [theme, setTheme] = useState(storedTheme)
  useEffect(() => followTabs(() => setTheme(storedTheme())), [])

  const themes = THEMES.map<MenuItem>(({ choice, label, icon }, index) => ({
    label,
    icon,
    checked: choice === theme,
    ...(index === 0 ? { group: 'Theme' } : {}),
    onSelect: () => {
      chooseTheme(choice)
      setTheme(choice)
    }
  }))
  const notificationItem: MenuItem = {
    label: 'Configure Notifications',
    icon: <Bell />,
    onSelect: () => onOpen('NotificationSettings')
  }
  const otherItems: MenuItem[] = [
    { label: 'Recent messages', icon: <MessageSquare />, onSelect: () => onOpen('RecentMessages') },
    { label: 'Your sessions', icon: <MonitorSmartphone />, onSelect: () => onOpen('OwnSessions') },
    { label: 'Log out', icon: <LogOut />, onSelect: () => navigate(paths.logOut) }
  ]

  return (
    <MenuButton
      label={`Account of ${user.fullName}`}
      className="account-button"
      head={
        <div className="menu-head">
          <strong>{user.fullName}</strong>
          {user.email && <span>{user.email}</span>}
          {user.organizationName && <span>{user.organizationName}</span>}
        </div>
      }
      items={[
        ...(flags.enableDarkTheme ? themes : []),
        ...(flags.enableNotifications ? [notificationItem] : []),
        ...otherItems
      ]}
    >
      <span className="avatar" data-initials={initials(user.fullName)} />
      <span className="sr-only">Account of </span>
      <span className="clip account-name">{user.fullName}</span>
    </MenuButton>
  )
}
