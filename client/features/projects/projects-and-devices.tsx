import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { Device, ProjectList as Projects } from '#shared/entities.ts'
import { useLayout, useTablet } from '../../lib/layout.ts'
import { useSelection } from '../../ui/list/selection/use-selection.ts'
import type { ProjectParts } from '../devices/list/devices-props.ts'
import { DevicesSkeleton } from '../devices/list/devices-skeleton.tsx'
import { useDeviceView, type ViewControl } from '../devices/use-device-view.ts'
import { ProjectEntries } from './project-entries.tsx'
import { showDeleteProject } from './project-entry.tsx'
import { isCollapsed, rememberCollapsed } from './project-list.ts'

// A person sees one of the two.
const DeviceTable = lazy(() => import('../devices/list/device-table.tsx'))
const DeviceCards = lazy(() => import('../devices/list/device-cards.tsx'))

const projects: ProjectParts = {
  fetchFilter: () => import('./project-filter.tsx'),
  showDelete: showDeleteProject
}

interface ProjectsAndDevicesProps {
  customerId: string
  list: Projects | undefined
}

export function ProjectsAndDevices({ customerId, list }: ProjectsAndDevicesProps) {
  const phone = useLayout() === 'mobile'
  const tablet = useTablet()
  const control = useDeviceView(customerId)
  const selection = useSelection<Device>(({ deviceUuid }) => deviceUuid)
  const [collapsed, setCollapsed] = useState(isCollapsed)
  const { view } = control
  const project = list?.projects.find(({ id }) => id === view.project)
  const gone = list !== undefined && view.project !== null && !project

  // A remembered or linked project may be gone by now.
  const showAll = useEffectEvent(() => control.correct({ project: null }))
  useEffect(() => {
    if (gone) showAll()
  }, [gone])

  function collapse(value: boolean) {
    setCollapsed(value)
    rememberCollapsed(value)
  }

  const shared = { customerId, list, control, project, projects, selection }
  if (tablet || phone) {
    const Devices = tablet ? DeviceTable : DeviceCards
    return (
      <Suspense fallback={<DevicesSkeleton />}>
        <Devices {...shared} showProject />
      </Suspense>
    )
  }
  return (
    <div className="projects-and-devices" data-collapsed={collapsed || undefined}>
      <ProjectList list={list} control={control} collapsed={collapsed} onCollapse={collapse} />
      <Suspense fallback={<DevicesSkeleton />}>
        <DeviceTable {...shared} showProject={collapsed} />
      </Suspense>
    </div>
  )
}

interface ProjectListProps {
  list: Projects | undefined
  control: ViewControl
  collapsed: boolean
  onCollapse: (collapsed: boolean) => void
}

/** The project list beside the table, which it can make room for. */
export function ProjectList({ list, control, collapsed, onCollapse }: ProjectListProps) {
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  const name = list ? `Projects (${list.projects.length})` : 'Projects'
  return (
    <section className="card project-list" aria-label="Projects">
      <div className="card-head">
        {!collapsed && <h2>{name}</h2>}
        <button
          type="button"
          className="button quiet icon"
          aria-label={collapsed ? 'Show project list' : 'Hide project list'}
          title={collapsed ? 'Show project list' : 'Hide project list'}
          aria-expanded={!collapsed}
          onClick={() => onCollapse(!collapsed)}
        >
          <Icon />
        </button>
      </div>
      {!collapsed && <ProjectEntries list={list} control={control} />}
    </section>
  )
}
