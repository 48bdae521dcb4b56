import { DeviceChips } from './device-filters.tsx'
import { DeviceSearch } from './device-search.tsx'
import type { ToolbarProps } from './device-toolbar.tsx'
import { DeviceFilterButton } from './filter-buttons.tsx'

/** On a phone one button holds all but the search; a project that was chosen is said. */
export function PhoneToolbar(props: ToolbarProps) {
  const { control, project } = props
  return (
    <>
      <div className="toolbar">
        <DeviceSearch {...control} label="Search devices" />
        <DeviceFilterButton {...props} withProject />
      </div>
      <DeviceChips control={control} project={project} />
    </>
  )
}
