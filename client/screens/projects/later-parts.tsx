// Parts that most first screens do without; their code comes when they are needed.
import { lazy, Suspense } from 'react'
import type { NoDevicesProps } from './no-devices.tsx'
import type { SelectionBarProps } from './selection-bar.tsx'

const LaterBar = lazy(() => import('./selection-bar.tsx'))
const LaterNone = lazy(() => import('./no-devices.tsx'))
const LaterNoProjects = lazy(() => import('./no-projects.tsx'))

export function SelectionBar(props: SelectionBarProps) {
  if (props.selection.devices.length === 0) return null
  return (
    <Suspense>
      <LaterBar {...props} />
    </Suspense>
  )
}

export function NoDevices(props: NoDevicesProps) {
  return (
    <Suspense>
      <LaterNone {...props} />
    </Suspense>
  )
}

export function NoProjects() {
  return (
    <Suspense>
      <LaterNoProjects />
    </Suspense>
  )
}
