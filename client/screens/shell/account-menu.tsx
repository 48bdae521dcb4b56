import LogOut from 'lucide-react/icons/log-out'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useState } from 'react'
import { logOut } from '../../api/log-out.ts'
import { MenuButton, type MenuItem } from '../../components/menu-button.tsx'
import { initials } from '../../lib/format.ts'
import { chooseTheme, storedTheme, type ThemeChoice } from '../../lib/theme.ts'
import { useSession } from '../../session/session.ts'

const THEMES: { choice: ThemeChoice; label: string; icon: MenuItem['icon'] }[] = [
  { choice: 'light', label: 'Light', icon: <Sun /> },
  { choice: 'dark', label: 'Dark', icon: <Moon /> },
  { choice: 'system', label: 'System', icon: <Monitor /> }
]

export function AccountMenu({ onLogOutFailed }: { onLogOutFailed: (failed: boolean) => void }) {
  const { user, flags } = useSession()
  const [theme, setTheme] = useState(storedTheme)

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
  const leave: MenuItem = {
    label: 'Log out',
    icon: <LogOut />,
    onSelect: () => {
      onLogOutFailed(false)
      logOut().catch(() => onLogOutFailed(true))
    }
  }

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
      items={[...(flags.enableDarkTheme ? themes : []), leave]}
    >
      <span className="avatar" data-initials={initials(user.fullName)} />
      <span className="sr-only">Account of </span>
      <span className="account-name">{user.fullName}</span>
    </MenuButton>
  )
}
