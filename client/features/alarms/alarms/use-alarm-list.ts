import { useMemo, useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { ALARM_LIST_SIZE } from '#shared/limits.ts'
import { useLiveCount } from '../../../lib/live/live.ts'
import { pageNumber, useListQuery } from '../../../lib/use-list-query.ts'
import { useSession } from '../../people/session/session.ts'
import { useProjectDevices } from '../../sites/devices/api.ts'
import { useProgress } from './acknowledge-progress.tsx'
import { PRESETS, type Preset } from './alarm.ts'
import { useAcknowledgements } from './alarm-commands.ts'
import { type AlarmFilter, useAlarmCounts, useAlarms } from './api.ts'
import { type AlarmSystems, FIRST_VIEW, filterOf, isAnyTime, presetOf } from './filters.tsx'
import { usePausedUpdates } from './use-paused-updates.ts'

const AT_ANY_TIME = 'at any time'

/**
 * The alarms that match the filters in the address, refreshed regularly, with unconfirmed acknowledgements.
 * @param customerId null without permission
 * @param device null for all devices
 */
export function useAlarmList(customerId: string | null, device: Device | null) {
  const { nowMs } = useSession()
  const query = useListQuery(FIRST_VIEW)
  const [openedMs, setOpenedMs] = useState(nowMs)
  const [refreshing, setRefreshing] = useState(true)
  const view = query.values
  const preset = presetOf(view)
  const systems = useSystems(customerId, device?.systemGuid ?? view.device, device ? '' : view.project)
  const filterBy = (values: typeof FIRST_VIEW, forPreset: Preset) =>
    filterOf(values, forPreset, systems ?? null, openedMs)
  const filter = filterBy(view, preset)
  const order = { sort: view.sort, order: view.order === 'asc' ? ('asc' as const) : ('desc' as const) }
  // Load nothing until the systems of the project are known.
  const searchedCustomerId = systems === undefined ? null : customerId
  const list = useAlarms({
    customerId: searchedCustomerId,
    filter,
    order,
    page: pageNumber(view.page),
    size: ALARM_LIST_SIZE,
    atMs: openedMs,
    follows: refreshing
  })
  const { alarm: _opened, ...rest } = view
  const viewName = JSON.stringify([rest, systems, openedMs])
  const shown = usePausedUpdates(viewName, list.data?.items, list.current, nowMs)

  const presets: Preset[] = device ? ['action', 'all'] : (Object.keys(PRESETS) as Preset[])
  const narrowed = !isAnyTime(view)
  const liveCount = useLiveCount(device ? null : customerId)
  const countFilters: Record<string, AlarmFilter> = {}
  for (const counted of presets) {
    if (counted === 'action' && liveCount !== null) continue
    const range = counted === 'action' ? FIRST_VIEW.range : view.range
    countFilters[counted] = filterBy({ ...FIRST_VIEW, range }, counted)
  }
  if (narrowed) countFilters[AT_ANY_TIME] = filterBy({ ...view, range: FIRST_VIEW.range }, preset)
  const counts = useAlarmCounts(searchedCustomerId, countFilters)
  const presetCounts: Record<string, number> = { ...counts.data }
  if (liveCount !== null) presetCounts.action = liveCount
  const progress = useProgress(`${customerId} ${view.range}`, presetCounts.unacked, !counts.busy)
  // Alarms leave these lists only when they are acknowledged.
  const endsWithAck = ['action', 'unacked'].includes(preset) && view.states === ''
  const total = list.data?.page.totalElements
  const totalAtAnyTime = counts.data?.[AT_ANY_TIME]
  const reload = () => {
    list.reload()
    counts.reload()
  }
  return {
    query,
    list,
    shown,
    preset,
    presets,
    counts: presetCounts,
    /** Whether a time range is set. `older` is the number of alarms before it. */
    narrowed,
    older: total === undefined || totalAtAnyTime === undefined ? 0 : Math.max(0, totalAtAnyTime - total),
    filter,
    order,
    reload,
    progress,
    acks: useAcknowledgements(() => customerId ?? '', reload, endsWithAck ? shown.gone : undefined),
    refreshing,
    setRefreshing,
    refresh: () => {
      setOpenedMs(nowMs())
      counts.reload()
    }
  }
}

/** The systems of a device or of a project's devices; undefined until loaded, null if there are none. */
function useSystems(
  customerId: string | null,
  systemGuid: string,
  projectId: string
): AlarmSystems | null | undefined {
  const { data, error } = useProjectDevices(customerId ?? '', (customerId && projectId) || null)
  return useMemo(() => {
    if (systemGuid) return { systemGuids: [systemGuid] }
    if (!projectId) return { systemGuids: [] }
    if (!data) return error === undefined ? undefined : null
    const systemGuids = data.items.map((device) => device.systemGuid)
    return systemGuids.length > 0 ? { systemGuids, projectId } : null
  }, [systemGuid, projectId, data, error])
}

export type AlarmListState = ReturnType<typeof useAlarmList>
