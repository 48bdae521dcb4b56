import ExternalLink from 'lucide-react/icons/external-link'
import type { ComponentType } from 'react'
import { useLocation } from 'react-router-dom'
import { VERSION_LINE } from '#shared/limits.ts'
import { holds } from '#shared/permissions.ts'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { isGlobalAdmin } from '../../lib/landing.ts'
import { useIdle, useLater } from '../../lib/use-later.ts'
import { useIntegrator } from '../../session/integrator.ts'
import { useSession } from '../../session/session.ts'
import type { ChooserProps } from './integrator-chooser.tsx'
import { isCurrent, placesOf } from './places.ts'

interface SidebarProps {
  /** The global admin's integrator chooser, once its code is there. */
  chooser: ComponentType<ChooserProps> | null
  onLeave?: () => void
}

export function Sidebar({ chooser: Chooser, onLeave }: SidebarProps) {
  const session = useSession()
  const { chosen } = useIntegrator()
  const { pathname } = useLocation()
  const { user, flags, links } = session
  const withSupport = flags.enableTechSupport && holds(user.roleAssignments, 'partner_admin')
  const TechSupport = useLater(() => import('./tech-support.tsx'), useIdle() && withSupport)
  return (
    <div className="sidebar-content">
      {isGlobalAdmin(session) &&
        (Chooser ? <Chooser onChosen={onLeave} /> : <div className="chooser-place" />)}
      <nav aria-label="Main">
        <ul>
          {placesOf(session, chosen?.id ?? null).map((place) => (
            <li key={place.to}>
              <PrefetchLink
                to={place.to}
                className="nav-entry"
                aria-current={currentOf(isCurrent(place, pathname), pathname === place.to.split('?')[0])}
                onClick={onLeave}
              >
                <place.Icon />
                {place.label}
              </PrefetchLink>
            </li>
          ))}
          {links.thirdPartyApp && (
            <li>
              <a
                href={links.thirdPartyApp.url}
                className="nav-entry"
                target="_blank"
                rel="noopener noreferrer"
              >
                <ExternalLink />
                {links.thirdPartyApp.label}
                <span className="sr-only"> (opens a new tab)</span>
              </a>
            </li>
          )}
        </ul>
      </nav>
      <div className="sidebar-foot">
        {withSupport && <div className="tech-support">{TechSupport && <TechSupport />}</div>}
        {links.privacy.length > 0 && (
          <ul className="privacy-links">
            {links.privacy.map(({ label, url }) => (
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

function currentOf(current: boolean, exactly: boolean): 'page' | 'true' | undefined {
  if (!current) return undefined
  return exactly ? 'page' : 'true'
}
