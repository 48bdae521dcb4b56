import { useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { isConflict, refusalText } from '../../api/refusal-text.ts'
import {
  changeServiceAccountRoles,
  type ServiceAccount,
  serviceAccountsPath
} from '../../api/service-accounts.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { AccessPreview } from '../../components/access-preview.tsx'
import { ChangeDialog } from '../../components/change-dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { changesBetween, isEmpty, linesOf, settled } from '../../lib/access-draft.ts'
import { accountAccessRefusal } from '../../lib/account-access.ts'
import { count } from '../../lib/format.ts'
import { roleLabel } from '../../lib/role-text.ts'
import { toasts } from '../../lib/toasts.ts'
import { useSession } from '../../session/session.ts'
import { useUnsavedChanges } from '../../session/unsaved-changes.tsx'
import { AccountAccessChoice } from './account-access-choice.tsx'
import { placesOf } from './create-page.tsx'
import { Section } from './section.tsx'
import { useAccountGranting } from './use-account-granting.ts'
import type { AccountsCustomer } from './use-customer.ts'

interface AccountAccessProps {
  customer: AccountsCustomer
  account: ServiceAccount
  onReload: () => void
}

/** What the account may do and where; changed as a person's access is, line by line. */
export function AccountAccess({ customer, account, onReload }: AccountAccessProps) {
  const { can } = useSession()
  const refresh = useRefresh()
  const given = useAccountGranting(customer, 'service-accounts:modify-roles')
  const [editing, setEditing] = useState(false)
  const [draft, setDraft] = useState<Assignment[] | null>(null)
  const [asking, setAsking] = useState(false)
  const held = account.roleAssignments
  const wanted = draft ? settled(held, draft) : held
  const changes = changesBetween(held, wanted)
  const dirty = !isEmpty(changes)
  const lines = linesOf(changes, held)
  const missing = accountAccessRefusal(wanted) ?? (dirty ? null : 'Nothing is changed')

  async function save() {
    if (!given.numbers.data) throw new Error('the roles are not there yet')
    await changeServiceAccountRoles(account.id, customer.id, changes, given.numbers.data)
    setDraft(null)
    setEditing(false)
    setAsking(false)
    toasts.ok(`Access of ${account.serviceName} changed.`)
    await refresh(serviceAccountsPath(customer.id), `/api/v2/management/serviceAccounts/${account.id}`)
  }
  useUnsavedChanges(dirty ? { discard: () => setDraft(null), ...(missing === null ? { save } : {}) } : null)

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
      {account.unknownRoles.length > 0 && (
        <Notice tone="warn">
          {count(account.unknownRoles.length, 'role')} not known to the portal (
          {account.unknownRoles.map(({ name }) => name).join(', ')}): allows nothing here, cannot be changed
          here.
        </Notice>
      )}
      <div className="access-layout" data-editing={editing || undefined}>
        <div className="access-form">
          {editing ? (
            <>
              <AccountAccessChoice
                customer={customer}
                integratorName={given.integratorName}
                customers={given.customers}
                granting={given.granting}
                draft={wanted}
                onChange={(next) => setDraft([...next])}
                asked
              />
              <div className="form-bar">
                <button
                  type="button"
                  className="button primary"
                  aria-disabled={missing !== null}
                  aria-describedby="account-access-missing"
                  onClick={() => missing === null && setAsking(true)}
                >
                  Save…
                </button>
                <button
                  type="button"
                  className="button"
                  onClick={() => {
                    setDraft(null)
                    setEditing(false)
                  }}
                >
                  Back
                </button>
                <p id="account-access-missing" className="muted" role="status">
                  {missing ?? count(lines.length, 'change')}
                </p>
              </div>
            </>
          ) : (
            <ul className="held-roles">
              {held.map(({ id, role, scope }) => (
                <li key={id}>
                  <strong>{roleLabel(role)}</strong> at {given.nameOf(scope)}
                </li>
              ))}
              {held.length === 0 && <li className="muted">No roles: it may do nothing.</li>}
            </ul>
          )}
        </div>
        <AccessPreview
          places={placesOf(customer, wanted, given.customers)}
          after={wanted}
          {...(dirty ? { before: held } : {})}
          nameOf={given.nameOf}
        />
      </div>
      {asking && (
        <ChangeDialog
          name={account.serviceName}
          lines={lines}
          nameOf={given.nameOf}
          onSave={save}
          onClose={() => setAsking(false)}
          failureText={refusalText}
          isConflict={isConflict}
          onReload={onReload}
        />
      )}
    </Section>
  )
}
