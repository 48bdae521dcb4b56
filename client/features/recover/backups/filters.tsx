import { formatDay } from '../../../lib/time/time.ts'
import type { ListQuery } from '../../../lib/use-list-query.ts'
import { DateField } from '../../../ui/input/date-field.tsx'
import { Checkbox } from '../../../ui/input/field.tsx'
import { choicesOf, type Filter, oneOf, ownLabel } from '../../../ui/list/filters/filters.tsx'
import { ProjectChoice } from '../../sites/customers/project-choice.tsx'
import { useDevice } from '../../sites/devices/api.ts'
import { DeviceChoice } from '../../sites/devices/device-choice.tsx'

/** With `missing`, the page shows devices without a recent backup instead of backups. */
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

export function deviceFilters(customerId: string): Filter<View>[] {
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
      // The filter has no names, so that clearing the filters keeps the device.
      names: [],
      field: ({ values, change }) => (
        <DeviceField
          customerId={customerId}
          deviceUuid={values.deviceUuid}
          onChoose={(deviceUuid) => change({ deviceUuid, project: '' })}
        />
      )
    }
  ]
}

interface DeviceFieldProps {
  customerId: string
  /** Empty for all devices. */
  deviceUuid: string
  onChoose: (deviceUuid: string) => void
}

function DeviceField({ customerId, deviceUuid, onChoose }: DeviceFieldProps) {
  const { data: device } = useDevice(customerId, deviceUuid)
  return (
    <DeviceChoice
      customerId={customerId}
      chosen={deviceUuid ? { id: deviceUuid, name: device?.deviceName ?? 'Chosen device' } : null}
      onChoose={(chosenDevice) => onChoose(chosenDevice?.deviceUuid ?? '')}
    />
  )
}

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

const KINDS = choicesOf({ MANUAL: { label: 'Manual' }, SCHEDULED: { label: 'Scheduled' } })
const LOCKS = choicesOf({ true: { label: 'Locked' }, false: { label: 'Not locked' } })

export const BACKUP_FILTERS: readonly Filter<View>[] = [
  oneOf('kind', 'Kind', 'All kinds', KINDS, ownLabel),
  oneOf('locked', 'Locked', 'Locked or not', LOCKS, ownLabel),
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
