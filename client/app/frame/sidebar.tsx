import Building from 'lucide-react/icons/building-2'
import ExternalLink from 'lucide-react/icons/external-link'
import Info from 'lucide-react/icons/info'
import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import type { ComponentProps } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { isGlobalAdmin } from '#shared/landing.ts'
import { VERSION_LINE } from '#shared/limits.ts'
import { holds } from '#shared/permissions.ts'
import { chooseRail } from '../../lib/layout.ts'
import { isCurrent, navItemsOf } from '../../lib/session/nav-items.ts'
import { useOrganization } from '../../lib/session/organization.ts'
import { useSession } from '../../lib/session/session.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { Popover } from '../../ui/list/filters/popover.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { useDeferredParts } from './deferred-frame.ts'

interface SidebarProps {
  /** Whether only icons show. Undefined in a drawer, which cannot collapse. */
  rail?: boolean
  onLeave?: () => void
}

export function Sidebar({ rail, onLeave }: SidebarProps) {
  const session = useSession()
  const { pathname, search } = useLocation()
  const { customerId = null } = useParams()
  const { chosen } = useOrganization()
  const projectId = customerId && new URLSearchParams(search).get('project')
  const { links } = session
  const globalAdmin = isGlobalAdmin(session)
  const deferredParts = useDeferredParts()
  return (
    <div className="sidebar-content">
      {globalAdmin && !rail && (
        <div className="chooser-place">
          {deferredParts && <deferredParts.IntegratorChooser onChosen={onLeave} />}
        </div>
      )}
      <nav aria-label="Main">
        <ul>
          {navItemsOf(session, { organizationId: chosen?.id ?? null, customerId, projectId }).map((item) => (
            <li key={item.to}>
              <PrefetchLink
                to={item.to}
                className="entry nav-entry"
                title={rail ? item.label : undefined}
                aria-current={currentOf(isCurrent(item, pathname), pathname === item.to.split('?')[0])}
                onClick={onLeave}
              >
                <item.Icon />
                <span>{item.label}</span>
              </PrefetchLink>
            </li>
          ))}
          {links.thirdPartyApp && (
            <li>
              <OutsideLink href={links.thirdPartyApp.url} className="entry nav-entry">
                <ExternalLink />
                <span>{links.thirdPartyApp.label}</span>
              </OutsideLink>
            </li>
          )}
        </ul>
      </nav>
      {rail !== undefined && <RailButtons rail={rail} globalAdmin={globalAdmin} />}
      {!rail && <SidebarFoot />}
    </div>
  )
}

function SidebarFoot() {
  const { user, flags, links } = useSession()
  const withSupport = flags.enableTechSupport && holds(user.roleAssignments, 'partner_admin')
  const deferredParts = useDeferredParts()
  return (
    <div className="sidebar-foot">
      {withSupport && <div className="tech-support">{deferredParts && <deferredParts.TechSupport />}</div>}
      {links.privacy.length > 0 && (
        <ul className="row privacy-links">
          {links.privacy.map(({ label, url }) => (
            <li key={url}>
              <OutsideLink href={url}>{label}</OutsideLink>
            </li>
          ))}
        </ul>
      )}
      <p>Version {VERSION_LINE}</p>
    </div>
  )
}

const OutsideLink = ({ children, ...link }: ComponentProps<'a'>) => (
  <a {...link} target="_blank" rel="noopener noreferrer">
    {children}
    <span className="sr-only"> (opens a new tab)</span>
  </a>
)

function RailButtons({ rail, globalAdmin }: { rail: boolean; globalAdmin: boolean }) {
  return (
    <div className="rail-buttons">
      {rail && globalAdmin && (
        <IconButton name="Choose an integrator" Icon={Building} onPress={() => chooseRail(false)} />
      )}
      {rail && <RailFoot />}
      <IconButton
        name={rail ? 'Expand the menu' : 'Collapse the menu'}
        Icon={rail ? PanelLeftOpen : PanelLeftClose}
        aria-expanded={!rail}
        onPress={() => chooseRail(!rail)}
      />
    </div>
  )
}

/** Behind a button, what the wide menu has at its foot. */
function RailFoot() {
  const name = 'Support, privacy and version'
  return (
    <span title={name}>
      <Popover
        className="button quiet icon"
        label={
          <>
            <Info />
            <span className="sr-only">{name}</span>
          </>
        }
        legend={name}
      >
        <SidebarFoot />
      </Popover>
    </span>
  )
}

function currentOf(current: boolean, exactly: boolean): 'page' | 'true' | undefined {
  if (!current) return undefined
  return exactly ? 'page' : 'true'
}
