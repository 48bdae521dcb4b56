import { type ReactNode, useId } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { organizationScope } from '#shared/scopes.ts'
import { ApiError, failureOf, isNotFound } from '../../lib/http/api-error.ts'
import { useLayout } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { NotFound } from '../../ui/state/panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { useOrganization } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Crumb, useTrail } from '../session/use-trail.ts'

interface AccountsFrameProps {
  title: string | null
  crumbs: (customer: AccountsCustomer) => { label: string | null; to?: string }[]
  facts?: ReactNode
  back?: (customer: AccountsCustomer) => ReactNode
  actions?: (customer: AccountsCustomer) => ReactNode
  /** Of what the page shows, beside the customer. */
  error?: unknown
  children: (customer: AccountsCustomer) => ReactNode
}

/** The states of every page about service accounts. Nobody learns of a customer that is not theirs. */
export function AccountsFrame({ title, crumbs, facts, back, actions, error, children }: AccountsFrameProps) {
  const { pathname } = useLocation()
  const load = useCustomer()
  const { customer, hidden, busy, reload, trail } = load
  if (hidden || isHidden(load.error) || isHidden(error)) return <NotFound path={pathname} home={paths.home} />
  return (
    <>
      <TitleBlock
        title={title}
        crumbs={[...trail, ...(customer ? crumbs(customer) : [{ label: null }])]}
        facts={facts ?? customer?.name ?? ''}
        back={customer && back?.(customer)}
        actions={customer && actions?.(customer)}
      />
      {!customer && load.error !== undefined && (
        <ErrorPanel failure={failureOf(load.error)} busy={busy} onRefresh={reload} />
      )}
      {!customer && load.error === undefined && (
        <p role="status" className="sr-only">
          Loading
        </p>
      )}
      {customer && children(customer)}
    </>
  )
}

function isHidden(error: unknown): boolean {
  return isNotFound(error) || (error instanceof ApiError && error.status === 403)
}

export interface AccountsCustomer {
  id: string
  name: string
  scope: string
  integratorId: string
  integratorScope: string
  /** The customer's address, under its integrator for a global admin. */
  path: string
}

interface CustomerLoad {
  customer: AccountsCustomer | undefined
  /** The customer is not there, or its service accounts are not the caller's to see. */
  hidden: boolean
  error: unknown
  busy: boolean
  reload: () => void
  trail: Crumb[]
}

/** The customer of the address, whose service accounts these are. */
function useCustomer(): CustomerLoad {
  const { customerId = '', organizationId } = useParams()
  const { can } = useSession()
  const { data, error, busy, reload } = useOrganization(customerId)
  const trail = useTrail(data?.orgName)
  const customer = data?.partnerId
    ? {
        id: data.id,
        name: data.orgName,
        scope: data.scope,
        integratorId: data.partnerId,
        integratorScope: organizationScope(data.partnerId),
        path: paths.customer(customerId, organizationId)
      }
    : undefined
  const hidden =
    data !== undefined && (customer === undefined || !can('service-accounts:view', customer.scope))
  return { customer: hidden ? undefined : customer, hidden, error, busy, reload, trail }
}

interface SectionProps {
  title: string
  tone?: 'plain' | 'danger'
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page; on a phone it can be folded away. */
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
