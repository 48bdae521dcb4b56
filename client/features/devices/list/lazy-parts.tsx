// Parts that most first screens do without; their code comes when they are needed.
import { lazy, Suspense } from 'react'
import type { DeviceNoticesProps } from './device-notices.tsx'
import type { NoDevicesProps } from './no-devices.tsx'
import type { SelectionBarProps } from './selection-bar.tsx'

const LazyBar = lazy(() => import('./selection-bar.tsx'))
const LazyNotices = lazy(() => import('./device-notices.tsx'))
const LazyNone = lazy(() => import('./no-devices.tsx'))

export function SelectionBar(props: SelectionBarProps) {
  if (props.selection.rows.length === 0) return null
  return (
    <Suspense>
      <LazyBar {...props} />
    </Suspense>
  )
}

export function NoDevices(props: NoDevicesProps) {
  return (
    <Suspense>
      <LazyNone {...props} />
    </Suspense>
  )
}

export function DeviceNotices(props: DeviceNoticesProps) {
  if (props.load.error === undefined && props.partial.length === 0) return null
  return (
    <Suspense>
      <LazyNotices {...props} />
    </Suspense>
  )
}
