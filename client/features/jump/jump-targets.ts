// The targets of the jump palette (Ctrl or ⌘ and K).
import type { Alarm } from '#shared/answers/alarms.ts'
import type { CustomerCard, Device, FoundDevice } from '#shared/answers/customers.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { type Action, may, mayAnywhere } from '#shared/permissions.ts'
import { count } from '../../lib/format.ts'
import { CUSTOMER_PAGES, paths } from '../../lib/paths.ts'
import { mayOpenAlarms } from '../../lib/session/may-open.ts'
import { SOURCE_STATES } from '../alarms/alarms/alarm.ts'
import { historyAddress } from '../data/points/history-address.ts'
import { notChartable, type Point } from '../data/points/point.ts'

export type Group =
  | 'Recent'
  | 'Pages'
  | 'Devices'
  | 'Points'
  | 'Alarms'
  | 'Projects'
  | 'Customers'
  | 'Integrators'
  | 'Devices of other customers'

export interface FoundPoint {
  point: Point
  device: FoundDevice['device']
}

/** A customer whose projects, devices, points and alarms are searched. */
export interface SearchedCustomer {
  id: string
  name: string
  path: string
}

/** A second way to use a target: another address, or an action of the palette. */
export type TargetAction =
  | { name: 'Chart'; to: string }
  | { name: 'Write'; write: FoundPoint }
  | { name: 'Search in'; search: SearchedCustomer }

export interface Target {
  id: string
  group: Group
  name: string
  detail?: string
  to: string
  actions?: TargetAction[]
  found?: FoundPoint
}

/**
 * The pages of the sidebar, and the pages of the customer that is searched.
 * @param scope the customer's scope; until it is loaded, a right at any customer is enough
 */
export function pageTargets(
  items: readonly { label: string; to: string }[],
  bootstrap: Bootstrap,
  customer: { path: string; name: string } | null,
  scope: string | undefined
): Target[] {
  const { roleAssignments } = bootstrap.user
  function mayOpen(action: Action): boolean {
    if (action === 'alarms:query' && !mayOpenAlarms(bootstrap)) return false
    return scope === undefined ? mayAnywhere(roleAssignments, action) : may(roleAssignments, action, scope)
  }
  const target = (name: string, to: string): Target => ({ id: `page ${to}`, group: 'Pages', name, to })
  const ofCustomer = ({ path, name }: { path: string; name: string }) => [
    { ...target('Projects and devices', path), detail: name },
    ...CUSTOMER_PAGES.filter(({ action }) => mayOpen(action)).map(({ label, to }) => ({
      ...target(label, to(path)),
      detail: name
    }))
  ]
  return [...(customer ? ofCustomer(customer) : []), ...items.map(({ label, to }) => target(label, to))]
}

/** Targets whose name contains every word of the keyword, in upper or lower case. */
export function targetsNamed<T extends { name: string }>(targets: readonly T[], keyword: string): T[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  return targets.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}

/** The keyword's words that the name does not contain, or the whole keyword if the name contains all of them. */
export function wordsBeyond(keyword: string, name: string): string {
  const otherWords = keyword.split(/\s+/).filter((word) => !name.toLowerCase().includes(word.toLowerCase()))
  return otherWords.join(' ') || keyword
}

const words = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')

/** @param mayChart whether the person may see this customer's histories */
export function deviceTarget(
  device: Pick<Device, 'deviceUuid' | 'deviceName' | 'hostId' | 'projectName' | 'location'>,
  path: string,
  mayChart: boolean
): Target {
  const { deviceUuid, deviceName, hostId, projectName, location } = device
  return {
    id: deviceUuid,
    group: 'Devices',
    name: deviceName,
    detail: words(hostId, projectName, location),
    to: paths.device(path, deviceUuid),
    actions: mayChart ? [{ name: 'Chart', to: paths.history(path, deviceUuid) }] : []
  }
}

/** @param group separates the device from the devices of the searched customer */
export function foreignDeviceTarget(
  { device, customer }: FoundDevice,
  path: string,
  mayChart: boolean,
  group: Group
): Target {
  return {
    ...deviceTarget(device, path, mayChart),
    group,
    detail: words(customer.orgName, device.hostId, device.projectName)
  }
}

interface PointRights {
  chart: boolean
  write: boolean
}

export function pointTarget(found: FoundPoint, path: string, { chart, write }: PointRights): Target {
  const { point, device } = found
  const { deviceUuid } = device
  const { cloudId } = point
  const actions: TargetAction[] = []
  if (chart && notChartable(point) === null)
    actions.push({
      name: 'Chart',
      to: historyAddress(path, deviceUuid, { points: [{ deviceUuid, cloudId }] })
    })
  if (write && point.writable) actions.push({ name: 'Write', write: found })
  return {
    id: `${deviceUuid} ${cloudId}`,
    group: 'Points',
    name: point.displayName,
    detail: words(device.deviceName, device.projectName, point.slotPath.replace(/^slot:/, '')),
    to: paths.point(path, deviceUuid, cloudId),
    actions,
    found
  }
}

/**
 * Opens the alarm list and the alarm's details.
 * @param raisedAt the formatted time of the alarm in the person's zone
 */
export function alarmTarget(alarm: Alarm, path: string, raisedAt: string): Target {
  const { uuid, timestamp, sourceName, sourceState, messageText, systemGuid } = alarm
  const query = new URLSearchParams({
    range: 'all',
    device: systemGuid,
    q: sourceName,
    alarm: uuid,
    at: timestamp
  })
  return {
    id: uuid,
    group: 'Alarms',
    name: sourceName,
    detail: words(SOURCE_STATES[sourceState].label, raisedAt, messageText),
    to: `${paths.alarms(path)}?${query}`
  }
}

export function projectTarget(
  { id, projectName, deviceCount }: { id: string; projectName: string; deviceCount: number },
  path: string
): Target {
  return {
    id,
    group: 'Projects',
    name: projectName,
    detail: count(deviceCount, 'device'),
    to: `${path}?${new URLSearchParams({ project: id })}`
  }
}

export function integratorTarget({ id, orgName }: { id: string; orgName: string }): Target {
  return { id, group: 'Integrators', name: orgName, to: paths.integrator(id) }
}

/** @param current whether this customer is already searched */
export function customerTarget(card: CustomerCard, path: string, current: boolean): Target {
  const { id, orgName: name, projectCount, deviceCount } = card
  return {
    id,
    group: 'Customers',
    name,
    detail: `${count(projectCount, 'project')}, ${count(deviceCount, 'device')}`,
    to: path,
    actions: current ? [] : [{ name: 'Search in', search: { id, name, path } }]
  }
}
