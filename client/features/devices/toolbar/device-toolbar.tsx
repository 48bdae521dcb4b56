import ListFilter from 'lucide-react/icons/list-filter'
import Rows3 from 'lucide-react/icons/rows-3'
import Rows4 from 'lucide-react/icons/rows-4'
import type { Device } from '#shared/entities.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import type { ColumnChoice } from '../../../ui/list/columns/column-choice.ts'
import { ColumnMenu } from '../../../ui/list/columns/column-menu.tsx'
import { ListExport } from '../../../ui/list/list-export.tsx'
import { Popover } from '../../../ui/list/popover.tsx'
import { useCustomer } from '../../customers/customer.ts'
import { fetchDevices } from '../api.ts'
import type { DevicesProps } from '../list/devices-props.ts'
import { DENSITIES, type Density } from '../list/use-density.ts'
import { DeviceChips, DeviceFilters } from './device-filters.tsx'
import { DeviceSearch } from './device-search.tsx'

/** A file of that many rows is still read in a few calls. */
const EXPORTED_MAX = 20_000

export interface ToolbarProps extends DevicesProps {
  columns: readonly ListColumn<Device>[]
  /** How many the view is about; null while that is not known. */
  total: number | null
}

interface DeviceToolbarProps extends ToolbarProps {
  choice: ColumnChoice<unknown>
  density: Density
  onDensity: (density: Density) => void
}

/** Above the table of a desk. */
export function DeviceToolbar({ choice, density, onDensity, ...props }: DeviceToolbarProps) {
  const { control, project } = props
  return (
    <div className="toolbar">
      <DeviceSearch {...control} label="Name, host ID, project, location" />
      <DeviceChips control={control} project={project} />
      <Popover
        legend="Filters"
        label={
          <>
            <ListFilter />
            Filters
          </>
        }
      >
        <div className="filter-fields">
          <DeviceFilters {...control} />
        </div>
      </Popover>
      <div className="toolbar-end">
        <fieldset className="density">
          <legend className="sr-only">Height of rows</legend>
          {DENSITIES.map((one) => {
            const Icon = one === 'compact' ? Rows4 : Rows3
            const name = one === 'compact' ? 'Compact' : 'Comfortable'
            return (
              <button
                key={one}
                type="button"
                className="button icon"
                aria-label={name}
                title={name}
                aria-pressed={density === one}
                onClick={() => onDensity(one)}
              >
                <Icon />
              </button>
            )
          })}
        </fieldset>
        <ColumnMenu chosen={choice.chosen} onChange={choice.change} />
        <DeviceExport {...props} />
      </div>
    </div>
  )
}

export function DeviceExport({ customerId, columns, control, total }: ToolbarProps) {
  const { orgName = '' } = useCustomer()
  return (
    <ListExport
      file={`devices ${orgName}`}
      nouns={['device', 'devices']}
      total={total}
      columns={columns}
      max={EXPORTED_MAX}
      read={(max, signal) => fetchDevices(customerId, { ...control.view, page: 0 }, max, signal)}
    />
  )
}
