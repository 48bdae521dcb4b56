import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { LonePanel } from '../../ui/state/panel.tsx'
import { Brand } from '../frame/frame-skeleton.tsx'

interface PublicPanelProps {
  icon: LucideIcon
  title: string
  children: ReactNode
  action?: string
  to?: string
}

/** A page for people who are not signed in. The page calls no API. */
export function PublicPanel({ icon, title, children, action, to = '/auth/login' }: PublicPanelProps) {
  return (
    <main className="public-page">
      <LonePanel icon={icon} title={title} head={<Brand />}>
        <div className="stack tight muted panel-text">{children}</div>
        {action && (
          <a href={to} className="button primary">
            {action}
          </a>
        )}
      </LonePanel>
    </main>
  )
}
