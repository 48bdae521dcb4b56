// The list's state in the address, and the searches that it stands for.
import type { AlarmFilter } from '../../api/alarms.ts'
import { BANDS, PRESETS, type Preset, searchesOf } from '../../lib/alarms.ts'
import { type ListQuery, listOf } from '../../session/use-list-query.ts'

export const FIRST_VIEW = {
  show: 'action',
  q: '',
  range: '7d',
  device: '',
  states: '',
  classes: '',
  band: '',
  sort: 'timestamp',
  order: 'desc',
  page: '1',
  alarm: ''
}

export type AlarmView = typeof FIRST_VIEW
export type AlarmQuery = ListQuery<AlarmView>

const DAY_MS = 86_400_000
export const RANGES: Record<string, { label: string; ms: number | null }> = {
  '24h': { label: 'Last 24 hours', ms: DAY_MS },
  '7d': { label: 'Last 7 days', ms: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', ms: 30 * DAY_MS },
  all: { label: 'Any time', ms: null }
}

export function presetOf({ show }: AlarmView): Preset {
  return show in PRESETS ? (show as Preset) : 'action'
}

/** Whole minutes, so that a refresh asks the same question. */
const MINUTE_MS = 60_000

export function filterOf(
  view: AlarmView,
  preset: Preset,
  systemGuid: string | null,
  nowMs: number
): AlarmFilter {
  const band = BANDS.find(({ id }) => id === view.band)
  const { ms } = RANGES[view.range] ?? { ms: null }
  return {
    searches: searchesOf(preset, listOf(view.states)),
    systemGuids: systemGuid ? [systemGuid] : [],
    alarmClasses: listOf(view.classes),
    keyword: view.q.trim(),
    ...(band ? { priorityFrom: band.from, priorityTo: band.to } : {}),
    ...(ms === null
      ? {}
      : { startTime: new Date(Math.floor((nowMs - ms) / MINUTE_MS) * MINUTE_MS).toISOString() })
  }
}
