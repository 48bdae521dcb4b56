// The list's state in the address, the searches that it stands for, and the fields that set it.
import { useCallback, useState } from 'react'
import { type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import { RemoteChoice } from '../../../ui/input/remote-choice.tsx'
import { type Filter, oneOf, severalOf } from '../../../ui/list/filters/filters.tsx'
import { ProjectChoice } from '../../customers/project-choice.tsx'
import { useDeviceSearch } from '../../devices/api.ts'
import { type Alarm, BANDS, PRESETS, type Preset, SOURCE_STATES, searchesOf } from '../alarm.ts'
import type { AlarmFilter } from '../api.ts'

export const FIRST_VIEW = {
  show: 'action',
  q: '',
  range: 'all',
  project: '',
  device: '',
  states: '',
  classes: '',
  band: '',
  sort: 'timestamp',
  order: 'desc',
  page: '1',
  alarm: ''
}

type AlarmView = typeof FIRST_VIEW
type AlarmQuery = ListQuery<AlarmView>

const DAY_MS = 86_400_000
const RANGES: Readonly<Record<string, { label: string; ms: number | null }>> = {
  '24h': { label: 'Last 24 hours', ms: DAY_MS },
  '7d': { label: 'Last 7 days', ms: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', ms: 30 * DAY_MS },
  all: { label: 'Any time', ms: null }
}

/** How the time that the address asks for is called; null for any time. */
export function rangeLabel({ range }: AlarmView): string | null {
  return RANGES[range]?.ms == null ? null : (RANGES[range]?.label ?? null)
}

export function presetOf({ show }: AlarmView): Preset {
  return show in PRESETS ? (show as Preset) : 'action'
}

/** Whole minutes, so that a refresh asks the same question. */
const MINUTE_MS = 60_000

/** Whose alarms: of some devices, or of all without any. */
export interface AlarmSystems {
  systemGuids: readonly string[]
  projectId?: string
}

/** @param systems null where there can be none, as of a project without devices */
export function filterOf(
  view: AlarmView,
  preset: Preset,
  systems: AlarmSystems | null,
  nowMs: number
): AlarmFilter {
  const band = BANDS.find(({ id }) => id === view.band)
  const { ms } = RANGES[view.range] ?? { ms: null }
  return {
    searches: systems ? searchesOf(preset, listOf(view.states)) : [],
    systemGuids: [],
    ...systems,
    alarmClasses: listOf(view.classes),
    keyword: view.q.trim(),
    ...(band ? { priorityFrom: band.from, priorityTo: band.to } : {}),
    ...(ms === null
      ? {}
      : { startTime: new Date(Math.floor((nowMs - ms) / MINUTE_MS) * MINUTE_MS).toISOString() })
  }
}

/** Those without chips: the time, and whose alarms. */
export function alarmFilters(
  customerId: string,
  withDevice: boolean,
  classes: readonly string[]
): Filter<AlarmView>[] {
  const { chips: _none, ...range } = oneOf<AlarmView>(
    'range',
    'Time',
    Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))
  )
  return [
    range,
    {
      names: ['project'],
      field: ({ values, change }) =>
        withDevice && (
          <ProjectChoice
            customerId={customerId}
            chosen={values.project}
            onChoose={(project) => change({ project, device: '' })}
          />
        )
    },
    {
      names: ['device'],
      field: ({ values, change }) =>
        withDevice && (
          <DeviceChoice
            customerId={customerId}
            chosen={values.device}
            onChoose={(device) => change({ device, project: '' })}
          />
        )
    },
    ...chipFilters(classes)
  ]
}

/** Those that chips tell of. */
export function chipFilters(classes: readonly string[]): Filter<AlarmView>[] {
  const band = oneOf<AlarmView>('band', 'Priority', [
    { value: '', label: 'Any priority' },
    ...BANDS.map(({ id, label, from, to }) => ({ value: id, label: `${label} (${from} to ${to})` }))
  ])
  return [
    {
      ...band,
      chips: ({ values, clear }) =>
        values.band
          ? [
              {
                label: `Priority: ${BANDS.find(({ id }) => id === values.band)?.label ?? values.band}`,
                onRemove: () => clear('band')
              }
            ]
          : []
    },
    severalOf(
      'states',
      'State',
      Object.entries(SOURCE_STATES).map(([value, { label }]) => ({ value, label }))
    ),
    severalOf(
      'classes',
      'Class',
      classes.map((value) => ({ value, label: value }))
    )
  ]
}

/** Classes are the devices' own words: those that have been seen are offered. */
export function useClasses(query: AlarmQuery, rows: readonly Alarm[]): string[] {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const fresh = rows.filter(({ alarmClass }) => !seen.has(alarmClass))
  if (fresh.length > 0) setSeen(new Set([...seen, ...fresh.map(({ alarmClass }) => alarmClass)]))
  return [...new Set([...seen, ...listOf(query.values.classes)])].sort()
}

interface DeviceChoiceProps {
  customerId: string
  /** The device's systemGuid; empty for all. */
  chosen: string
  onChoose: (systemGuid: string) => void
}

function DeviceChoice({ customerId, chosen, onChoose }: DeviceChoiceProps) {
  const [keyword, setKeyword] = useState('')
  const [name, setName] = useState('')
  const search = useCallback((text: string) => setKeyword(text), [])
  const found = useDeviceSearch(customerId, keyword)
  const device = found.data?.find(({ systemGuid }) => systemGuid === chosen)
  return (
    <RemoteChoice
      label="Device"
      placeholder="All devices"
      options={(found.data ?? []).map(({ systemGuid, deviceName }) => ({ id: systemGuid, name: deviceName }))}
      busy={found.busy}
      chosen={chosen ? { id: chosen, name: device?.deviceName ?? (name || 'Chosen device') } : null}
      onSearch={search}
      onChoose={(option) => {
        setName(option?.name ?? '')
        onChoose(option?.id ?? '')
      }}
    />
  )
}
