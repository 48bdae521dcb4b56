import { type ReactNode, useCallback, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { useDeviceSearch } from '../../api/device-search.ts'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { FilterChips } from '../../components/filter-chips.tsx'
import { FilterSheet } from '../../components/filter-sheet.tsx'
import { RemoteChoice } from '../../components/remote-choice.tsx'
import { formatDay } from '../../lib/time.ts'
import type { ListQuery } from '../../session/use-list-query.ts'

/** The list's state in the address; `missing` shows the devices without a recent backup instead. */
export const FIRST_VIEW = {
  deviceUuid: '',
  kind: '',
  locked: '',
  from: '',
  to: '',
  missing: '',
  sort: 'backupDate',
  order: 'desc',
  page: '1'
}

export type BackupQuery = ListQuery<typeof FIRST_VIEW>

const KINDS = [
  { value: '', label: 'All kinds' },
  { value: 'MANUAL', label: 'Manual' },
  { value: 'SCHEDULED', label: 'Scheduled' }
]
const LOCKS = [
  { value: '', label: 'Locked or not' },
  { value: 'true', label: 'Locked' },
  { value: 'false', label: 'Not locked' }
]

const FILTERS = ['kind', 'locked', 'from', 'to'] as const

/** What the list is sorted by, in words. */
const SORTS = {
  backupDate: 'taken',
  trigger: 'kind',
  niagaraVersion: 'Niagara version',
  sizeBytes: 'size',
  status: 'status',
  retained: 'locked'
}

interface BackupToolbarProps {
  customerId: string
  query: BackupQuery
  device: Device | null
  /** What else can be done with the list. */
  children?: ReactNode
}

export function BackupToolbar({ customerId, query, device, children }: BackupToolbarProps) {
  const { values, change } = query
  return (
    <>
      <FilterSheet
        query={query}
        count={chipsOf(query).length + (values.deviceUuid ? 1 : 0)}
        defaults={FIRST_VIEW}
        names={['deviceUuid', ...FILTERS]}
        sorts={SORTS}
      >
        {(edited) => <BackupFields customerId={customerId} device={device} {...edited} />}
      </FilterSheet>
      <div className="toolbar-end">
        <Checkbox
          kind="switch"
          label="Devices without a backup in 30 days"
          checked={values.missing !== ''}
          onChange={(on) => change({ missing: on ? 'yes' : '' })}
        />
        {children}
      </div>
    </>
  )
}

type BackupFieldsProps = Pick<BackupQuery, 'values' | 'change'> &
  Omit<BackupToolbarProps, 'query' | 'children'>

function BackupFields({ customerId, device, values, change }: BackupFieldsProps) {
  const [keyword, setKeyword] = useState('')
  const found = useDeviceSearch(customerId, keyword)
  const search = useCallback((text: string) => setKeyword(text), [])
  return (
    <>
      <RemoteChoice
        label="Device"
        placeholder="All devices"
        options={(found.data ?? []).map(({ deviceUuid, deviceName }) => ({
          id: deviceUuid,
          name: deviceName
        }))}
        busy={found.busy}
        chosen={device && { id: device.deviceUuid, name: device.deviceName }}
        onSearch={search}
        onChoose={(option) => change({ deviceUuid: option?.id ?? '' })}
      />
      {values.missing === '' && (
        <>
          <SelectField
            label="Kind"
            value={values.kind}
            onChange={(kind) => change({ kind })}
            options={KINDS}
          />
          <SelectField
            label="Locked"
            value={values.locked}
            onChange={(locked) => change({ locked })}
            options={LOCKS}
          />
          <TextField
            label="From"
            type="date"
            value={values.from}
            {...(values.to ? { max: values.to } : {})}
            onChange={(from) => change({ from })}
          />
          <TextField
            label="To"
            type="date"
            value={values.to}
            {...(values.from ? { min: values.from } : {})}
            onChange={(to) => change({ to })}
          />
        </>
      )}
    </>
  )
}

export function BackupChips({ query }: { query: BackupQuery }) {
  return <FilterChips chips={chipsOf(query)} onClear={() => query.clear(...FILTERS)} />
}

function chipsOf({ values, clear }: BackupQuery) {
  const labelled = [
    { name: 'kind', label: KINDS.find(({ value }) => value === values.kind)?.label },
    { name: 'locked', label: LOCKS.find(({ value }) => value === values.locked)?.label },
    { name: 'from', label: `From ${formatDay(values.from, 'UTC')}` },
    { name: 'to', label: `To ${formatDay(values.to, 'UTC')}` }
  ] as const
  return labelled
    .filter(({ name }) => values[name] !== '')
    .map(({ name, label }) => ({ label: label ?? name, onRemove: () => clear(name) }))
}
