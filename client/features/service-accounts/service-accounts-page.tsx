import '../access/people.css'
import '../access/style.css'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { useSession } from '../session/session.ts'
import { AccountList } from './account-list.tsx'
import { AccountsFrame } from './accounts-frame.tsx'

export default function ServiceAccountsPage() {
  const { can } = useSession()
  return (
    <AccountsFrame
      title="Service Accounts"
      crumbs={() => [{ label: 'Service Accounts' }]}
      back={({ path, name }) => (
        <PrefetchLink
          to={path}
          className="button quiet icon back"
          aria-label={`Back to ${name}`}
          title={`Back to ${name}`}
        >
          <ArrowLeft />
        </PrefetchLink>
      )}
      actions={({ path, scope }) =>
        can('service-accounts:create', scope) && (
          <PrefetchLink to={paths.createServiceAccount(path)} className="button primary">
            <Plus />
            Create service account
          </PrefetchLink>
        )
      }
    >
      {(customer) => <AccountList key={customer.id} customer={customer} />}
    </AccountsFrame>
  )
}
