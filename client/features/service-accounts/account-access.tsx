import { useState } from 'react'
import { count } from '../../lib/format.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { Notice } from '../../ui/state/notice.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { AccessBar, useAccessEdit } from '../access/access-edit.tsx'
import { AccessPreview } from '../access/access-preview.tsx'
import { roleLabel, type ScopeNames } from '../access/roles.tsx'
import { useSession } from '../session/session.ts'
import { AccountAccessChoice, accountAccessRefusal, useAccountGranting } from './account-access-choice.tsx'
import { type AccountsCustomer, Section } from './accounts-frame.tsx'
import { changeServiceAccountRoles, type ServiceAccount, serviceAccountsPath } from './api.ts'
import { navItemsOf } from './create-page.tsx'

interface AccountAccessProps {
  customer: AccountsCustomer
  account: ServiceAccount
  onReload: () => void
}

/** What the account may do and where. */
export function AccountAccess({ customer, account, onReload }: AccountAccessProps) {
  const { can } = useSession()
  const refresh = useRefresh()
  const given = useAccountGranting(customer, 'service-accounts:modify-roles')
  const [editing, setEditing] = useState(false)
  const { serviceName, unknownRoles, roleAssignments: held } = account
  const edit = useAccessEdit({
    held,
    refusalOf: (_changes, wanted) => accountAccessRefusal(wanted),
    async save(changes) {
      if (!given.numbers.data) throw new Error('the roles are not loaded yet')
      await changeServiceAccountRoles(account.id, customer.id, changes, given.numbers.data)
      toasts.ok(`Access of ${serviceName} changed.`)
      await refresh(serviceAccountsPath(customer.id), `/api/v2/management/serviceAccounts/${account.id}`)
      setEditing(false)
    }
  })

  return (
    <Section
      title="Access"
      actions={
        !editing &&
        can('service-accounts:modify-roles', customer.scope) &&
        given.numbers.data && (
          <button type="button" className="button" onClick={() => setEditing(true)}>
            Change access
          </button>
        )
      }
    >
      {unknownRoles.length > 0 && (
        <Notice tone="warn">
          The portal does not know {count(unknownRoles.length, 'role')} of this account (
          {unknownRoles.map(({ name }) => name).join(', ')}). Unknown roles allow nothing here and cannot be
          changed here.
        </Notice>
      )}
      <div className="access-layout" data-editing={editing || undefined}>
        <div className="stack access-form">
          {editing ? (
            <>
              <AccountAccessChoice
                customer={customer}
                integratorName={given.integratorName}
                customers={given.customers}
                granting={given.granting}
                draft={edit.wanted}
                onChange={edit.change}
                asked
              />
              <AccessBar
                name={serviceName}
                edit={edit}
                nameOf={given.nameOf}
                onReload={onReload}
                onBack={() => {
                  edit.reset()
                  setEditing(false)
                }}
              />
            </>
          ) : (
            <HeldRoles held={held} nameOf={given.nameOf} />
          )}
        </div>
        <AccessPreview
          places={navItemsOf(customer, edit.wanted, given.customers)}
          after={edit.wanted}
          before={held}
          nameOf={given.nameOf}
        />
      </div>
    </Section>
  )
}

function HeldRoles({ held, nameOf }: { held: ServiceAccount['roleAssignments']; nameOf: ScopeNames }) {
  return (
    <ul>
      {held.map(({ id, role, scope }) => (
        <li key={id}>
          <strong>{roleLabel(role)}</strong> at {nameOf(scope)}
        </li>
      ))}
      {held.length === 0 && <li className="muted">No roles. This account has no access.</li>}
    </ul>
  )
}
