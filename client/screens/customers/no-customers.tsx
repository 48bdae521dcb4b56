import Building from 'lucide-react/icons/building-2'
import SearchX from 'lucide-react/icons/search-x'
import { NO_CUSTOMERS } from '#shared/messages.ts'
import { Panel } from '../../components/panel.tsx'
import { SupportContact } from '../../components/support-contact.tsx'

/** Nothing exists, or the search hides all: two different things. */
export default function NoCustomers({ keyword, onClear }: { keyword: string; onClear: () => void }) {
  if (keyword === '') {
    return (
      <Panel icon={Building} title={NO_CUSTOMERS} headingLevel={3}>
        <SupportContact lead="Do you expect to see customers here? Contact support:" />
      </Panel>
    )
  }
  return (
    <Panel
      icon={SearchX}
      title={`No customers match “${keyword}”`}
      headingLevel={3}
      actions={
        <button type="button" className="button" onClick={onClear}>
          Clear search
        </button>
      }
    />
  )
}
