import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface PanelProps {
  icon: LucideIcon
  title: string
  tone?: 'plain' | 'danger'
  headingLevel?: 2 | 3
  children?: ReactNode
  actions?: ReactNode
}

/** A state that fills the place of content: nothing there, not available, gone wrong. */
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
      {children && <div className="panel-text">{children}</div>}
      {actions && <div className="panel-actions">{actions}</div>}
    </div>
  )
}
