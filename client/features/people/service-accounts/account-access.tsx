import { useState } from 'react'
import { toasts } from '../../../ui/state/toasts.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { AccessBar, useAccessEdit } from '../access/access-edit.tsx'
import { AccessPreview } from '../access/access-preview.tsx'
import { roleLabel, UnknownRoles } from '../access/roles.tsx'
import { AccountAccessChoice, accountAccessRefusal, useAccountGranting } from './account-access-choice.tsx'
import { Section } from './accounts-frame.tsx'
import { changeServiceAccountRoles, type ServiceAccount, useAccountsRefresh } from './api.ts'

export function AccountAccess({ account, onReload }: { account: ServiceAccount; onReload: () => void }) {
  const { customerId, can } = useCustomer()
  const refresh = useAccountsRefresh(customerId)
  const access = useAccountGranting('service-accounts:modify-roles')
  const [editing, setEditing] = useState(false)
  const { serviceName, unknownRoles, roleAssignments: current } = account
  const { nameOf } = access
  const numbers = access.numbers.data
  const edit = useAccessEdit({
    current,
    refusalOf: (_changes, wanted) => accountAccessRefusal(wanted),
    async save(changes) {
      if (!numbers) throw new Error('the roles are not loaded yet')
      await changeServiceAccountRoles(account.id, customerId, changes, numbers)
      toasts.ok(`Access of ${serviceName} changed.`)
      await refresh()
      setEditing(false)
    }
  })

  return (
    <Section
      title="Access"
      actions={
        !editing &&
        can('service-accounts:modify-roles') &&
        numbers && (
          <button type="button" className="button" onClick={() => setEditing(true)}>
            Change access
          </button>
        )
      }
    >
      <UnknownRoles roles={unknownRoles} of="account" />
      <div className={editing ? 'stack access-layout' : 'stack'}>
        <div className="stack">
          {editing ? (
            <>
              <AccountAccessChoice access={access} draft={edit.wanted} onChange={edit.change} />
              <AccessBar
                name={serviceName}
                edit={edit}
                nameOf={nameOf}
                onReload={onReload}
                onBack={() => {
                  edit.reset()
                  setEditing(false)
                }}
              />
            </>
          ) : (
            <ul>
              {current.map(({ id, role, scope }) => (
                <li key={id}>
                  <strong>{roleLabel(role)}</strong> at {nameOf(scope)}
                </li>
              ))}
              {current.length === 0 && <li className="muted">No roles. This account has no access.</li>}
            </ul>
          )}
        </div>
        <AccessPreview
          first={access.here}
          customers={access.others}
          after={edit.wanted}
          before={current}
          nameOf={nameOf}
        />
      </div>
    </Section>
  )
}
