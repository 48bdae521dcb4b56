import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { ServiceAccount } from '../../api/service-accounts.ts'
import type { MenuItem } from '../../components/menu-button.tsx'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { DeleteAccount } from './delete-account.tsx'
import { RegenerateSecret } from './regenerate-secret.tsx'
import type { AccountsCustomer } from './use-customer.ts'

/** What a row offers, and the dialog of what was chosen. */
export function useAccountActions(customer: AccountsCustomer) {
  const { can } = useSession()
  const navigate = useNavigate()
  const [open, setOpen] = useState<{ what: 'secret' | 'delete'; account: ServiceAccount } | null>(null)
  const close = () => setOpen(null)

  const actionsFor = (account: ServiceAccount): MenuItem[] => {
    const items: MenuItem[] = []
    if (can('service-accounts:regenerate-secret', customer.scope))
      items.push({
        label: account.secretExpires === null ? 'Generate secret' : 'Regenerate secret',
        onSelect: () => setOpen({ what: 'secret', account })
      })
    if (can('service-accounts:edit', customer.scope))
      items.push({
        label: 'Edit',
        onSelect: () => navigate(paths.serviceAccount(customer.path, account.id))
      })
    if (can('service-accounts:delete', customer.scope))
      items.push({
        label: 'Delete',
        tone: 'danger',
        onSelect: () => setOpen({ what: 'delete', account })
      })
    return items
  }

  const dialog =
    open === null ? null : open.what === 'secret' ? (
      <RegenerateSecret customer={customer} account={open.account} onClose={close} />
    ) : (
      <DeleteAccount customer={customer} account={open.account} onClose={close} onDeleted={close} />
    )
  return { actionsFor, dialog }
}
