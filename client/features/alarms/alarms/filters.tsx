// The filters of a board of alarms: their state in the page's address, the resulting query, and their fields.
import { useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { Query } from '#shared/calls.ts'
import { ALL_ALARMS_QUERY } from '#shared/screens.ts'
import { RECENT_RANGES } from '../../../lib/time/ago.ts'
import { type ListQuery, listOf, pageNumber } from '../../../lib/use-list-query.ts'
import { SelectField } from '../../../ui/input/field.tsx'
import { choicesOf, type Filter, namedOne, oneOf, severalOf } from '../../../ui/list/filters/filters.tsx'
import { decodedText } from '../../data/points/history-address.ts'
import { CustomerChoice } from '../../sites/customers/customer-choice.tsx'
import { ProjectChoice } from '../../sites/customers/project-choice.tsx'
import { DeviceChoice } from '../../sites/devices/device-choice.tsx'
import { BANDS } from '../priorities/bands.ts'
import { type Preset, SOURCE_STATES } from './alarm.ts'
import type { AlarmFilter } from './api.ts'
import type { AlarmScope } from './scope.ts'

export const FIRST_VIEW = {
  show: 'action',
  q: '',
  range: 'all',
  customer: '',
  customerName: '',
  project: '',
  device: '',
  deviceName: '',
  states: '',
  classes: '',
  band: '',
  sort: 'timestamp',
  order: 'desc',
  page: '1',
  /** The open alarm, with its time and in a list of all customers its customer, by which a search finds it. */
  alarm: '',
  at: '',
  of: ''
}

export type AlarmView = typeof FIRST_VIEW
export type AlarmQuery = ListQuery<AlarmView>

const ANY_TIME = { label: 'Any time', ms: null }
const RANGES: Readonly<Record<string, { label: string; ms: number | null }>> = {
  ...RECENT_RANGES,
  all: ANY_TIME
}
const rangeOf = ({ range }: AlarmView) => RANGES[range] ?? ANY_TIME

export const rangeLabel = (view: AlarmView): string => rangeOf(view).label
export const isAnyTime = (view: AlarmView): boolean => rangeOf(view).ms === null

export function presetOf({ show }: AlarmView, { presets }: Pick<AlarmScope, 'presets'>): Preset {
  return presets.find((preset) => preset === show) ?? 'action'
}

export const orderOf = ({ order }: AlarmView): 'asc' | 'desc' => (order === 'asc' ? 'asc' : 'desc')

const classesOf = ({ classes }: AlarmView) => listOf(classes).map(decodedText)

const bandOfView = ({ band }: AlarmView) => BANDS.find(({ id }) => id === band)

/** The query of a page of all customers' alarms; the same as the first call of the screen if no filter is set. */
export function organizationQuery(view: AlarmView, preset: Preset): Query {
  const band = bandOfView(view)
  return {
    ...ALL_ALARMS_QUERY,
    show: preset === 'action' ? undefined : preset,
    sort: view.sort,
    order: orderOf(view),
    page: pageNumber(view.page),
    keyword: view.q.trim(),
    customerId: view.customer,
    sourceStates: listOf(view.states),
    priorityFrom: band?.from,
    priorityTo: band?.to
  }
}

/** Start times are rounded down to minutes, so that a refresh repeats the same search. */
const MINUTE_MS = 60_000

/** @param systemGuid limits the alarms to a device */
export function filterOf(view: AlarmView, show: Preset, systemGuid: string, nowMs: number): AlarmFilter {
  const band = bandOfView(view)
  const { ms } = rangeOf(view)
  const startMs = ms === null ? null : Math.floor((nowMs - ms) / MINUTE_MS) * MINUTE_MS
  return {
    show,
    sourceStates: listOf(view.states),
    ...(systemGuid === '' ? {} : { systemGuid }),
    ...(systemGuid === '' && view.project !== '' ? { projectId: view.project } : {}),
    alarmClasses: classesOf(view),
    keyword: view.q.trim(),
    ...(band ? { priorityFrom: band.from, priorityTo: band.to } : {}),
    ...(startMs === null ? {} : { startTime: new Date(startMs).toISOString() })
  }
}

/** The filters that a scope allows, the most used first. */
export function alarmFilters(
  { organizationId, customer, device }: AlarmScope,
  classes: readonly string[]
): Filter<AlarmView>[] {
  const filters: Filter<AlarmView>[] = []
  if (organizationId !== null) filters.push(ofCustomer(organizationId))
  if (customer !== null && device === null) filters.push(ofProject(customer.id), ofDevice(customer.id))
  if (customer !== null) filters.push(RANGE)
  filters.push(BAND, STATES)
  if (customer !== null)
    filters.push(
      severalOf(
        'classes',
        'Class',
        // A comma separates classes in the address.
        classes.map((name) => ({ value: name.replace(/[%,]/g, encodeURIComponent), label: name }))
      )
    )
  return filters
}

const RANGE: Filter<AlarmView> = {
  names: ['range'],
  field: ({ values, change }) => (
    <SelectField
      label="Time"
      value={values.range}
      onChange={(range) => change({ range })}
      options={choicesOf(RANGES)}
    />
  )
}

const BAND = oneOf<AlarmView>(
  'band',
  'Priority',
  'Any priority',
  BANDS.map(({ id, label, from, to }) => ({ value: id, label: `${label} (${from} to ${to})` }))
)

const STATES = severalOf<AlarmView>('states', 'State', choicesOf(SOURCE_STATES))

const ofCustomer = (organizationId: string): Filter<AlarmView> =>
  namedOne('customer', 'customerName', 'Customer', (chosen, onChoose) => (
    <CustomerChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
  ))

const ofProject = (customerId: string): Filter<AlarmView> => ({
  names: ['project'],
  field: ({ values, change }) => (
    <ProjectChoice
      customerId={customerId}
      chosen={values.project}
      onChoose={(project) => change({ project, device: '', deviceName: '' })}
    />
  )
})

const ofDevice = (customerId: string): Filter<AlarmView> => ({
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
})

/** The classes of all alarms loaded so far, because each device defines its own classes. */
export function useClasses(query: AlarmQuery, rows: readonly Alarm[]): string[] {
  const [loadedClasses, setLoadedClasses] = useState<ReadonlySet<string>>(new Set())
  const newRows = rows.filter(({ alarmClass }) => !loadedClasses.has(alarmClass))
  if (newRows.length > 0)
    setLoadedClasses(new Set([...loadedClasses, ...newRows.map(({ alarmClass }) => alarmClass)]))
  return [...new Set([...loadedClasses, ...classesOf(query.values)])].sort()
}
