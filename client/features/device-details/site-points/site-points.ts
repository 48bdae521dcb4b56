// Reads the points of all devices of a customer, and the live values of those on the screen.
import type { Page } from '#shared/answers/parts.ts'
import type { SitePoint, SitePoints } from '#shared/answers/site-points.ts'
import { calls } from '#shared/calls.ts'
import { chartValue } from '#shared/history/point-type.ts'
import { overrideLevel } from '#shared/history/point-value.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { allPages } from '../../../lib/http/hal.ts'
import { get, useQuery } from '../../../lib/http/query.ts'
import { LIVE_READ_MS } from '../../../lib/limits.ts'
import { pageNumber } from '../../../lib/use-list-query.ts'
import { keyOfPoint } from '../../data/points/history-address.ts'
import { type Point, pointOf } from '../../data/points/point.ts'
import { type LiveValue, type LiveValues, readValues } from '../api.ts'

export const SITE_PAGE_SIZE = 15
/** How often progress is asked for while points are being read. */
const PROGRESS_MS = 1_000

/** The state of the page, which its address contains. */
export const FIRST_VIEW = {
  /** `one`: one point of all devices; `exceptions`: the points whose status is not ok. */
  tab: 'one',
  name: '',
  match: 'equals',
  status: '',
  project: '',
  sort: '',
  order: '',
  page: '1'
}
export type SiteView = typeof FIRST_VIEW

export interface SiteRow {
  key: string
  point: Point
  device: SitePoint['device']
  /** The value of the file: a number, or the text of a state. */
  value: number | string | null
  /** The number as last read; null without a valid one. */
  number: number | null
  fromMedian: number | null
  /** The priority at which the point is overridden, if it is known. */
  level: string | null
  readAt: string
  noticedAt: string
}

function rowOf({ point, device, number, text, isValid, fromMedian, readAt, noticedAt }: SitePoint): SiteRow {
  return {
    key: keyOfPoint({ deviceUuid: device.deviceUuid, cloudId: point.cloudId }),
    point: pointOf(point),
    device,
    value: number ?? text,
    number: isValid ? number : null,
    fromMedian,
    level: overrideLevel(point.outValue),
    readAt,
    noticedAt
  }
}

/** The sort order in effect. The order of exceptions has the most severe first, that of a point the farthest from the median. */
export function orderOf({ tab, sort, order, name }: SiteView): { sort: string; order: 'asc' | 'desc' } {
  if (sort !== '') return { sort, order: order === 'desc' ? 'desc' : 'asc' }
  if (tab === 'exceptions') return { sort: 'status', order: 'asc' }
  return name === '' ? { sort: 'device', order: 'asc' } : { sort: 'fromMedian', order: 'desc' }
}

const pathOf = (customerId: string, view: SiteView) => {
  const { tab, name, match, status, project: projectId } = view
  return calls.pointValues(customerId, {
    ...(tab === 'exceptions' ? {} : { name, match }),
    status: status || (tab === 'exceptions' ? 'exception' : ''),
    projectId,
    ...orderOf(view)
  })
}

export type SiteData = Omit<SitePoints, 'items'> & Page<SiteRow>

const withRows = ({ items, ...answer }: SitePoints): SiteData => ({ ...answer, items: items.map(rowOf) })
const readPage = async (path: string, signal?: AbortSignal) => withRows(await get<SitePoints>(path, signal))

/**
 * A page of the points. Asks again while they are being read, and so that the gateway goes on to read them. `latest` is the last
 * answer, perhaps to another view; `data` is of the tab that is shown, because rows of one tab are wrong under the other.
 */
export function useSitePoints(customerId: string | null, view: SiteView) {
  const path = customerId && pathOf(customerId, view)
  const { data: latest, ...result } = useQuery(
    path && `${path}&page=${pageNumber(view.page)}&size=${SITE_PAGE_SIZE}`,
    async (address, signal) => ({ view, page: await readPage(address, signal) }),
    {
      keepPreviousData: true,
      refreshInterval: (answer) => (answer?.page.isReading ? PROGRESS_MS : LIVE_READ_MS)
    }
  )
  return {
    ...result,
    latest,
    data: latest?.view.tab === view.tab ? latest.page : undefined,
    all: (max: number, signal: AbortSignal) => allPages(readPage, max)(String(path), signal)
  }
}

export interface SiteLiveValues {
  /** By the key of a row. */
  values: ReadonlyMap<string, LiveValue>
  refresh: () => void
}

/** Reads the points of these rows every ten seconds while the page is visible; none of a device that fails. */
export function useSiteLiveValues(customerId: string | null, rows: readonly SiteRow[]): SiteLiveValues {
  const byDevice = Map.groupBy(rows, ({ device }) => device.id)
  const asked = [...byDevice].map(([id, own]) => [id, own.map(({ point }) => point.cloudId)] as const)
  const { data, refetch } = useQuery(
    customerId !== null && rows.length > 0 ? `live values ${JSON.stringify([customerId, asked])}` : null,
    async (_name, signal) => {
      const answers = await Promise.allSettled(
        asked.map(([deviceId, cloudIds]) =>
          readValues({ customerId: String(customerId), deviceId }, cloudIds, signal)
        )
      )
      return new Map(
        answers.flatMap((answer, index) => {
          const own = byDevice.get(asked[index]?.[0] ?? '') ?? []
          if (answer.status === 'rejected') return []
          return answer.value.flatMap((value) => {
            const row = own.find(({ point }) => point.cloudId === value.cloudId)
            return row && value.error === null ? [[row.key, value] as const] : []
          })
        })
      )
    },
    { keepPreviousData: true, refreshInterval: LIVE_READ_MS, focusThrottleInterval: LIVE_READ_MS }
  )
  return { values: data ?? NO_VALUES, refresh: refetch }
}

const NO_VALUES: ReadonlyMap<string, LiveValue> = new Map()

/** The live value of a row as the rules of a device's points need it. */
export function liveOf({ point, key }: SiteRow, { values, refresh }: SiteLiveValues): LiveValues {
  const value = values.get(key)
  return {
    values: new Map(value ? [[point.cloudId, value]] : []),
    error: undefined,
    readAtMs: null,
    refresh
  }
}

/** The row with its live value, if there is one. */
export function withLive(row: SiteRow, live: LiveValue | undefined, median: number | null): SiteRow {
  if (!live || live.value === null) return row
  const isNumeric = row.point.kind === 'Numeric'
  const number = isNumeric ? chartValue(row.point, live.value) : Number.NaN
  const isKnown = row.number !== null && Number.isFinite(number)
  return {
    ...row,
    number: isKnown ? number : row.number,
    fromMedian: isKnown && median !== null && row.fromMedian !== null ? number - median : row.fromMedian,
    level: live.flags.includes('overridden') ? row.level : null,
    readAt: live.timestamp ?? row.readAt
  }
}

/** "142 of 164 devices read, 22 have no Data Services"; of points, "22 devices have no Data Services". */
export function progressText({ devices, points, readAt }: SitePoints | SiteData): string {
  const { total, read, withoutService, failed } = devices
  const texts: string[] = []
  let others = formatNumber(withoutService)
  if (readAt === null && read === 0 && points.total !== null) {
    texts.push(`${formatNumber(points.read)} of ${formatNumber(points.total)} points read`)
    others = count(withoutService, 'device')
  } else texts.push(`${formatNumber(read)} of ${formatNumber(total)} devices read`)
  if (withoutService > 0) texts.push(`${others} ${withoutService === 1 ? 'has' : 'have'} no Data Services`)
  if (failed > 0) texts.push(`${formatNumber(failed)} failed and will be read again`)
  return texts.join(', ')
}
