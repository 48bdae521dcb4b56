import type { ProjectList } from '#shared/entities.ts'
import type { ProjectEntry } from '../../deeds/customer.ts'
import type { DeviceSelection } from './use-device-selection.ts'
import type { ViewControl } from './use-device-view.ts'

/** What the table and the list of devices are given alike. */
export interface DevicesProps {
  customerId: string
  list: ProjectList | undefined
  control: ViewControl
  project: ProjectEntry | undefined
  selection: DeviceSelection
  /** Says which project is chosen, where no project list does. */
  showProject: boolean
}
