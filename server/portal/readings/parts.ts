// What is read of each customer in the background: one row for each part, with how it is read. A new count or list over
// customers is a row here.
import { ATTENTION, type AttentionKind, type PlanLevel } from '#shared/attention.ts'
import { BACKUP_DUE_DAYS } from '#shared/limits.ts'
import { WORKLIST_ROWS_MAX } from '#shared/worklists.ts'
import { Problem } from '../../errors.ts'
import { fetchDueServices } from '../../inventory/fetch.ts'
import type { DueDevice } from '../../inventory/worker/due-services.ts'
import type { InventoryWorker } from '../../inventory/worker-client.ts'
import type { Change, Clock } from '../../types.ts'
import { fetchLastBackups, fetchSavedDevices } from '../../upstreams/backups.ts'
import type { CustomerSource, UpstreamClient } from '../../upstreams/client.ts'
import { concernsFurtherCalls, isRefusal } from '../../upstreams/transport/failures.ts'
import { fetchUsage } from '../../upstreams/usage.ts'
import type { Viewer } from '../../upstreams/visibility.ts'
import { usageOf, usagePeriod } from '../../usage-metrics.ts'
import { type AlarmReading, readAlarms } from './alarm-reading.ts'
import {
  type BackupRow,
  isPlanDue,
  nextPlans,
  type PlanRead,
  plansOf,
  plansUnread,
  type Read,
  type Readings,
  unread,
  withTotals
} from './customer-readings.ts'
import type { Throttle } from './throttle.ts'

export type Part = 'alarms' | 'services' | 'backups' | 'plans'

export interface PartServices {
  client: UpstreamClient
  worker: InventoryWorker
  clock: Clock
}

interface Source extends PartServices, CustomerSource {
  bearer: Viewer
  /** Runs each call, or calls that belong together. */
  throttle: Throttle
}

/** What replicas tell each other about a part of a customer: no more than counts, a tag and times. */
export interface Told {
  alarms: Read & { reading: Omit<AlarmReading, 'alarms' | 'isOutdated' | 'bytes'> }
  services: Read & { ended: number; ending: number }
  backups: Read & { missing: number }
  plans: Pick<Readings, 'planTotals' | 'plansBeyond'>
}

/** A count, when its oldest data was read, and how many plans it may still grow by. */
interface Count extends Read {
  count: number
  unread?: number
}

export interface PartRow<Told> {
  /** The counts that it provides; none until they are known. */
  counts: Partial<Record<AttentionKind, (readings: Readings) => Count | null | undefined>>
  /** A part whose data it needs. */
  needs?: Part
  /**
   * How long a reading is fresh. `live`: it is read again and again while somebody looks, every few seconds if the customer is
   * opened, and in turns with the others of a list.
   */
  freshMs: number | 'live'
  /** Changes after which it is read again first. */
  changesWith: readonly Change[]
  /**
   * Number of customers that are read in parallel: few, because the parts also run in parallel and other callers need the
   * gateway. For plans, two customers use all calls of a visibility, so that the plans of few customers are incomplete.
   */
  customersAtOnce: number
  /** Number of calls that one use of the throttle makes in parallel. */
  callsAtOnce: number
  /** Reads it and returns the changed readings. Throws the upstream's problem. */
  read(source: Source, previous: Readings): Promise<Partial<Readings>>
  /** What the other replicas are told. Undefined if it has not been read. */
  told(readings: Readings): Told | undefined
  /** Takes what another replica has told. Keeps the alarms, plans and devices that this one knows. */
  heard(told: Told, previous: Readings): Partial<Readings>
}

const DAY_MS = 86_400_000
/** Number of plans that a read fetches. Two reads keep a quarter of the default connections busy. */
const PLANS_PER_READ = 16

export const PARTS: { readonly [P in Part]: PartRow<Told[P]> } = {
  /** Makes two calls. */
  alarms: {
    counts: { alarms: ({ alarms }) => alarms && countAt(alarms, alarms.reading.count) },
    freshMs: 'live',
    changesWith: ['alarms'],
    customersAtOnce: 4,
    callsAtOnce: 2,
    async read({ throttle, clock, client, customerId, bearer }, { alarms }) {
      const { readAt, reading } = await throttle(async (signal) => ({
        readAt: clock(),
        reading: await readAlarms({ client, customerId, bearer, signal })
      }))
      const isUnchanged = reading.tag === alarms?.reading.tag && !alarms.reading.isOutdated
      return { alarms: { readAt, reading: isUnchanged ? alarms.reading : reading } }
    },
    told({ alarms }) {
      if (alarms === undefined) return undefined
      const { count, activeCount, unackedCount, newestAt, tag } = alarms.reading
      return { readAt: alarms.readAt, reading: { count, activeCount, unackedCount, newestAt, tag } }
    },
    heard({ readAt, reading }, { alarms: known }) {
      if (known !== undefined && known.readAt >= readAt) return {}
      if (known?.reading.tag === reading.tag) return { alarms: { readAt, reading: known.reading } }
      const { alarms = [], bytes = 0 } = known?.reading ?? {}
      return { alarms: { readAt, reading: { ...reading, alarms, bytes, isOutdated: true } } }
    }
  },

  /** Makes one call for the subscriptions, and one per 1,000 devices. */
  services: {
    counts: {
      servicesEnded: ({ services }) => services && countAt(services, services.ended),
      servicesEnding: ({ services }) => services && countAt(services, services.ending)
    },
    freshMs: ATTENTION.servicesEnded.freshMs,
    changesWith: ['inventory'],
    customersAtOnce: 4,
    callsAtOnce: 1,
    async read(source, previous) {
      const readAt = source.clock()
      const { customerId, bearer } = source
      const {
        plans,
        services: items,
        servicesTotal,
        ...counts
      } = await source.throttle((signal) => fetchDueServices(source, customerId, bearer, readAt, signal))
      const services = { ...counts, rows: { items, total: servicesTotal, readAt }, readAt }
      const current = plansOf(previous, plans)
      const { planTotals, planRows } = withTotals({ ...previous, ...current, services })
      return { services, ...current, planTotals, planRows }
    },
    told: ({ services }) =>
      services && { readAt: services.readAt, ended: services.ended, ending: services.ending },
    heard(told, { services }) {
      if (isOlder(told, services)) return {}
      const hasOtherRows =
        services?.rows !== undefined && (told.ended !== services.ended || told.ending !== services.ending)
      return { services: { ...services, ...told, ...(hasOtherRows && { isOutdated: true }) } }
    }
  },

  /**
   * Makes one call per 500 backups of the last 30 days, or none if no device has Recover; up to two further ones for the last
   * backups of devices without one.
   */
  backups: {
    counts: { withoutBackup: ({ backups }) => backups && countAt(backups, backups.missing) },
    needs: 'services',
    freshMs: ATTENTION.withoutBackup.freshMs,
    changesWith: ['inventory', 'backups'],
    customersAtOnce: 4,
    callsAtOnce: 1,
    async read(source, { services }) {
      const readAt = source.clock()
      const rows = await readDevicesWithoutBackup(source, services?.recover ?? [], readAt)
      const items = rows.slice(0, WORKLIST_ROWS_MAX)
      return { backups: { missing: rows.length, readAt, rows: { items, total: rows.length, readAt } } }
    },
    told: ({ backups }) => backups && { missing: backups.missing, readAt: backups.readAt },
    heard(told, { backups }) {
      if (isOlder(told, backups)) return {}
      const hasOtherRows = backups?.rows !== undefined && told.missing !== backups.missing
      return { backups: { ...backups, ...told, ...(hasOtherRows && { isOutdated: true }) } }
    }
  },

  /** Makes one call per plan. A plan whose call fails is unread, unless the token may be what fails. */
  plans: {
    counts: {
      plansExceeded: (readings) => plansAt(readings, 'exceeded'),
      plansWarning: (readings) => plansAt(readings, 'warning')
    },
    needs: 'services',
    freshMs: ATTENTION.plansExceeded.freshMs,
    changesWith: [],
    customersAtOnce: 2,
    callsAtOnce: 1,
    async read(source, previous) {
      const startedAt = source.clock()
      const plans = nextPlans(previous, PLANS_PER_READ, startedAt)
      const failures = await readPlans(source, plans)
      const reasons = [...failures.values()]
      const haveAllFailed = reasons.length > 0 && reasons.length === plans.length
      if (haveAllFailed && !(await canReadAnother(source, previous, plans))) {
        for (const plan of plans) if (isPlanDue(plan, startedAt)) plan.failedAt = startedAt
        throw reasons.find(isRefusal) ?? reasons[0]
      }
      for (const [plan, reason] of failures) {
        const failed = { ...unread(plan), failedAt: startedAt }
        if (isRefusal(reason))
          failed.refusedTo = new Map(failed.refusedTo).set(source.bearer.user.id, startedAt)
        previous.plans.set(plan.plan.device.deviceUuid, failed)
      }
      const plansRefusedTo = new Set(
        [...previous.plans.values()].flatMap(({ refusedTo }) => [...(refusedTo?.keys() ?? [])])
      )
      const { planTotals, planRows } = withTotals(previous)
      return { planTotals, planRows, plansRefusedTo }
    },
    told: ({ planTotals, plansBeyond }) => ({ planTotals, plansBeyond }),
    heard: (told) => told
  }
}

export const PART_NAMES = Object.keys(PARTS) as Part[]
/** The parts of the start page's counts that are read once in a while. */
export const COUNTED_PARTS = PART_NAMES.filter((part) => PARTS[part].freshMs !== 'live')

/** The counts of a part. */
export const kindsOf = (part: Part) => Object.keys(PARTS[part].counts) as AttentionKind[]

const countAt = ({ readAt }: Read, count: number): Count => ({ count, readAt })

function plansAt(readings: Readings, level: PlanLevel): Count | null {
  const { services, planTotals } = readings
  if (services === undefined) return null
  const unread = plansUnread(readings)
  const readAt = planTotals.oldestReadAt ?? (unread === 0 ? services.readAt : undefined)
  if (readAt === undefined) return null
  return { ...countAt({ readAt }, planTotals[level]), ...(unread > 0 ? { unread } : {}) }
}

/** Whether a replica that was frozen, or a read that took longer, tells less than is known. */
export const isOlder = ({ readAt }: Read, known: Read | undefined) =>
  known !== undefined && readAt < known.readAt

/** The devices without a complete backup in the last 30 days: those without any first, then the oldest. */
async function readDevicesWithoutBackup(
  source: Source,
  devices: readonly DueDevice[],
  nowMs: number
): Promise<BackupRow[]> {
  if (devices.length === 0) return []
  const since = nowMs - BACKUP_DUE_DAYS * DAY_MS
  const saved = await source.throttle((signal) => fetchSavedDevices({ ...source, signal }, since))
  const missing = devices.filter(({ deviceUuid }) => !saved.has(deviceUuid))
  if (missing.length === 0) return []
  const uuids = new Set(missing.map(({ deviceUuid }) => deviceUuid))
  const last = await source.throttle((signal) => fetchLastBackups({ ...source, signal }, since, uuids))
  return missing
    .map((device) => {
      const lastBackup = last.times.get(device.deviceUuid) ?? null
      return { device, lastBackup, noneSince: lastBackup === null ? last.since : null }
    })
    .sort((a, b) => lastBackupMs(a) - lastBackupMs(b))
}

/** When the last backup was made, at the latest; 0 if there is none at all. */
export function lastBackupMs({ lastBackup, noneSince }: BackupRow): number {
  const time = lastBackup ?? noneSince
  return time === null ? 0 : Date.parse(time)
}

/** Returns the failures that concern single plans. Throws one that concerns further calls too. */
async function readPlans(source: Source, plans: readonly PlanRead[]): Promise<Map<PlanRead, unknown>> {
  const failures = new Map<PlanRead, unknown>()
  await Promise.all(
    plans.map((plan) =>
      source
        .throttle((signal) => readPlan({ ...source, signal }, plan))
        .catch((error) => failures.set(plan, error))
    )
  )
  for (const error of failures.values()) if (concernsFurtherCalls(error)) throw error
  return failures
}

/** Whether the token can read the plan that was read last: then not the token fails, but the plans. */
async function canReadAnother(
  source: Source,
  { plans }: Readings,
  failed: readonly PlanRead[]
): Promise<boolean> {
  const readWell = [...plans.values()].filter((plan) => plan.failedAt === undefined && !failed.includes(plan))
  const [another] = readWell.sort((a, b) => (b.readAt ?? 0) - (a.readAt ?? 0))
  return another?.readAt !== undefined && (await readPlans(source, [another])).size === 0
}

/** Reads the usage of a plan and adds it to `entry`. A device that the upstream does not know has no usage. */
async function readPlan({ client, clock, bearer, signal }: Source, entry: PlanRead): Promise<void> {
  const { deviceId, subscription } = entry.plan
  const nowMs = clock()
  const period = usagePeriod(subscription.startDate, nowMs)
  const points = await fetchUsage(client, deviceId, period, bearer, signal).catch((error) => {
    if (error instanceof Problem && error.options.upstreamStatus === 404) return []
    throw error
  })
  const { level, used, percent } = usageOf(subscription, points, nowMs)
  Object.assign(entry, { level, used, percent, readAt: nowMs } satisfies Partial<PlanRead>)
  delete entry.failedAt
  entry.refusedTo?.delete(bearer.user.id)
}
