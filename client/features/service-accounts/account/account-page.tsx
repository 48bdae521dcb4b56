import '../../access/people.css'
import '../../access/style.css'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { failureOf } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { useSession } from '../../session/session.ts'
import { AccountsFrame } from '../accounts-frame.tsx'
import { useServiceAccount } from '../api.ts'
import { Credentials } from '../secrets/credentials.tsx'
import { AccountStatus } from '../secrets/secret-badge.tsx'
import { AccountAccess } from './account-access.tsx'
import { Activity } from './activity.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Details } from './details.tsx'
import { Section } from './section.tsx'

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
            <div className="account-sections">
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
