import { USAGE_SORT } from '#shared/devices.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { SelectField } from '../../../ui/input/field.tsx'
import { sortsOf } from '../../../ui/list/columns/column.ts'
import { type DeviceView, NO_FILTERS } from '../device-view.ts'
import { DeviceFilters } from './device-filters.tsx'
import type { ToolbarProps } from './device-toolbar.tsx'
import { ProjectButton } from './filter-buttons.tsx'

interface DeviceFilterSheetProps extends ToolbarProps {
  /** Whether the project is chosen here too. */
  withProject: boolean
  onClose: () => void
}

/** Filters and sort where there is no room for them above the devices. What is chosen holds at once. */
export default function DeviceFilterSheet(props: DeviceFilterSheetProps) {
  const { list, control, project, projects, columns, total, withProject, onClose } = props
  const { view, change } = control
  return (
    <Modal title="Filter and sort" kind="screen" onClose={onClose}>
      <div className="modal-body filter-sheet">
        {withProject && (
          <div className="form-field">
            <span className="field-label">Project</span>
            <ProjectButton list={list} control={control} fetchFilter={projects.fetchFilter}>
              <span className="clip">{project ? project.projectName : 'All Projects'}</span>
            </ProjectButton>
          </div>
        )}
        <DeviceFilters {...control} />
        <SelectField
          label="Sort by"
          value={`${view.sort} ${view.order}`}
          options={sortOptions(sortsOf(columns))}
          onChange={(value) => change(sortOf(value))}
        />
      </div>
      <div className="modal-actions">
        <button
          type="button"
          className="button quiet"
          onClick={() => change({ ...NO_FILTERS, ...(withProject ? { project: null } : {}) })}
        >
          Clear filters
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          {total === null
            ? 'Show devices'
            : `Show ${formatNumber(total)} ${total === 1 ? 'device' : 'devices'}`}
        </button>
      </div>
    </Modal>
  )
}

/** The sorts of a list that has no column headers, by what there is to sort by, in words. */
function sortOptions(sorts: Record<string, string>): { value: string; label: string }[] {
  return Object.entries(sorts).flatMap(([sort, name]) => [
    { value: `${sort} asc`, label: `${name}, ${sort === USAGE_SORT ? 'lowest first' : 'A–Z'}` },
    { value: `${sort} desc`, label: `${name}, ${sort === USAGE_SORT ? 'highest first' : 'Z–A'}` }
  ])
}

function sortOf(value: string): Pick<DeviceView, 'sort' | 'order'> {
  const [sort, order] = value.split(' ') as [DeviceView['sort'], DeviceView['order']]
  return { sort, order }
}
