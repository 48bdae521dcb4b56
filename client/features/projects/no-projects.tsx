import FolderOpen from 'lucide-react/icons/folder-open'
import Plus from 'lucide-react/icons/plus'
import { NO_PROJECTS } from '#shared/messages.ts'
import { Panel } from '../../ui/state/panel.tsx'
import { useCustomer } from '../customers/customer.ts'
import { showCreateProject } from './project-entry.tsx'

export default function NoProjects() {
  const { partnerId } = useCustomer()
  return (
    <Panel
      icon={FolderOpen}
      title={NO_PROJECTS}
      actions={
        partnerId !== null && (
          <button type="button" className="button primary" onClick={() => showCreateProject()}>
            <Plus />
            Create
          </button>
        )
      }
    />
  )
}
