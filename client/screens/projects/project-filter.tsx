import type { ProjectList } from '#shared/entities.ts'
import { Modal } from '../../components/modal.tsx'
import { ProjectEntries } from './project-entries.tsx'
import type { ViewControl } from './use-device-view.ts'

interface ProjectFilterProps {
  list: ProjectList | undefined
  control: ViewControl
  onClose: () => void
}

/** The choice of a project where there is no room for the list beside the devices. */
export default function ProjectFilter({ list, control, onClose }: ProjectFilterProps) {
  return (
    <Modal title={list ? `Projects (${list.projects.length})` : 'Projects'} onClose={onClose}>
      <ProjectEntries list={list} control={control} onChosen={onClose} />
    </Modal>
  )
}
