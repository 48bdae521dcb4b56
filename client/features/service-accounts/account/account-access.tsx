import { useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { count } from '../../../lib/format.ts'
import { isConflict, refusalText } from '../../../lib/http/api-error.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { changesBetween, isEmpty, linesOf, settled } from '../../access/access-draft.ts'
import { AccessPreview } from '../../access/access-preview.tsx'
import { ChangeDialog } from '../../access/change-dialog.tsx'
import { roleLabel, type ScopeNames } from '../../access/role-text.ts'
import { useSession } from '../../session/session.ts'
import { accountAccessRefusal } from '../account-access.ts'
import { AccountAccessChoice } from '../account-access-choice.tsx'
import { changeServiceAccountRoles, type ServiceAccount, serviceAccountsPath } from '../api.ts'
import { navItemsOf } from '../create-page.tsx'
import { useAccountGranting } from '../use-account-granting.ts'
import type { AccountsCustomer } from '../use-customer.ts'
import { Section } from './section.tsx'

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
  useUnsavedChanges(
    dirty ? { discard: () => setDraft(null), ...(missing === null ? { save } : { missing }) } : null
  )

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
              <EditBar
                missing={missing}
                changes={lines.length}
                onSave={() => setAsking(true)}
                onBack={() => {
                  setDraft(null)
                  setEditing(false)
                }}
              />
            </>
          ) : (
            <HeldRoles held={held} nameOf={given.nameOf} />
          )}
        </div>
        <AccessPreview
          places={navItemsOf(customer, wanted, given.customers)}
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

interface EditBarProps {
  /** Why it cannot be saved; null when it can. */
  missing: string | null
  changes: number
  onSave: () => void
  onBack: () => void
}

function EditBar({ missing, changes, onSave, onBack }: EditBarProps) {
  return (
    <div className="form-bar">
      <button
        type="button"
        className="button primary"
        aria-disabled={missing !== null}
        aria-describedby="account-access-missing"
        onClick={() => missing === null && onSave()}
      >
        Save…
      </button>
      <button type="button" className="button" onClick={onBack}>
        Back
      </button>
      <p id="account-access-missing" className="muted" role="status">
        {missing ?? count(changes, 'change')}
      </p>
    </div>
  )
}

function HeldRoles({ held, nameOf }: { held: ServiceAccount['roleAssignments']; nameOf: ScopeNames }) {
  return (
    <ul className="held-roles">
      {held.map(({ id, role, scope }) => (
        <li key={id}>
          <strong>{roleLabel(role)}</strong> at {nameOf(scope)}
        </li>
      ))}
      {held.length === 0 && <li className="muted">No roles: it may do nothing.</li>}
    </ul>
  )
}
