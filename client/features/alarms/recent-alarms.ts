// The newest alarms of one point. The search knows no sources but by words: what else it finds is left out here.
import { type Load, useQuery } from '../../lib/http/query.ts'
import type { Alarm } from './alarm.ts'
import { search } from './api.ts'

const RECENT_ALARMS = 5
const PAGE_SIZE = 25
const PAGES_MAX = 4
/** As the list of alarms is; a hidden page asks nothing. */
const REFRESH_MS = 20_000

export interface AlarmSource {
  systemGuid: string
  cloudId: string
  displayName: string
}

/** Null asks nothing. */
export function useRecentAlarms(customerId: string, source: AlarmSource | null): Load<Alarm[]> {
  return useQuery(
    source && `recent alarms ${customerId} ${source.systemGuid} ${source.cloudId}`,
    (_name, signal) => fetchRecent(customerId, source as AlarmSource, signal),
    { refreshInterval: REFRESH_MS }
  )
}

async function fetchRecent(customerId: string, source: AlarmSource, signal: AbortSignal): Promise<Alarm[]> {
  const any = { sourceStates: [], ackStates: [] }
  const filter = {
    searches: [any],
    systemGuids: [source.systemGuid],
    alarmClasses: [],
    keyword: source.displayName
  }
  const newest = { sort: 'timestamp', order: 'desc' } as const
  const found: Alarm[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, page: read } = await search(customerId, filter, any, newest, page, PAGE_SIZE, signal)
    found.push(...items.filter((alarm) => isOf(alarm, source)))
    if (found.length >= RECENT_ALARMS || page + 1 >= read.totalPages) break
  }
  return found.slice(0, RECENT_ALARMS)
}

/** By the point's identifier where the alarm has it: names of points need not be unique. */
function isOf({ alarmData, sourceName }: Alarm, { cloudId, displayName }: AlarmSource): boolean {
  const named = alarmData?.cloudId
  return named ? named === cloudId : sourceName === displayName
}
