import { useCallback, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { formatDay } from '../../lib/time/time.ts'
import type { ListQuery } from '../../lib/use-list-query.ts'
import { DateField } from '../../ui/input/date-field.tsx'
import { Checkbox } from '../../ui/input/field.tsx'
import { RemoteChoice } from '../../ui/input/remote-choice.tsx'
import { type Filter, oneOf } from '../../ui/list/filters/filters.tsx'
import { ProjectChoice } from '../customers/project-choice.tsx'
import { useDeviceSearch } from '../devices/api.ts'

/** The list's state in the address; `missing` shows the devices without a recent backup instead. */
export const FIRST_VIEW = {
  deviceUuid: '',
  project: '',
  kind: '',
  locked: '',
  from: '',
  to: '',
  missing: '',
  sort: 'backupDate',
  order: 'desc',
  page: '1'
}

type View = typeof FIRST_VIEW
export type BackupQuery = ListQuery<View>

/**
 * Whose backups: of a project's devices, or of one.
 * @param device the one that is chosen, for its name
 */
export function deviceFilters(customerId: string, device: Device | null): Filter<View>[] {
  return [
    {
      names: ['project'],
      field: ({ values, change }) => (
        <ProjectChoice
          customerId={customerId}
          chosen={values.project}
          onChoose={(project) => change({ project, deviceUuid: '' })}
        />
      )
    },
    {
      names: ['deviceUuid'],
      field: ({ change }) => (
        <DeviceChoice
          customerId={customerId}
          device={device}
          onChoose={(deviceUuid) => change({ deviceUuid, project: '' })}
        />
      )
    }
  ]
}

/** Shows another list: that of what has no backup. */
export const MISSING: Filter<View> = {
  names: ['missing'],
  field: ({ values, change }) => (
    <Checkbox
      kind="switch"
      label="Devices without a backup in 30 days"
      checked={values.missing !== ''}
      onChange={(on) => change({ missing: on ? 'yes' : '' })}
    />
  )
}

export const BACKUP_FILTERS: readonly Filter<View>[] = [
  oneOf(
    'kind',
    'Kind',
    [
      { value: '', label: 'All kinds' },
      { value: 'MANUAL', label: 'Manual' },
      { value: 'SCHEDULED', label: 'Scheduled' }
    ],
    (chosen) => chosen
  ),
  oneOf(
    'locked',
    'Locked',
    [
      { value: '', label: 'Locked or not' },
      { value: 'true', label: 'Locked' },
      { value: 'false', label: 'Not locked' }
    ],
    (chosen) => chosen
  ),
  dayFilter('from', 'From', ({ to }) => (to ? { max: to } : {})),
  dayFilter('to', 'To', ({ from }) => (from ? { min: from } : {}))
]

function dayFilter(
  name: 'from' | 'to',
  label: string,
  limits: (view: View) => { min?: string; max?: string }
): Filter<View> {
  return {
    names: [name],
    field: ({ values, change }) => (
      <DateField
        label={label}
        value={values[name]}
        {...limits(values)}
        onChange={(day) => change({ [name]: day })}
      />
    ),
    chips: ({ values, clear }) =>
      values[name] === ''
        ? []
        : [{ label: `${label} ${formatDay(values[name], 'UTC')}`, onRemove: () => clear(name) }]
  }
}

interface DeviceChoiceProps {
  customerId: string
  device: Device | null
  onChoose: (deviceUuid: string) => void
}

function DeviceChoice({ customerId, device, onChoose }: DeviceChoiceProps) {
  const [keyword, setKeyword] = useState('')
  const found = useDeviceSearch(customerId, keyword)
  const search = useCallback((text: string) => setKeyword(text), [])
  return (
    <RemoteChoice
      label="Device"
      placeholder="All devices"
      options={(found.data ?? []).map(({ deviceUuid, deviceName }) => ({ id: deviceUuid, name: deviceName }))}
      busy={found.busy}
      chosen={device && { id: device.deviceUuid, name: device.deviceName }}
      onSearch={search}
      onChoose={(option) => onChoose(option?.id ?? '')}
    />
  )
}
