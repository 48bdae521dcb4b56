import FolderTree from 'lucide-react/icons/folder-tree'
import { formatNumber } from '../../../lib/format.ts'
import { DeviceChips } from './device-filters.tsx'
import { DeviceSearch } from './device-search.tsx'
import { DeviceExport, type ToolbarProps } from './device-toolbar.tsx'
import { DeviceFilterButton, ProjectButton } from './filter-buttons.tsx'

/** Above the table of a tablet: projects and filters are behind a button each. */
export default function TabletToolbar(props: ToolbarProps) {
  const { list, control, project, projects } = props
  const count = project ? project.deviceCount : list?.totals.devices
  return (
    <>
      <div className="toolbar">
        <ProjectButton {...props} fetchFilter={projects.fetchFilter}>
          <FolderTree />
          <span className="clip">{project ? project.projectName : 'All Projects'}</span>
          {count !== undefined && <span className="muted">{formatNumber(count)}</span>}
        </ProjectButton>
        <DeviceSearch {...control} label="Search devices" />
        <DeviceFilterButton {...props} withProject={false} />
        <DeviceExport {...props} />
      </div>
      <DeviceChips control={control} project={undefined} />
    </>
  )
}
