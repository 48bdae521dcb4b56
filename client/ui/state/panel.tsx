import type { LucideIcon } from 'lucide-react'
import MapPinOff from 'lucide-react/icons/map-pin-off'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { PAGE_NOT_FOUND } from '../../lib/messages.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../prefetch-link.tsx'

interface PanelProps {
  icon: LucideIcon
  title: string
  tone?: 'plain' | 'danger'
  headingLevel?: 2 | 3
  children?: ReactNode
  actions?: ReactNode
}

/** Replaces content that is empty, unavailable or failed to load. */
export function Panel({
  icon: Icon,
  title,
  tone = 'plain',
  headingLevel = 2,
  children,
  actions
}: PanelProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3'
  return (
    <div className={`panel ${tone}`}>
      <span className="panel-icon">
        <Icon />
      </span>
      <Heading>{title}</Heading>
      {children && <div className="stack tight muted panel-text">{children}</div>}
      {actions && <div className="row panel-actions">{actions}</div>}
    </div>
  )
}

interface LonePanelProps {
  icon: LucideIcon
  title: string
  head?: ReactNode
  children: ReactNode
}

export function LonePanel({ icon: Icon, title, head, children }: LonePanelProps) {
  usePageTitle(title)
  return (
    <div className="lone-panel">
      {head}
      <span className="panel-icon">
        <Icon />
      </span>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  )
}

export function NotFound({ home = paths.home }: { home?: string }) {
  const { pathname, search } = useLocation()
  return (
    <LonePanel icon={MapPinOff} title={PAGE_NOT_FOUND}>
      <p className="lone-path mono">{pathname + search}</p>
      <p className="muted">There is nothing at this address, or you may not see it.</p>
      <PrefetchLink to={home} className="button primary">
        Home
      </PrefetchLink>
    </LonePanel>
  )
}
