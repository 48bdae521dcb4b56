import { useEffect, useEffectEvent, useState } from 'react'
import type { ProjectList as Projects } from '#shared/entities.ts'
import { useLayout } from '../../lib/layout.ts'
import { recall, remember } from '../../lib/store.ts'
import { DeviceCards } from './device-cards.tsx'
import { DeviceTable } from './device-table.tsx'
import { ProjectList } from './project-list.tsx'
import { useDeviceView } from './use-device-view.ts'

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

  const shared = { customerId, list, control, projectName: project?.projectName }
  if (layout === 'mobile') return <DeviceCards {...shared} showProject />
  return (
    <div className="projects-and-devices" data-collapsed={collapsed || undefined}>
      <ProjectList list={list} control={control} collapsed={collapsed} onCollapse={collapse} />
      <DeviceTable {...shared} showProject={collapsed} />
    </div>
  )
}
