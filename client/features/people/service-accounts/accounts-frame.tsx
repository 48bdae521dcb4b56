import { type ReactNode, useId } from 'react'
import { isOutOfReach } from '../../../lib/http/api-error.ts'
import { useLayout } from '../../../lib/layout.ts'
import type { Crumb } from '../../../lib/session/use-trail.ts'
import { Dialogs } from '../../../ui/dialog/dialogs.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { NotFound } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'

interface AccountsFrameProps {
  title: string | null
  crumbs: Crumb[]
  facts?: ReactNode
  back?: { to: string; name: string }
  actions?: ReactNode
  error?: unknown
  /** Rendered once the customer is loaded. */
  children: ReactNode
}

export function AccountsFrame({ crumbs, facts, error, children, ...title }: AccountsFrameProps) {
  const { list, orgName, can, trail, ...customer } = useCustomer()
  if ((list && !can('service-accounts:view')) || isOutOfReach(error)) return <NotFound />
  return (
    <>
      <TitleBlock {...title} crumbs={[...trail, ...crumbs]} facts={facts ?? orgName ?? ''} />
      {list && children}
      {customer.error !== undefined ? (
        <ErrorPanel {...customer} />
      ) : (
        <p role="status" className="sr-only">
          {list ? '' : 'Loading'}
        </p>
      )}
      <Dialogs />
    </>
  )
}

interface SectionProps {
  title: string
  tone?: 'plain' | 'danger'
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page, collapsible on a phone. */
export function Section({ title, tone = 'plain', actions, children }: SectionProps) {
  const id = useId()
  const body = <div className="stack card-body">{children}</div>
  if (useLayout() === 'mobile')
    return (
      <details className={`card account-section ${tone}`} open>
        <summary>
          <h2>{title}</h2>
        </summary>
        {actions && <div className="row spread card-head">{actions}</div>}
        {body}
      </details>
    )
  return (
    <section className={`card account-section ${tone}`} aria-labelledby={id}>
      <div className="row spread card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {body}
    </section>
  )
}
