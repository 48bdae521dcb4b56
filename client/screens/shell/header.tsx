import Menu from 'lucide-react/icons/menu'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { BrandMark } from '../../components/brand.tsx'
import { Notice } from '../../components/notice.tsx'
import { useLayout } from '../../lib/layout.ts'
import { paths } from '../../paths.ts'
import { AccountMenu } from './account-menu.tsx'
import { Jump } from './jump.tsx'

interface HeaderProps {
  /** Left out where there is nothing to navigate. */
  onOpenMenu?: () => void
}

export function Header({ onOpenMenu }: HeaderProps) {
  const [logOutFailed, setLogOutFailed] = useState(false)
  const withMenu = useLayout() === 'mobile' && onOpenMenu !== undefined
  return (
    <>
      <header className="frame-header">
        {withMenu && (
          <button type="button" className="button quiet icon" aria-label="Open menu" onClick={onOpenMenu}>
            <Menu />
          </button>
        )}
        <Link to={paths.home} className="brand">
          <BrandMark />
          Portal
        </Link>
        {onOpenMenu && <Jump />}
        <AccountMenu onLogOutFailed={setLogOutFailed} />
      </header>
      {logOutFailed && <Notice tone="warn">Log out did not work. You are still signed in. Try again.</Notice>}
    </>
  )
}
