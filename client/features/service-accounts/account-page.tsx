import './style.css'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { failureOf, refusalText } from '../../lib/http/api-error.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { paths } from '../../lib/paths.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { Notice } from '../../ui/state/notice.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { useSession } from '../session/session.ts'
import { AccountAccess } from './account-access.tsx'
import { type AccountsCustomer, AccountsFrame, Section } from './accounts-frame.tsx'
import {
  deleteServiceAccount,
  type ServiceAccount,
  serviceAccountsPath,
  useActivityOf,
  useServiceAccount
} from './api.ts'
import { Credentials } from './credentials.tsx'
import { Details } from './details.tsx'
import { AccountStatus } from './secret.tsx'

export default function AccountPage() {
  const { customerId = '', serviceAccountId = '' } = useParams()
  const { can, nowMs } = useSession()
  const { state } = useLocation()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const { data, error, busy, reload } = useServiceAccount(serviceAccountId, customerId)
  const { problem } = (state ?? {}) as { problem?: string }
  const failed = !data && error !== undefined
  return (
    <AccountsFrame
      title={data?.serviceName ?? (failed ? 'Service Account' : null)}
      crumbs={({ path }) => [
        { label: 'Service Accounts', to: paths.serviceAccounts(path) },
        { label: data?.serviceName ?? null }
      ]}
      facts={
        data ? <AccountStatus expires={data.secretExpires} nowMs={nowMs()} /> : <Skeleton width="6rem" />
      }
      error={error}
    >
      {(customer) => (
        <>
          {failed && <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />}
          {problem && <Notice tone="warn">{problem}</Notice>}
          {data && (
            <div className="stack">
              <Details customer={customer} account={data} />
              <Credentials customer={customer} account={data} />
              <AccountAccess customer={customer} account={data} onReload={reload} />
              {can('audit-log:view', customer.scope) && <Activity customer={customer} account={data} />}
              {can('service-accounts:delete', customer.scope) && (
                <Section title="Danger zone" tone="danger">
                  <p>Programs that use this account are refused as soon as it is deleted.</p>
                  <div>
                    <button type="button" className="button danger" onClick={() => setDeleting(true)}>
                      Delete service account
                    </button>
                  </div>
                </Section>
              )}
            </div>
          )}
          {deleting && data && (
            <DeleteAccount
              customer={customer}
              account={data}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate(paths.serviceAccounts(customer.path))}
            />
          )}
        </>
      )}
    </AccountsFrame>
  )
}

/** The last that was done to the account. */
function Activity({ customer, account }: { customer: AccountsCustomer; account: ServiceAccount }) {
  const { nowMs } = useSession()
  const { data, error, reload } = useActivityOf(account.id, customer.id)
  return (
    <Section
      title="Activity"
      actions={
        <PrefetchLink
          to={`${paths.auditLog}?${new URLSearchParams({ resourceId: account.id, customerId: customer.id })}`}
          className="button quiet"
        >
          Audit log
        </PrefetchLink>
      }
    >
      {!data && error === undefined && <p role="status">Loading activity…</p>}
      {!data && error !== undefined && (
        <p className="field-error" role="alert">
          {failureOf(error).title}. The activity could not be loaded.{' '}
          <button type="button" className="link-button" onClick={reload}>
            Retry
          </button>
        </p>
      )}
      {data?.length === 0 && <p className="muted">No activity yet.</p>}
      {data && data.length > 0 && (
        <ul className="activity">
          {data.map(({ id, at, action, actor, outcome }) => (
            <li key={id} className="row">
              <span>
                <strong>{sentence(action)}</strong> by {actor}
                {outcome !== 'SUCCESS' && <span className="badge warn name-badge">{sentence(outcome)}</span>}
              </span>
              <span className="muted">
                <Timestamp iso={at} as="ago" nowMs={nowMs()} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** `SECRET_GENERATED` → "Secret generated". */
function sentence(word: string): string {
  const text = word.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface DeleteAccountProps {
  customer: AccountsCustomer
  account: ServiceAccount
  onClose: () => void
  onDeleted: () => void
}

export function DeleteAccount({ customer, account, onClose, onDeleted }: DeleteAccountProps) {
  const refresh = useRefresh()
  return (
    <ConfirmDialog
      title="Delete the service account?"
      confirmLabel="Delete service account"
      tone="danger"
      typed={account.serviceName}
      onConfirm={async () => {
        await deleteServiceAccount(account.id, customer.id)
        onDeleted()
        toasts.ok(`Service account ${account.serviceName} deleted.`)
        await refresh(serviceAccountsPath(customer.id))
      }}
      onCancel={onClose}
      failureText={(error) => `${refusalText(error)} Nothing was deleted.`}
    >
      <p>
        Programs that use <strong>{account.serviceName}</strong> are refused at once. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
