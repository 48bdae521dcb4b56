import { useState } from 'react'
import { refusalText } from '../../../lib/http/api-error.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { dayAfter, dayRefusal, endOfDay } from '../../access/secret-expiry.ts'
import { useSession } from '../../session/session.ts'
import { makeSecret, type NewSecret, type ServiceAccount, serviceAccountsPath } from '../api.ts'
import type { AccountsCustomer } from '../use-customer.ts'
import { ExpiryChoice } from './expiry-choice.tsx'
import { SecretOnce } from './secret-once.tsx'

interface RegenerateSecretProps {
  customer: AccountsCustomer
  account: Pick<ServiceAccount, 'id' | 'serviceName' | 'secretExpires'>
  onClose: () => void
}

const DEFAULT_DAYS = 90

/** A new secret: chosen how long, confirmed by the name when it ends another one, and then shown once. */
export function RegenerateSecret({ customer, account, onClose }: RegenerateSecretProps) {
  const { nowMs } = useSession()
  const [now] = useState(nowMs)
  const refresh = useRefresh()
  const [day, setDay] = useState(() => dayAfter(DEFAULT_DAYS, now))
  const [made, setMade] = useState<NewSecret | null>(null)
  const first = account.secretExpires === null
  // Leaving the page would lose the secret for good.
  useUnsavedChanges(made ? {} : null)

  if (made) {
    return (
      <SecretOnce
        name={account.serviceName}
        secret={made}
        onClose={() => {
          setMade(null)
          onClose()
          void refresh(
            serviceAccountsPath(customer.id),
            '/api/v2/management/serviceAccounts/',
            `/api/v2/management/organizations/${customer.id}/auditLogs`
          )
        }}
      />
    )
  }
  return (
    <ConfirmDialog
      title={`${first ? 'Generate a' : 'Regenerate the'} secret of ${account.serviceName}?`}
      confirmLabel={first ? 'Generate secret' : 'Regenerate secret'}
      tone={first ? 'primary' : 'danger'}
      {...(first ? {} : { typed: account.serviceName })}
      refusal={dayRefusal(day, now)}
      onConfirm={async () => {
        setMade(await makeSecret(account.id, customer.id, endOfDay(day) ?? ''))
      }}
      onCancel={onClose}
      failureText={(error) => `${refusalText(error)} The secret is as it was.`}
    >
      {!first && (
        <p>
          <strong>The current secret stops working immediately.</strong> Programs that use it are refused
          until they have the new one.
        </p>
      )}
      <ExpiryChoice day={day} nowMs={now} onChange={setDay} />
    </ConfirmDialog>
  )
}
