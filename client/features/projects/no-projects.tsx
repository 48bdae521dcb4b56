import FolderOpen from 'lucide-react/icons/folder-open'
import Plus from 'lucide-react/icons/plus'
import { NO_PROJECTS } from '#shared/messages.ts'
import { Panel } from '../../ui/state/panel.tsx'
import { useCustomer } from '../customers/customer.ts'
import { showCreateProject } from './customer-scope.tsx'

export default function NoProjects() {
  const customer = useCustomer()
  return (
    <Panel
      icon={FolderOpen}
      title={NO_PROJECTS}
      actions={
        customer.partnerId !== null && (
          <button type="button" className="button primary" onClick={() => showCreateProject(customer)}>
            <Plus />
            Create
          </button>
        )
      }
    />
  )
}
