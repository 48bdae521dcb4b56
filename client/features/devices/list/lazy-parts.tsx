// Parts that most first screens do without; their code comes when they are needed.
import { lazy, Suspense } from 'react'
import { SelectionBar } from '../../../ui/list/selection/selection-bar.tsx'
import type { DeviceNoticesProps } from './device-notices.tsx'
import type { NoDevicesProps } from './no-devices.tsx'
import type { SelectionActionsProps } from './selection-actions.tsx'

const LazyActions = lazy(() => import('./selection-actions.tsx'))
const LazyNotices = lazy(() => import('./device-notices.tsx'))
const LazyNone = lazy(() => import('./no-devices.tsx'))

export function DeviceSelection(props: SelectionActionsProps) {
  return (
    <SelectionBar noun="device" selection={props.selection}>
      <Suspense>
        <LazyActions {...props} />
      </Suspense>
    </SelectionBar>
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
