import Building from 'lucide-react/icons/building-2'
import House from 'lucide-react/icons/house'
import Users from 'lucide-react/icons/users'
import type { ComponentType } from 'react'
import { useLocation, useMatch } from 'react-router-dom'
import { VERSION_LINE } from '#shared/limits.ts'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { isGlobalAdmin } from '../../lib/landing.ts'
import { paths } from '../../paths.ts'
import { useIntegrator } from '../../session/integrator.ts'
import { useSession } from '../../session/session.ts'
import type { ChooserProps } from './integrator-chooser.tsx'

interface SidebarProps {
  /** The global admin's integrator chooser, once its code is there. */
  chooser: ComponentType<ChooserProps> | null
  onLeave?: () => void
}

export function Sidebar({ chooser: Chooser, onLeave }: SidebarProps) {
  const session = useSession()
  const { chosen } = useIntegrator()
  const { pathname } = useLocation()
  const inCustomers = useMatch('/customers/*') !== null
  const inIntegrator = useMatch('/integrators/*') !== null
  const globalAdmin = isGlobalAdmin(session)
  const entries = globalAdmin
    ? [{ to: paths.home, label: 'Users & Roles', Icon: Users, current: pathname === '/' }]
    : [{ to: paths.home, label: 'Home', Icon: House, current: pathname === '/' || inCustomers }]
  if (chosen) {
    entries.push({
      to: paths.integrator(chosen.id),
      label: 'Customers',
      Icon: Building,
      current: inIntegrator
    })
  }
  return (
    <div className="sidebar-content">
      {globalAdmin && (Chooser ? <Chooser onChosen={onLeave} /> : <div className="chooser-place" />)}
      <nav aria-label="Main">
        <ul>
          {entries.map(({ to, label, Icon, current }) => (
            <li key={label}>
              <PrefetchLink
                to={to}
                className="nav-entry"
                aria-current={current ? (pathname === to ? 'page' : 'true') : undefined}
                onClick={onLeave}
              >
                <Icon />
                {label}
              </PrefetchLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="sidebar-foot">
        {session.links.privacy.length > 0 && (
          <ul className="privacy-links">
            {session.links.privacy.map(({ label, url }) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {label}
                  <span className="sr-only"> (opens a new tab)</span>
                </a>
              </li>
            ))}
          </ul>
        )}
        <p>Version {VERSION_LINE}</p>
      </div>
    </div>
  )
}
