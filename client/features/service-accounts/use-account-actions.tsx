import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import type { MenuItem } from '../../ui/input/menu-button.tsx'
import { useSession } from '../session/session.ts'
import { DeleteAccount } from './account/delete-account.tsx'
import type { ServiceAccount } from './api.ts'
import { RegenerateSecret } from './secrets/regenerate-secret.tsx'
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
