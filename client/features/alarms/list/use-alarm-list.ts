import { useCallback, useMemo, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { useListQuery } from '../../../lib/use-list-query.ts'
import { pageNumber } from '../../../ui/list/pager.tsx'
import { type DeviceName, useDeviceNames, useProjectDevices } from '../../devices/api.ts'
import { useSession } from '../../session/session.ts'
import { type Alarm, PRESETS, type Preset } from '../alarm.ts'
import { type AlarmFilter, useAlarmCounts, useAlarms } from '../api.ts'
import { type AlarmSystems, FIRST_VIEW, filterOf, presetOf, rangeLabel } from './filters.tsx'
import { useAcknowledgements } from './use-acknowledgements.ts'
import { usePausedUpdates } from './use-paused-updates.ts'

export const PAGE_SIZE = 25
const REFRESH_MS = 20_000
const COUNT_MS = 60_000
const AT_ANY_TIME = 'at any time'

/**
 * What the address asks for, found and kept fresh, with the acknowledgements that are on their way.
 * @param customerId null while nothing may be read
 * @param device only this one's alarms; null for those of all
 */
export function useAlarmList(customerId: string | null, device: Device | null) {
  const { nowMs } = useSession()
  const query = useListQuery(FIRST_VIEW)
  const [openedMs, setOpenedMs] = useState(nowMs)
  const [refreshing, setRefreshing] = useState(true)
  const view = query.values
  const preset = presetOf(view)
  const systems = useSystems(customerId, device?.systemGuid ?? view.device, device ? '' : view.project)
  const filter = filterOf(view, preset, systems ?? null, openedMs)
  const order = { sort: view.sort, order: view.order === 'asc' ? ('asc' as const) : ('desc' as const) }
  // Until it is known which systems a project has, nothing is asked.
  const asked = systems === undefined ? null : customerId
  const list = useAlarms({
    customerId: asked,
    filter,
    order,
    page: pageNumber(view.page),
    size: PAGE_SIZE,
    atMs: openedMs,
    refreshMs: refreshing ? REFRESH_MS : 0
  })
  const { alarm: _opened, ...rest } = view
  const shown = usePausedUpdates(
    JSON.stringify([rest, systems, openedMs]),
    list.data?.items,
    list.current,
    nowMs
  )

  const presets = useMemo(
    (): Preset[] => (device ? ['action', 'all'] : (Object.keys(PRESETS) as Preset[])),
    [device]
  )
  const narrowed = rangeLabel(view)
  // What needs action does so whenever it was raised.
  const counted = presets.map((each): [string, AlarmFilter] => {
    const { range } = each === 'action' ? FIRST_VIEW : view
    return [each, filterOf({ ...FIRST_VIEW, range }, each, systems ?? null, openedMs)]
  })
  const atAnyTime = filterOf({ ...view, range: FIRST_VIEW.range }, preset, systems ?? null, openedMs)
  if (narrowed) counted.push([AT_ANY_TIME, atAnyTime])
  const counts = useAlarmCounts(asked, Object.fromEntries(counted), COUNT_MS)
  const total = list.data?.page.totalElements
  const ofAnyTime = counts.data?.[AT_ANY_TIME]
  const older = total === undefined || ofAnyTime === undefined ? 0 : Math.max(0, ofAnyTime - total)
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
    counts: counts.data ?? {},
    /** The time that the list is narrowed to, and how many are older. */
    narrowed,
    older,
    filter,
    order,
    openedMs,
    reload,
    acks: useAcknowledgements(customerId ?? '', shown.items, reload),
    refresh: {
      refreshing,
      onRefreshing: setRefreshing,
      onRefresh: () => {
        setOpenedMs(nowMs())
        counts.reload()
      }
    }
  }
}

/** Those of a device, or of a project's devices; undefined while they are not known, null where there are none. */
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
    const systemGuids = data.items.map((one) => one.systemGuid)
    return systemGuids.length > 0 ? { systemGuids, projectId } : null
  }, [systemGuid, projectId, data, error])
}

export type AlarmListState = ReturnType<typeof useAlarmList>

/** The device of an alarm, by name; null where it is not known. */
export function useDeviceOfAlarm(
  customerId: string,
  device: Device | null
): (alarm: Alarm) => DeviceName | null {
  const names = useDeviceNames(device ? null : customerId)
  return useCallback(
    (alarm) =>
      device
        ? { deviceUuid: device.deviceUuid, deviceName: device.deviceName, projectName: device.projectName }
        : (names.data?.get(alarm.deviceId) ?? null),
    [device, names.data]
  )
}
