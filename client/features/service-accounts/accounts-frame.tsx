import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { ApiError, failureOf, isNotFound } from '../../lib/http/api-error.ts'
import { paths } from '../../lib/paths.ts'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { NotFound } from '../../ui/state/panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { type AccountsCustomer, useCustomer } from './use-customer.ts'

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
