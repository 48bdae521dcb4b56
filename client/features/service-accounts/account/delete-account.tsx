import { refusalText } from '../../../lib/http/api-error.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { deleteServiceAccount, type ServiceAccount, serviceAccountsPath } from '../api.ts'
import type { AccountsCustomer } from '../use-customer.ts'

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
        Programs that use <strong>{account.serviceName}</strong> are refused at once. This cannot be taken
        back.
      </p>
    </ConfirmDialog>
  )
}
