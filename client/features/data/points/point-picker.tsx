import './style.css'
import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { Pager } from '../../../ui/list/pager.tsx'
import { LoadFailed } from '../../../ui/state/load-failed.tsx'
import { ProgressBar, Skeleton } from '../../../ui/state/loading.tsx'
import { DeviceChoice } from '../../sites/devices/device-choice.tsx'
import { usePointPage } from './api.ts'
import type { Point } from './point.ts'
import { type Comparison, PointSearchChoices, type SearchType } from './point-search.tsx'

interface PointPickerProps {
  customerId: string
  /** The device that is chosen at first. */
  first?: Device | undefined
  isChosen: (point: Point) => boolean
  /** Why a point cannot be chosen; null if it can. */
  refusalOf: (point: Point) => string | null
  onChange: (points: readonly Point[], on: boolean, device: Device) => void
  /** Shows a checkbox for all points of a page. */
  pageAtOnce?: boolean
}

/** Chooses points of a device. */
export function PointPicker({ first, ...props }: PointPickerProps) {
  const [pickedDevice, setPickedDevice] = useState<Device | null>(null)
  const [search, setSearch] = useState(FIRST_SEARCH)
  const changeSearch = (next: Partial<Search>) => setSearch({ ...search, page: 0, ...next })
  const device = pickedDevice ?? first ?? null
  return (
    <fieldset className="stack tight point-picker">
      <legend>Add points</legend>
      <DeviceChoice
        customerId={props.customerId}
        placeholder="Choose a device"
        chosen={device && { id: device.deviceUuid, name: device.deviceName }}
        onChoose={(chosenDevice) => {
          setPickedDevice(chosenDevice)
          changeSearch({})
        }}
      />
      {device && (
        <>
          <SearchField
            label="Search points"
            value={search.q}
            onSearch={(typed) => changeSearch({ q: typed })}
          />
          <div className="stack tight picker-choices">
            <PointSearchChoices type={search.type} comparison={search.comparison} onChange={changeSearch} />
          </div>
          <PointsOfDevice
            key={device.deviceUuid}
            {...props}
            device={device}
            search={search}
            onPage={(page) => changeSearch({ page })}
          />
        </>
      )}
    </fieldset>
  )
}

const FIRST_SEARCH = {
  q: '',
  type: 'pointNames' as SearchType,
  comparison: 'CONTAINS' as Comparison,
  page: 0
}
type Search = typeof FIRST_SEARCH

interface PointsOfDeviceProps extends Omit<PointPickerProps, 'first'> {
  device: Device
  search: Search
  onPage: (page: number) => void
}

function PointsOfDevice(props: PointsOfDeviceProps) {
  const { customerId, device, search, isChosen, refusalOf, onChange, pageAtOnce, onPage } = props
  const { type, comparison, page } = search
  const text = search.q.trim()
  const points = usePointPage(customerId, {
    systemGuid: device.systemGuid,
    items: text ? [text] : [],
    type,
    comparison,
    page
  })
  const { items = [], page: pageInfo } = points.data ?? {}
  const allowedPoints = items.filter((point) => refusalOf(point) === null)
  const chosenPoints = allowedPoints.filter(isChosen)
  return (
    <>
      <div className="lines plain-list">
        <ProgressBar busy={points.isFetching && pageInfo !== undefined} />
        {!pageInfo && points.error === undefined && <Skeleton width="70%" label="Loading points" />}
        {points.error !== undefined && (
          <LoadFailed onRetry={points.refetch}>{failureOf(points.error).title}.</LoadFailed>
        )}
        {pageInfo && items.length === 0 && (
          <p className="muted" role="status">
            {text ? `No points match “${text}”.` : 'This device publishes no points.'}
          </p>
        )}
        {pageAtOnce && allowedPoints.length > 1 && (
          <Checkbox
            label={`All ${allowedPoints.length} on this page`}
            checked={chosenPoints.length === allowedPoints.length}
            partly={chosenPoints.length > 0 && chosenPoints.length < allowedPoints.length}
            onChange={(on) => onChange(allowedPoints, on, device)}
          />
        )}
        {items.map((point) => (
          <Checkbox
            key={point.cloudId}
            label={
              <span title={point.slotPath}>
                {point.displayName} <small>{point.units}</small>
              </span>
            }
            checked={isChosen(point)}
            disabledReason={isChosen(point) ? null : refusalOf(point)}
            onChange={(on) => onChange([point], on, device)}
          />
        ))}
      </div>
      {pageInfo && pageInfo.totalElements > 0 && (
        <Pager label="Pages of points" page={pageInfo} onPage={onPage} />
      )}
    </>
  )
}
