import { useMemo, useState } from 'react'
import type { Page } from '#shared/answers/parts.ts'
import type { AlarmOfCustomer, OrganizationAlarms } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { ALARM_LIST_SIZE } from '#shared/limits.ts'
import type { QueryResult } from '../../../lib/http/query.ts'
import { useLiveCount } from '../../../lib/live/live.ts'
import { useSession } from '../../../lib/session/session.ts'
import { pageNumber } from '../../../lib/use-list-query.ts'
import { useDeviceNames } from '../../sites/devices/api.ts'
import type { Preset } from './alarm.ts'
import {
  type AlarmFilter,
  allAlarms,
  allOrganizationAlarms,
  useAlarmCounts,
  useAlarms,
  useOrganizationAlarms
} from './api.ts'
import {
  type AlarmView,
  FIRST_VIEW,
  filterOf,
  isAnyTime,
  orderOf,
  organizationQuery,
  presetOf
} from './filters.tsx'
import type { AlarmScope } from './scope.ts'

/** The list has the newest alarms of each customer only. */
export const PER_CUSTOMER_MAX = 100

/** What a board shows. */
export interface BoardPage extends Page<AlarmOfCustomer> {
  /** The customers of the list that have been read; empty for the list of one customer. */
  totals: OrganizationAlarms['totals']
  partial: OrganizationAlarms['partial']
  /** When the oldest of these alarms were read; null if that is not known. */
  readAt: string | null
}

export interface BoardAlarms extends QueryResult<BoardPage> {
  /** False while `data` belongs to the previous filter. */
  current: boolean
  /** The number of alarms of each preset. */
  counts: Readonly<Partial<Record<Preset, number>>>
  /** A preset with more alarms than its count. */
  atLeast: Preset | undefined
  /** The number of alarms before the chosen time range. */
  older: number
  /** Names the filters of the list. */
  listName: string
  readAll: (max: number, signal: AbortSignal) => Promise<AlarmOfCustomer[]>
  /** Reads the list again from now. */
  refresh: () => void
}

/**
 * The alarms of a board that match its filters, refreshed when they change.
 * @param isFollowing whether the list follows what changes
 */
export function useBoardAlarms(scope: AlarmScope, view: AlarmView, isFollowing: boolean): BoardAlarms {
  const ofOrganization = useAlarmsOfOrganization(scope, view)
  const ofCustomer = useAlarmsOfCustomer(scope, view, isFollowing)
  return scope.organizationId === null ? ofCustomer : ofOrganization
}

function useAlarmsOfOrganization(scope: AlarmScope, view: AlarmView): BoardAlarms {
  const { organizationId } = scope
  const id = organizationId ?? ''
  const query = organizationQuery(view, presetOf(view, scope))
  const list = useOrganizationAlarms(organizationId === null ? null : calls.organizationAlarms(id, query))
  return {
    ...list,
    counts: list.data?.totals.length ? list.data.counts : {},
    atLeast: list.data?.counts.unackedIsMinimum ? 'unacked' : undefined,
    older: 0,
    listName: calls.organizationAlarms(id, { ...query, page: null }),
    readAll: (max, signal) => allOrganizationAlarms(id, query, max, signal),
    refresh: list.refetch
  }
}

const AT_ANY_TIME = 'at any time'

function useAlarmsOfCustomer(scope: AlarmScope, view: AlarmView, isFollowing: boolean): BoardAlarms {
  const { customer, device, presets, mayQuery } = scope
  const { nowMs } = useSession()
  const [openedMs, setOpenedMs] = useState(nowMs)
  const preset = presetOf(view, scope)
  const customerId = mayQuery ? (customer?.id ?? null) : null
  const filterBy = (values: AlarmView, forPreset: Preset) =>
    filterOf(values, forPreset, device?.systemGuid ?? values.device, openedMs)
  const filter = filterBy(view, preset)
  const order = { sort: view.sort, order: orderOf(view) }
  const list = useAlarms({
    customerId,
    filter,
    order,
    page: pageNumber(view.page),
    size: ALARM_LIST_SIZE,
    atMs: openedMs,
    follows: isFollowing
  })
  const names = useDeviceNames(device ? null : customerId).data
  const data = useMemo((): BoardPage | undefined => {
    if (!list.data || !customer) return undefined
    const items = list.data.items.map((alarm) => ({
      ...alarm,
      customer,
      device: device ?? names?.get(alarm.deviceId) ?? null
    }))
    return { items, page: list.data.page, totals: [], partial: [], readAt: null }
  }, [list.data, customer, device, names])

  // The stream counts the alarms of the whole customer.
  const isPart = device !== null || view.project !== '' || view.device !== ''
  const liveCount = useLiveCount(isPart ? null : customerId)
  const countFilters: Record<string, AlarmFilter> = {}
  for (const counted of presets) {
    if (counted === 'action' && liveCount !== null) continue
    const range = counted === 'action' ? FIRST_VIEW.range : view.range
    countFilters[counted] = filterBy(
      { ...FIRST_VIEW, range, project: view.project, device: view.device },
      counted
    )
  }
  if (!isAnyTime(view)) countFilters[AT_ANY_TIME] = filterBy({ ...view, range: FIRST_VIEW.range }, preset)
  const counts = useAlarmCounts(customerId, countFilters)
  const total = data?.page.totalElements
  const totalAtAnyTime = counts.data?.[AT_ANY_TIME]
  return {
    ...list,
    data,
    counts: { ...counts.data, ...(liveCount === null ? {} : { action: liveCount }) },
    atLeast: undefined,
    older: total === undefined || totalAtAnyTime === undefined ? 0 : Math.max(0, totalAtAnyTime - total),
    listName: JSON.stringify([customerId, filter, openedMs]),
    async readAll(max, signal) {
      if (!customer) return []
      const alarms = await allAlarms(customer.id, filter, order, max, signal)
      return alarms.map((alarm) => ({
        ...alarm,
        customer,
        device: device ?? names?.get(alarm.deviceId) ?? null
      }))
    },
    refetch() {
      list.refetch()
      counts.refetch()
    },
    refresh() {
      setOpenedMs(nowMs())
      counts.refetch()
    }
  }
}
