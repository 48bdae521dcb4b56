// The filters of the alarm list: their state in the page's address, the resulting search, and their fields.
import { useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { RECENT_RANGES } from '../../../lib/time/ago.ts'
import { type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import { SelectField } from '../../../ui/input/field.tsx'
import { choicesOf, type Filter, namedOne, oneOf, severalOf } from '../../../ui/list/filters/filters.tsx'
import { ProjectChoice } from '../../sites/customers/project-choice.tsx'
import { DeviceChoice } from '../../sites/devices/device-choice.tsx'
import { BANDS } from '../priorities/bands.ts'
import { PRESETS, type Preset, SOURCE_STATES, searchesOf } from './alarm.ts'
import type { AlarmFilter } from './api.ts'

export const FIRST_VIEW = {
  show: 'action',
  q: '',
  range: 'all',
  project: '',
  device: '',
  deviceName: '',
  states: '',
  classes: '',
  band: '',
  sort: 'timestamp',
  order: 'desc',
  page: '1',
  alarm: ''
}

type AlarmView = typeof FIRST_VIEW
export type AlarmQuery = ListQuery<AlarmView>

const ANY_TIME = { label: 'Any time', ms: null }
const RANGES: Readonly<Record<string, { label: string; ms: number | null }>> = {
  ...RECENT_RANGES,
  all: ANY_TIME
}
const rangeOf = ({ range }: AlarmView) => RANGES[range] ?? ANY_TIME

export const rangeLabel = (view: AlarmView): string => rangeOf(view).label
export const isAnyTime = (view: AlarmView): boolean => rangeOf(view).ms === null

export function presetOf({ show }: AlarmView): Preset {
  return show in PRESETS ? (show as Preset) : 'action'
}

/** Start times are rounded down to minutes, so that a refresh repeats the same search. */
const MINUTE_MS = 60_000

/** Restricts alarms to these systems; an empty list allows all. */
export interface AlarmSystems {
  systemGuids: readonly string[]
  projectId?: string
}

/** @param systems null for a project without devices: the filter then matches nothing */
export function filterOf(
  view: AlarmView,
  preset: Preset,
  systems: AlarmSystems | null,
  nowMs: number
): AlarmFilter {
  const band = BANDS.find(({ id }) => id === view.band)
  const { ms } = rangeOf(view)
  const startMs = ms === null ? null : Math.floor((nowMs - ms) / MINUTE_MS) * MINUTE_MS
  return {
    searches: systems ? searchesOf(preset, listOf(view.states)) : [],
    systemGuids: [],
    ...systems,
    alarmClasses: listOf(view.classes),
    keyword: view.q.trim(),
    ...(band ? { priorityFrom: band.from, priorityTo: band.to } : {}),
    ...(startMs === null ? {} : { startTime: new Date(startMs).toISOString() })
  }
}

/** @param customerId null if all alarms belong to one device */
export function alarmFilters(customerId: string | null, classes: readonly string[]): Filter<AlarmView>[] {
  const classChoices = classes.map((value) => ({ value, label: value }))
  const ofOneDevice: Filter<AlarmView>[] = [
    {
      names: ['range'],
      field: ({ values, change }) => (
        <SelectField
          label="Time"
          value={values.range}
          onChange={(range) => change({ range })}
          options={choicesOf(RANGES)}
        />
      )
    },
    oneOf(
      'band',
      'Priority',
      'Any priority',
      BANDS.map(({ id, label, from, to }) => ({ value: id, label: `${label} (${from} to ${to})` }))
    ),
    severalOf('states', 'State', choicesOf(SOURCE_STATES)),
    severalOf('classes', 'Class', classChoices)
  ]
  if (customerId === null) return ofOneDevice
  return [
    {
      names: ['project'],
      field: ({ values, change }) => (
        <ProjectChoice
          customerId={customerId}
          chosen={values.project}
          onChoose={(project) => change({ project, device: '', deviceName: '' })}
        />
      )
    },
    {
      ...namedOne<AlarmView>('device', 'deviceName', 'Device'),
      field: ({ values, change }) => (
        <DeviceChoice
          customerId={customerId}
          chosen={values.device ? { id: values.device, name: values.deviceName || 'Chosen device' } : null}
          onChoose={(chosenDevice) =>
            change({
              device: chosenDevice?.systemGuid ?? '',
              deviceName: chosenDevice?.deviceName ?? '',
              project: ''
            })
          }
        />
      )
    },
    ...ofOneDevice
  ]
}

/** The classes of all alarms loaded so far, because each device defines its own classes. */
export function useClasses(query: AlarmQuery, rows: readonly Alarm[]): string[] {
  const [loadedClasses, setLoadedClasses] = useState<ReadonlySet<string>>(new Set())
  const newRows = rows.filter(({ alarmClass }) => !loadedClasses.has(alarmClass))
  if (newRows.length > 0)
    setLoadedClasses(new Set([...loadedClasses, ...newRows.map(({ alarmClass }) => alarmClass)]))
  return [...new Set([...loadedClasses, ...listOf(query.values.classes)])].sort()
}
