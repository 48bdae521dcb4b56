import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Brand } from '../frame/frame-skeleton.tsx'

interface PublicPanelProps {
  icon: LucideIcon
  title: string
  children: ReactNode
  action?: string
  /** Where the action leads. */
  to?: string
}

/** A page for people who are not signed in. It calls no API. */
export function PublicPanel({ icon: Icon, title, children, action, to = '/auth/login' }: PublicPanelProps) {
  useEffect(() => {
    document.title = `${title} · Portal`
  }, [title])
  return (
    <PublicPage>
      <span className="panel-icon">
        <Icon />
      </span>
      <h1>{title}</h1>
      <div className="panel-text muted">{children}</div>
      {action && (
        <a href={to} className="button primary">
          {action}
        </a>
      )}
    </PublicPage>
  )
}

/** The portal's logo with the content below it. */
export function PublicPage({ children }: { children: ReactNode }) {
  return (
    <main className="public-page">
      <div className="lone-panel">
        <Brand />
        {children}
      </div>
    </main>
  )
}
