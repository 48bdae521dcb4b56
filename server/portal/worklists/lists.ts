// The lists behind the counts of the start page: what their rows are, and how they are searched, filtered, sorted and written.
import type { CustomerName } from '#shared/answers/customers.ts'
import type { Worklists } from '#shared/answers/worklists.ts'
import type { CsvColumn } from '#shared/csv.ts'
import { ENDED_DAYS, searchForm, wordsOf } from '#shared/devices.ts'
import { daysUntil } from '#shared/terms.ts'
import type { WorklistName } from '#shared/worklists.ts'
import type { DueDevice, DueService } from '../../inventory/worker/due-services.ts'
import type { Row, RowKind, SortKey } from '../reading-lists.ts'
import type { BackupRow, PlanRow, Readings, ReadRows } from '../readings/customer-readings.ts'
import { lastBackupMs } from '../readings/parts.ts'

/** The filters of all lists. Each list has some of them. */
interface Filters {
  service?: string
  days?: number
  level?: string
}

type Summed = 'customer' | 'rows' | 'more' | 'readAt'

export interface Worklist<Item, Name extends WorklistName> {
  summary: string
  /** The rows of a customer; undefined until this replica has read them. */
  rowsOf: (readings: Readings) => ReadRows<Item> | undefined
  /** The counts of the start page. */
  countsOf: (readings: Readings) => Omit<Worklists[Name]['totals'][number], Summed>
  /** Whether rows are missing or old. */
  isIncomplete: (readings: Readings) => boolean
  kind: RowKind<ReadRows<Item>, Item>
  matches: (item: Item, filters: Filters, nowMs: number) => boolean
  answerOf: (row: Row<Item>) => Worklists[Name]['items'][number]
  columns: (nowMs: number) => CsvColumn<Worklists[Name]['items'][number]>[]
}

function kindOf<Item extends { device: DueDevice }>(
  urgency: (item: Item) => number,
  keys: Readonly<Record<string, (item: Item) => SortKey>>,
  id: (item: Item) => string = ({ device }) => device.deviceUuid
): RowKind<ReadRows<Item>, Item> {
  return {
    itemsOf: ({ items }) => items,
    searched: ({ device }, { orgName }) =>
      [device.deviceName, device.projectName ?? '', orgName, device.hostId].map(searchForm),
    matching: matchingDevices,
    tie: urgency,
    id,
    sortKey(sort, { item, customer }) {
      if (sort === 'customer') return customer.orgName
      return keys[sort]?.(item) ?? item.device[sort as keyof DueDevice] ?? ''
    }
  }
}

/** Matches as the list of all devices: one text, or each word in one of the names, at least one in that of the device. */
function matchingDevices(keyword: string): (texts: string) => boolean {
  const text = searchForm(keyword)
  const words = wordsOf(keyword)
  if (words.length === 0) return (texts) => texts.includes(text)
  return (texts) => texts.includes(text) || hasWords(texts, words)
}

function hasWords(texts: string, words: readonly string[]): boolean {
  const [deviceName = '', projectName = '', customerName = ''] = texts.split('\n')
  const names = [deviceName, projectName, customerName]
  return (
    words.some((word) => deviceName.includes(word)) &&
    words.every((word) => names.some((name) => name.includes(word)))
  )
}

const deviceOf = <Item extends { device: DueDevice }>({ item, customer }: Row<Item>) => ({
  customer,
  device: item.device
})

const DEVICE_COLUMNS: CsvColumn<{ customer: CustomerName; device: DueDevice }>[] = [
  { header: 'Customer', value: ({ customer }) => customer.orgName },
  { header: 'Device', value: ({ device }) => device.deviceName },
  { header: 'Host ID', value: ({ device }) => device.hostId },
  { header: 'Project', value: ({ device }) => device.projectName }
]
const DEVICE_UUID: CsvColumn<{ device: DueDevice }> = {
  header: 'Device UUID',
  value: ({ device }) => device.deviceUuid
}

const iso = (timeMs: number) => new Date(timeMs).toISOString()

export const SERVICES: Worklist<DueService, 'services'> = {
  summary: 'List the services of all customers that have ended or end soon',
  rowsOf: ({ services }) => services?.rows,
  countsOf: ({ services }) => ({ ended: services?.ended ?? 0, ending: services?.ending ?? 0 }),
  isIncomplete: ({ services }) => services?.isOutdated === true,
  kind: kindOf(
    ({ endMs }) => -endMs,
    { service: ({ service }) => service, endDate: ({ endMs }) => endMs },
    ({ device, service }) => `${device.deviceUuid} ${service}`
  ),
  matches: (item, { service, days }, nowMs) =>
    (service === undefined || item.service === service) && (days === undefined || isDue(item, days, nowMs)),
  answerOf: (row) => ({ ...deviceOf(row), service: row.item.service, endDate: iso(row.item.endMs) }),
  columns: (nowMs) => [
    ...DEVICE_COLUMNS,
    { header: 'Service', value: ({ service }) => service },
    { header: 'Ends', value: ({ endDate }) => endDate },
    { header: 'Days left', value: ({ endDate }) => daysUntil(Date.parse(endDate), nowMs) },
    DEVICE_UUID
  ]
}

export const PLANS: Worklist<PlanRow, 'plans'> = {
  summary: 'List the plans of all customers whose usage is close to the limit or above',
  // Without the services, nobody knows whether these are all plans.
  rowsOf: ({ services, planRows }) => services && planRows,
  countsOf({ planRows }) {
    const { exceeded = 0, warning = 0, unread = 0 } = planRows ?? {}
    return { exceeded, warning, unread }
  },
  // The plans beyond the limit will never be read.
  isIncomplete: ({ planRows, plansBeyond }) => (planRows?.unread ?? 0) > plansBeyond,
  kind: kindOf(({ percent }) => percent, {
    planLimit: ({ planLimit }) => planLimit,
    used: ({ used }) => used,
    percent: ({ percent }) => percent
  }),
  matches: (item, { level }) => level === undefined || item.level === level,
  answerOf: (row) => {
    const { planLimit, used, percent, level } = row.item
    return { ...deviceOf(row), planLimit, used, percent, level }
  },
  columns: () => [
    ...DEVICE_COLUMNS,
    { header: 'Plan limit (GB)', value: ({ planLimit }) => planLimit },
    { header: 'Used (GB)', value: ({ used }) => used },
    { header: 'Used (% of the plan limit)', value: ({ percent }) => percent },
    DEVICE_UUID
  ]
}

export const BACKUPS: Worklist<BackupRow, 'backups'> = {
  summary: 'List the devices of all customers without a good backup',
  rowsOf: ({ backups }) => backups?.rows,
  countsOf: ({ backups }) => ({ missing: backups?.missing ?? 0 }),
  isIncomplete: ({ backups }) => backups?.isOutdated === true,
  kind: kindOf((row) => -lastBackupMs(row), { lastBackup: lastBackupMs }),
  matches: () => true,
  answerOf: (row) => {
    const { lastBackup, noneSince } = row.item
    return { ...deviceOf(row), lastBackup, noneSince }
  },
  columns: () => [
    ...DEVICE_COLUMNS,
    { header: 'Last good backup', value: ({ lastBackup }) => lastBackup },
    { header: 'None since', value: ({ noneSince }) => noneSince },
    DEVICE_UUID
  ]
}

/** Whether a service has ended, or ends within a number of days. */
function isDue({ endMs }: DueService, days: number, nowMs: number): boolean {
  if (days === ENDED_DAYS) return endMs <= nowMs
  return endMs > nowMs && daysUntil(endMs, nowMs) <= days
}
