import { type ReactNode, useId } from 'react'
import { useLayout } from '../../../lib/layout.ts'

interface SectionProps {
  title: string
  tone?: 'plain' | 'danger'
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page; on a phone it can be folded away. */
export function Section({ title, tone = 'plain', actions, children }: SectionProps) {
  const id = useId()
  const body = <div className="account-section-body">{children}</div>
  if (useLayout() === 'mobile')
    return (
      <details className={`card account-section ${tone}`} open>
        <summary>
          <h2>{title}</h2>
        </summary>
        {actions && <div className="card-head">{actions}</div>}
        {body}
      </details>
    )
  return (
    <section className={`card account-section ${tone}`} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {body}
    </section>
  )
}
