import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { ProjectList as Projects } from '#shared/entities.ts'
import { useLayout } from '../../lib/layout.ts'
import { recall, remember } from '../../lib/store.ts'
import { DevicesSkeleton } from './device-table-skeleton.tsx'
import { ProjectList } from './project-list.tsx'
import { useDeviceSelection } from './use-device-selection.ts'
import { useDeviceView } from './use-device-view.ts'

// A person sees one of the two.
const DeviceTable = lazy(() => import('./device-table.tsx'))
const DeviceCards = lazy(() => import('./device-cards.tsx'))

const COLLAPSED = 'portal.projects-collapsed'
// Below Desktop (screens.md 0.6) list and table are too much side by side.
const ROOMY = '(min-width: 1280px)'

interface ProjectsAndDevicesProps {
  customerId: string
  list: Projects | undefined
}

export function ProjectsAndDevices({ customerId, list }: ProjectsAndDevicesProps) {
  const layout = useLayout()
  const control = useDeviceView(customerId)
  const selection = useDeviceSelection()
  const [collapsed, setCollapsed] = useState(
    () => recall<boolean>(COLLAPSED) ?? !window.matchMedia(ROOMY).matches
  )
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
    remember(COLLAPSED, value)
  }

  const shared = { customerId, list, control, project, selection }
  if (layout === 'mobile') {
    return (
      <Suspense fallback={<DevicesSkeleton />}>
        <DeviceCards {...shared} showProject />
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
