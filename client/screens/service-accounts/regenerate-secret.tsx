import { useState } from 'react'
import { refusalText } from '../../api/refusal-text.ts'
import {
  makeSecret,
  type NewSecret,
  type ServiceAccount,
  serviceAccountsPath
} from '../../api/service-accounts.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { dayAfter, dayRefusal, endOfDay } from '../../lib/secret-expiry.ts'
import { useSession } from '../../session/session.ts'
import { useUnsavedChanges } from '../../session/unsaved-changes.tsx'
import { ExpiryChoice } from './expiry-choice.tsx'
import type { AccountsCustomer } from './use-customer.ts'

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
