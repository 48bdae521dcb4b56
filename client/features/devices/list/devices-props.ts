import type { ComponentType } from 'react'
import type { Device, ProjectList } from '#shared/entities.ts'
import type { Chosen } from '../../../ui/list/selection/use-selection.ts'
import type { ProjectEntry } from '../../customers/customer.ts'
import type { ViewControl } from '../use-device-view.ts'

export interface ProjectFilterProps {
  list: ProjectList | undefined
  control: ViewControl
  onClose: () => void
}

/** What the lists of devices show of projects, which are a feature of their own. */
export interface ProjectParts {
  fetchFilter: () => Promise<{ default: ComponentType<ProjectFilterProps> }>
  showDelete: (project: ProjectEntry) => void
}

/** What the table and the list of devices are given alike. */
export interface DevicesProps {
  customerId: string
  list: ProjectList | undefined
  control: ViewControl
  project: ProjectEntry | undefined
  selection: Chosen<Device>
  projects: ProjectParts
  /** Says which project is chosen, where no project list does. */
  showProject: boolean
}
