import ExternalLink from 'lucide-react/icons/external-link'
import type { ComponentType } from 'react'
import { useLocation, useMatch } from 'react-router-dom'
import { VERSION_LINE } from '#shared/limits.ts'
import { holds } from '#shared/permissions.ts'
import { useIntegrator } from '../../features/session/integrator.ts'
import { isGlobalAdmin } from '../../features/session/landing.ts'
import { useSession } from '../../features/session/session.ts'
import { useIdle, useLazy } from '../../lib/use-lazy.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import type { ChooserProps } from './integrator-chooser.tsx'
import { isCurrent, type NavPlace, navItemsOf } from './nav-items.ts'

interface SidebarProps {
  /** The global admin's integrator chooser, once its code is there. */
  chooser: ComponentType<ChooserProps> | null
  onLeave?: () => void
}

export function Sidebar({ chooser: Chooser, onLeave }: SidebarProps) {
  const session = useSession()
  const { pathname } = useLocation()
  const place = useNavPlace()
  const { user, flags, links } = session
  const withSupport = flags.enableTechSupport && holds(user.roleAssignments, 'partner_admin')
  const TechSupport = useLazy(() => import('../tech-support/tech-support.tsx'), useIdle() && withSupport)
  return (
    <div className="sidebar-content">
      {isGlobalAdmin(session) &&
        (Chooser ? <Chooser onChosen={onLeave} /> : <div className="chooser-place" />)}
      <nav aria-label="Main">
        <ul>
          {navItemsOf(session, place).map((item) => (
            <li key={item.to}>
              <PrefetchLink
                to={item.to}
                className="nav-entry"
                aria-current={currentOf(isCurrent(item, pathname), pathname === item.to.split('?')[0])}
                onClick={onLeave}
              >
                <item.Icon />
                {item.label}
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

function useNavPlace(): NavPlace {
  const { chosen } = useIntegrator()
  const { search } = useLocation()
  const customerId = useMatch('/customers/:customerId/*')?.params.customerId ?? null
  const projectId = customerId && new URLSearchParams(search).get('project')
  return { organizationId: chosen?.id ?? null, customerId, projectId }
}

function currentOf(current: boolean, exactly: boolean): 'page' | 'true' | undefined {
  if (!current) return undefined
  return exactly ? 'page' : 'true'
}
