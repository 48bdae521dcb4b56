import { Modal } from '../../ui/dialog/modal.tsx'
import type { ProjectFilterProps } from '../devices/list/devices-props.ts'
import { ProjectEntries } from './project-entries.tsx'

/** The choice of a project where there is no room for the list beside the devices. */
export default function ProjectFilter({ list, control, onClose }: ProjectFilterProps) {
  return (
    <Modal title={list ? `Projects (${list.projects.length})` : 'Projects'} onClose={onClose}>
      <ProjectEntries list={list} control={control} onChosen={onClose} />
    </Modal>
  )
}
