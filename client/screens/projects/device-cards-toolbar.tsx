import Filter from 'lucide-react/icons/list-filter'
import { useState } from 'react'
import type { ProjectList } from '#shared/entities.ts'
import { SearchField } from '../../components/search-field.tsx'
import { DEVICE_SEARCH_THROTTLE_MS } from '../../lib/device-view.ts'
import { toasts } from '../../lib/toasts.ts'
import { useFetchAhead, useIdle, useLater } from '../../lib/use-later.ts'
import { DeviceFilters } from './device-filters.tsx'
import { ProjectChip } from './project-chip.tsx'
import type { ViewControl } from './use-device-view.ts'

const fetchFilter = () => import('./project-filter.tsx')

interface DeviceCardsToolbarProps {
  list: ProjectList | undefined
  control: ViewControl
  projectName: string | undefined
}

export function DeviceCardsToolbar({ list, control, projectName }: DeviceCardsToolbarProps) {
  const [filtering, setFiltering] = useState(false)
  const { view, change } = control
  useFetchAhead(fetchFilter, useIdle())
  const ProjectFilter = useLater(fetchFilter, filtering, () => {
    setFiltering(false)
    toasts.failed('The projects could not be fetched.', { label: 'Retry', onAct: () => setFiltering(true) })
  })
  return (
    <div className="device-toolbar">
      <SearchField
        label="Search devices"
        value={view.q}
        throttleMs={DEVICE_SEARCH_THROTTLE_MS}
        onSearch={(q) => change({ q })}
      />
      <button
        type="button"
        className="button icon"
        aria-label="Filter by project"
        aria-haspopup="dialog"
        onClick={() => setFiltering(true)}
      >
        <Filter />
      </button>
      <div className="device-filters">
        <DeviceFilters {...control} />
      </div>
      {projectName && <ProjectChip name={projectName} onClear={() => change({ project: null })} />}
      {filtering && ProjectFilter && (
        <ProjectFilter list={list} control={control} onClose={() => setFiltering(false)} />
      )}
    </div>
  )
}
