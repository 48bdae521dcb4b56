// The calls of the main thread about the points of a customer's devices.
import { type Device, POINT_SEARCHES } from '#shared/answers/customers.ts'
import type { SitePoint, SitePoints } from '#shared/answers/site-points.ts'
import { type CsvColumn, csvHeader } from '#shared/csv.ts'
import { textsOf } from '#shared/history/point-type.ts'
import { pageOf } from '../../paging.ts'
import { type RowFormat, rowText } from '../../row-text.ts'
import { inSteps, nextStep } from '../../steps.ts'
import { raw } from '../../upstreams/fields.ts'
import type { PointSearchType } from '../../upstreams/points.ts'
import type { PointFilter, PointProgress, PointQuery } from '../point-query.ts'
import { LINES_PER_CALL } from '../worker-messages.ts'
import { type Customer, type Customers, prepareOrder } from './customers.ts'
import type { PointPage, PointPageParams, PointStore, Site } from './point-store.ts'
import { itemOf, type PointTable, pointTable } from './point-table.ts'

/** Devices that an answer names as unread. */
const PARTIAL_MAX = 100
/** Points whose texts one step searches. */
const SEARCHED_PER_STEP = 100

interface Subject {
  /** Identifies the points of a customer. */
  id: number
  /** Identifies a version of that customer. */
  customer: number
  nowMs: number
  progress: PointProgress
}

interface PointPageText {
  body: Uint8Array
  /** Number of entries of `partial` in it. */
  partialCount: number
}

/** The searches of the upstream that points in memory answer. */
export interface KeptMatches {
  found: { foundBy: PointSearchType; point: Record<string, unknown> }[]
  totals: Record<PointSearchType, number>
}

export function pointCalls(points: PointStore, customers: Customers) {
  async function devicesOf(
    { customer: customerId, nowMs }: Pick<Subject, 'customer' | 'nowMs'>,
    projectId?: string
  ) {
    const customer = customers.get(customerId)
    await prepareOrder(customer.table, 'deviceName', 'asc')
    return withService(customer, nowMs, projectId)
  }

  async function describe(
    site: Site,
    subject: Subject,
    projectId?: string
  ): Promise<Omit<SitePoints, 'items' | 'page' | keyof PointTable['described']>> {
    const { progress, customer } = subject
    const devices = await devicesOf(subject, projectId)
    const failed = new Set(progress.failed)
    const waiting = progress.waiting && new Set(progress.waiting)
    const unread = devices.filter(
      ({ systemGuid }) => waiting === null || waiting.has(systemGuid) || failed.has(systemGuid)
    )
    const all = customers
      .get(customer)
      .devices.filter((device) => projectId === undefined || device.projectId === projectId)
    return {
      devices: {
        total: all.length,
        read: devices.length - unread.length,
        withoutService: all.length - devices.length,
        failed: devices.filter(({ systemGuid }) => failed.has(systemGuid)).length
      },
      points: { read: site.count, total: progress.total },
      partial: unread.slice(0, PARTIAL_MAX).map(({ deviceUuid, deviceName, systemGuid }) => ({
        deviceUuid,
        deviceName,
        reason: failed.has(systemGuid) ? 'failed' : 'waiting'
      })),
      isReading: progress.isReading,
      readAt: progress.readAt === null ? null : new Date(progress.readAt).toISOString()
    }
  }

  async function tableOf(site: Site, subject: Subject, filter: PointFilter): Promise<PointTable> {
    const devices = await devicesOf(subject, filter.projectId)
    const { name, match, status, sort, order } = filter
    const key = JSON.stringify([name, match, status, sort, order])
    return site.inTurn(async () => {
      const { last, version } = site
      const isLast = last?.version === version && last.filter === key && haveSameItems(last.devices, devices)
      if (isLast) return last.table
      const table = await inSteps(pointTable(site, devices, filter))
      site.last = { customer: subject.customer, devices, filter: key, version, table }
      return table
    })
  }

  return {
    /** Parses and stores a page of points. */
    pointPage: (params: PointPageParams): Promise<PointPage> => points.page(params),

    /** Drops points that were read before this time: of one system, or of all. */
    dropPoints: ({
      id,
      readAt,
      systemGuid
    }: {
      id: number
      readAt: number
      systemGuid?: string | undefined
    }): void => points.dropOlder(id, readAt, systemGuid),

    /** Returns the systems with active Data Services: those on the last page first, then by the names of their devices. */
    async pointSystems({ id, ...subject }: Pick<Subject, 'id' | 'customer' | 'nowMs'>): Promise<string[]> {
      const { shown } = points.open(id)
      const guids = [...new Set((await devicesOf(subject)).map(({ systemGuid }) => systemGuid))].filter(
        Boolean
      )
      return [...guids.filter((guid) => shown.has(guid)), ...guids.filter((guid) => !shown.has(guid))]
    },

    /** Returns the JSON of a `SitePoints`. */
    async points({ query, ...subject }: Subject & { query: PointQuery }): Promise<PointPageText> {
      const site = points.get(subject.id)
      const { rows, medians, described } = await tableOf(site, subject, query)
      const { items, page } = pageOf(rows, query.page, query.size)
      site.shown = new Set(items.map(({ device }) => device.systemGuid))
      const answer = {
        items: items.map((row) => itemOf(row, medians)),
        page,
        ...described,
        ...(await describe(site, subject, query.projectId))
      } satisfies SitePoints
      return {
        body: new TextEncoder().encode(JSON.stringify(answer)),
        partialCount: answer.partial.length
      }
    },

    /** Keeps the rows that match for a reader, until `release`. Returns what the answer has besides the points. */
    async openPoints({
      readerId,
      query,
      ...subject
    }: Subject & { readerId: number; query: PointFilter }): Promise<Omit<SitePoints, 'items' | 'page'>> {
      const site = points.get(subject.id)
      const table = await tableOf(site, subject, query)
      const summary = { ...table.described, ...(await describe(site, subject, query.projectId)) }
      points.addReader(readerId, table)
      return summary
    },

    /** Returns up to LINES_PER_CALL rows, the first ones of CSV with the header. An empty text ends them. Throws a 503 problem if they are no longer stored. */
    pointTexts({ readerId, format, from }: { readerId: number; format: RowFormat; from: number }): string {
      const { rows: all, medians } = points.reader(readerId)
      const rows = all.slice(from, from + LINES_PER_CALL)
      const header = format === 'text/csv' && from === 0 ? csvHeader(POINT_COLUMNS) : ''
      return (
        header +
        rowText(
          rows.map((row) => itemOf(row, medians)),
          format,
          POINT_COLUMNS
        )
      )
    },

    /** Searches the points as the upstream does: by name, by the values of tags, and by their names. Case is ignored. */
    async findPoints({
      id,
      systemGuid,
      q,
      size
    }: {
      id: number
      systemGuid?: string | undefined
      q: string
      size: number
    }): Promise<KeptMatches> {
      const { systems } = points.get(id)
      const keyword = q.trim().toLowerCase()
      const found: Record<PointSearchType, { name: string; point: Record<string, unknown> }[]> = {
        pointNames: [],
        tagValues: [],
        tagNames: []
      }
      const totals = { pointNames: 0, tagValues: 0, tagNames: 0 }
      // Texts contain the keyword as JSON writes it.
      const written = JSON.stringify(keyword).slice(1, -1).toLowerCase()
      const chosen =
        systemGuid === undefined
          ? [...systems]
          : [[systemGuid, systems.get(systemGuid) ?? new Map()] as const]
      let searched = 0
      for (const [guid, sitePoints] of chosen)
        for (const { json, name } of sitePoints.values()) {
          searched += 1
          if (searched % SEARCHED_PER_STEP === 0) await nextStep()
          if (!json.toLowerCase().includes(written)) continue
          const point = { ...JSON.parse(json), systemGuid: guid }
          const has = (texts: readonly unknown[]) =>
            texts.some((text) => String(text).toLowerCase().includes(keyword))
          const matches = {
            pointNames: has([name]),
            tagValues: has(Object.values(raw(point.tags))),
            tagNames: has(Object.keys(raw(point.tags)))
          }
          for (const foundBy of POINT_SEARCHES) {
            if (!matches[foundBy]) continue
            totals[foundBy] += 1
            addByName(found[foundBy], { name, point }, size)
          }
        }
      return {
        totals,
        found: POINT_SEARCHES.flatMap((foundBy) => found[foundBy].map(({ point }) => ({ foundBy, point })))
      }
    }
  }
}

const haveSameItems = (list: readonly Device[], other: readonly Device[]) =>
  list.length === other.length && list.every((device, index) => device === other[index])

/** Adds to a list that is sorted by name and has at most `size` entries. */
function addByName<T extends { name: string }>(list: T[], entry: T, size: number): void {
  if (list.length === size && (list.at(-1)?.name ?? '') <= entry.name) return
  const at = list.findIndex(({ name }) => name > entry.name)
  list.splice(at < 0 ? list.length : at, 0, entry)
  if (list.length > size) list.pop()
}

/** The devices with active Data Services, by name. If the subscriptions are unknown, all devices. */
function withService({ table, tree }: Customer, nowMs: number, projectId: string | undefined): Device[] {
  const service = tree.partial.includes('subscriptions') ? undefined : 'NDS'
  const query = {
    projectId,
    service,
    q: '',
    sort: 'deviceName',
    order: 'asc',
    page: 0,
    size: Number.MAX_SAFE_INTEGER
  } as const
  return table.page(query, nowMs).items
}

const POINT_COLUMNS: readonly CsvColumn<SitePoint>[] = [
  { header: 'Device', value: ({ device }) => device.deviceName },
  { header: 'Host ID', value: ({ device }) => device.hostId },
  { header: 'Project', value: ({ device }) => device.projectName },
  { header: 'Point', value: ({ point }) => point.displayName || point.cloudId },
  { header: 'Value', value: ({ number, text }) => number ?? text },
  { header: 'Units', value: ({ units }) => units },
  { header: 'From median', value: ({ fromMedian }) => fromMedian },
  { header: 'Status', value: ({ flags }) => flags && (flags.join(', ') || 'ok') },
  { header: 'Noticed', value: ({ noticedAt }) => noticedAt },
  { header: 'Read', value: ({ readAt }) => readAt },
  { header: 'Device UUID', value: ({ device }) => device.deviceUuid },
  { header: 'Point ID', value: ({ point }) => point.cloudId },
  { header: 'Path', value: ({ point }) => textsOf(point.tags).slotPath }
]
