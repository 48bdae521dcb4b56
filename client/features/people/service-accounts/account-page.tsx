import './style.css'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { calls } from '#shared/calls.ts'
import { codeLabel } from '../../../lib/format.ts'
import { failureOf, refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { showDialog } from '../../../ui/dialog/dialogs.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { LoadFailed } from '../../../ui/state/load-failed.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { AccountAccess } from './account-access.tsx'
import { AccountsFrame, Section } from './accounts-frame.tsx'
import { deleteServiceAccount, type ServiceAccount, useActivityOf, useServiceAccount } from './api.ts'
import { Credentials } from './credentials.tsx'
import { Details } from './details.tsx'
import { AccountStatus } from './secret.tsx'

export default function AccountPage() {
  const { serviceAccountId = '' } = useParams()
  const { customerId, customerPath, can } = useCustomer()
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const { data: account, error, isFetching, refetch } = useServiceAccount(serviceAccountId, customerId)
  const { problem } = (state ?? {}) as { problem?: string }
  const forgetProblem = () => problem && navigate({ search }, { replace: true, state: null })
  const hasFailed = !account && error !== undefined
  const accounts = paths.serviceAccounts(customerPath)
  const askToDelete = (target: ServiceAccount) =>
    showDialog((close) => (
      <DeleteAccount account={target} onClose={close} onDeleted={() => navigate(accounts)} />
    ))
  return (
    <AccountsFrame
      title={account?.serviceName ?? (hasFailed ? 'Service Account' : null)}
      crumbs={[{ label: 'Service Accounts', to: accounts }, { label: account?.serviceName ?? null }]}
      facts={account ? <AccountStatus expires={account.secretExpiration} /> : <Skeleton width="6rem" />}
      error={error}
    >
      {hasFailed && <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />}
      {problem && <Notice tone="warn">{problem}</Notice>}
      {account && (
        <div key={account.id} className="stack">
          <Details account={account} />
          <Credentials account={account} onMade={forgetProblem} />
          <AccountAccess account={account} onReload={refetch} />
          {can('audit-log:view') && <Activity account={account} />}
          {can('service-accounts:delete') && (
            <Section title="Danger zone" tone="danger">
              <p>Programs that use this account lose access as soon as it is deleted.</p>
              <div>
                <button type="button" className="button danger" onClick={() => askToDelete(account)}>
                  Delete service account
                </button>
              </div>
            </Section>
          )}
        </div>
      )}
    </AccountsFrame>
  )
}

function Activity({ account }: { account: ServiceAccount }) {
  const { customerId, orgName } = useCustomer()
  const { data, error, refetch } = useActivityOf(account.id, customerId)
  const { chosen } = useOrganization()
  const auditLog = withQuery(paths.auditLog, {
    resourceId: account.id,
    resourceName: account.serviceName,
    customerId,
    customerName: orgName,
    organizationId: chosen?.id
  })
  return (
    <Section
      title="Activity"
      actions={
        <PrefetchLink to={auditLog} className="button quiet">
          Audit log
        </PrefetchLink>
      }
    >
      {!data && error === undefined && <p role="status">Loading activity…</p>}
      {!data && error !== undefined && (
        <LoadFailed onRetry={refetch}>{failureOf(error).title}. The activity could not be loaded.</LoadFailed>
      )}
      {data?.length === 0 && <p className="muted">No activity yet.</p>}
      {data && data.length > 0 && (
        <ul className="ruled">
          {data.map(({ id, timestamp, action, actor, outcome }) => (
            <li key={id} className="row spread">
              <span>
                <strong>{codeLabel(action)}</strong> by {actor?.name ?? '–'}
                {outcome !== 'SUCCESS' && <span className="badge warn name-badge">{codeLabel(outcome)}</span>}
              </span>
              <span className="muted">
                <Timestamp iso={timestamp} as="ago" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

interface DeleteAccountProps {
  account: ServiceAccount
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteAccount({ account, onClose, onDeleted }: DeleteAccountProps) {
  const { customerId } = useCustomer()
  const refresh = useRefresh()
  const reload = () => refresh(calls.customerServiceAccounts(customerId))
  return (
    <ConfirmDialog
      title="Delete the service account?"
      confirmLabel="Delete service account"
      tone="danger"
      typed={account.serviceName}
      onConfirm={async () => {
        await deleteServiceAccount(account.id, customerId)
        onClose()
        toasts.ok(`Service account ${account.serviceName} deleted.`)
        await reload()
        // After the dialog has closed, which asks before the page is left while it sends.
        onDeleted?.()
      }}
      onCancel={onClose}
      reload={reload}
      failureText={(error) => `${refusalText(error)} ${consequenceText(error, 'Nothing was deleted.')}`}
    >
      <p>
        Programs that use <strong>{account.serviceName}</strong> lose access at once. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
