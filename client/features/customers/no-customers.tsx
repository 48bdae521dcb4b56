import Building from 'lucide-react/icons/building-2'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import SearchX from 'lucide-react/icons/search-x'
import { NO_CUSTOMERS } from '#shared/messages.ts'
import { SupportContact } from '../../ui/state/error-panel.tsx'
import { Panel } from '../../ui/state/panel.tsx'
import type { CustomerView, Needs } from './use-customer-list.ts'

interface NoCustomersProps {
  view: CustomerView
  attention: Needs | null
  onClear: () => void
}

/** Nothing exists, the search hides all, or all is well: different things. */
export function NoCustomers({ view: { q, show }, attention, onClear }: NoCustomersProps) {
  if (q !== '') {
    return (
      <Panel
        icon={SearchX}
        title={`No customers match “${q}”`}
        headingLevel={3}
        actions={
          <button type="button" className="button" onClick={onClear}>
            Clear search
          </button>
        }
      />
    )
  }
  if (show === 'attention' && attention && attention.all > 0) {
    const reading = attention.unread > 0
    return (
      <Panel
        icon={reading ? Hourglass : CircleCheck}
        title={reading ? 'Nothing needs attention so far' : 'No customer needs attention'}
        headingLevel={3}
        actions={
          <button type="button" className="button" onClick={onClear}>
            Show all customers
          </button>
        }
      >
        {reading && <p>Customers are still loading. Those that need attention appear here.</p>}
      </Panel>
    )
  }
  return (
    <Panel icon={Building} title={NO_CUSTOMERS} headingLevel={3}>
      <SupportContact lead="Do you expect to see customers here? Contact support:" />
    </Panel>
  )
}
