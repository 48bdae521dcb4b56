import FolderOpen from 'lucide-react/icons/folder-open'
import { NO_PROJECTS } from '#shared/messages.ts'
import { Panel } from '../../components/panel.tsx'

export function NoProjects() {
  return <Panel icon={FolderOpen} title={NO_PROJECTS} />
}
