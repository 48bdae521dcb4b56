import './style.css'
import Bot from 'lucide-react/icons/bot'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { count } from '../../../lib/format.ts'
import { USER_PAGE_SIZE } from '../../../lib/limits.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { type ListQuery, useListQuery } from '../../../lib/use-list-query.ts'
import { showDialog } from '../../../ui/dialog/dialogs.tsx'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { List } from '../../../ui/list/list.tsx'
import { pageOf } from '../../../ui/list/pager.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { secretExpiry } from '../access/secret-expiry.ts'
import { DeleteAccount } from './account-page.tsx'
import { AccountsFrame } from './accounts-frame.tsx'
import { type ServiceAccount, useServiceAccounts } from './api.ts'
import { ACCOUNT_FILTERS, ACCOUNTS_VIEW, accountColumns, findAccounts } from './columns.tsx'
import { RegenerateSecret } from './secret.tsx'

export default function ServiceAccountsPage() {
  const { customerPath, orgName, can } = useCustomer()
  return (
    <AccountsFrame
      title="Service Accounts"
      crumbs={[{ label: 'Service Accounts' }]}
      back={{ to: customerPath, name: `Back to ${orgName}` }}
      actions={
        can('service-accounts:create') && (
          <PrefetchLink to={paths.createServiceAccount(customerPath)} className="button primary">
            <Plus />
            Create service account
          </PrefetchLink>
        )
      }
    >
      <AccountList key={customerPath} />
    </AccountsFrame>
  )
}

function AccountList() {
  const customer = useCustomer()
  const query = useListQuery(ACCOUNTS_VIEW)
  const { values } = query
  const { nowMs } = useSession()
  const load = useServiceAccounts(customer.customerId, values.q)
  const [now] = useState(nowMs)
  const actions = useAccountActions()
  const accounts = load.data?.accounts
  const matchingAccounts = accounts && findAccounts(accounts, values, now)
  const page = matchingAccounts && pageOf(matchingAccounts, values.page, USER_PAGE_SIZE)
  const columns = accountColumns(customer, page?.items ?? [])
  return (
    <List
      noun="service account"
      className="users accounts"
      load={load}
      page={page}
      size={USER_PAGE_SIZE}
      query={query}
      columns={columns}
      toolbar={{
        search: 'Name or description',
        filters: ACCOUNT_FILTERS,
        file: { name: `service-accounts-${customer.orgName}`, read: async () => matchingAccounts ?? [] }
      }}
      rows={{ rowKey: ({ id }) => id, nameOf: ({ serviceName }) => serviceName, actions }}
      notices={
        <>
          <ExpiringSecrets accounts={accounts ?? []} query={query} nowMs={now} />
          {load.data && load.data.unlisted > 0 && (
            <Notice tone="info">
              Not listed: {count(load.data.unlisted, 'account')}. Search for them by name.
            </Notice>
          )}
        </>
      }
      empty={
        <Panel icon={Bot} headingLevel={3} title="No service accounts.">
          <p>Create one to let other software read this customer's data.</p>
        </Panel>
      }
    />
  )
}

const EXPIRED_OR_SOON = 'expired,soon'

interface ExpiringSecretsProps {
  accounts: readonly ServiceAccount[]
  query: ListQuery<typeof ACCOUNTS_VIEW>
  nowMs: number
}

function ExpiringSecrets({ accounts, query: { values, change }, nowMs }: ExpiringSecretsProps) {
  const expiringCount = accounts.filter(({ secretExpiration }) =>
    EXPIRED_OR_SOON.split(',').includes(secretExpiry(secretExpiration, nowMs).state)
  ).length
  if (expiringCount === 0 || values.secret === EXPIRED_OR_SOON) return null
  return (
    <Notice
      tone="warn"
      action={{
        label: 'Show them',
        onAct: () => change({ secret: EXPIRED_OR_SOON, sort: 'secretExpires', order: 'asc' })
      }}
    >
      {count(expiringCount, 'secret')} expired or will expire within 30 days.
    </Notice>
  )
}

function useAccountActions() {
  const { customerPath, can } = useCustomer()
  const navigate = useNavigate()
  return (account: ServiceAccount): (MenuItem | false)[] => [
    can('service-accounts:regenerate-secret') && {
      label: account.secretExpiration === null ? 'Generate secret' : 'Regenerate secret',
      onSelect: () => showDialog((close) => <RegenerateSecret account={account} onClose={close} />)
    },
    can('service-accounts:edit') && {
      label: 'Edit',
      onSelect: () => navigate(paths.serviceAccount(customerPath, account.id))
    },
    can('service-accounts:delete') && {
      label: 'Delete',
      tone: 'danger',
      onSelect: () => showDialog((close) => <DeleteAccount account={account} onClose={close} />)
    }
  ]
}
