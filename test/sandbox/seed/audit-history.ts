// Audit log entries of the last three months, created at the first request. The entries refer to existing records.
import { type AuditChange, type AuditEntry, deviceIn, placeOf } from '../api/audit.ts'
import type { UserRecord } from '../records/people.ts'
import type { DeviceRecord, OrganizationRecord } from '../records/sites.ts'
import { pointsOf } from '../simulation/points.ts'
import { customersOf, type State } from '../state.ts'
import { NOTABLE } from './notable.ts'
import { type Random, randomFrom } from './random.ts'
import { startOfDay } from './sites.ts'

const DAY_MS = 86_400_000
const DAYS = 90
const ENTRIES: Record<string, number> = { [NOTABLE.partner]: 360 }
const ENTRIES_DEFAULT = 70
const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
]

interface Scene {
  state: State
  random: Random
  partnerId: string
  customerId: string
  device: DeviceRecord
  user: UserRecord
}

type ResourceOf = (scene: Scene) => AuditEntry['resource']

const deviceOf = ({ device }: Scene) => ({ type: 'DEVICE', id: device.id, name: device.deviceName })
const userOf = ({ user }: Scene) => ({ type: 'USER', id: user.id, name: user.fullName })
const change = (field: string, before: string | null, after: string | null): AuditChange[] => [
  { field, before, after }
]
const projectOf = ({ state, device, random }: Scene) => {
  const project = random.pick(state.projects.of(device.customerId))
  return { type: 'PROJECT', id: project.id, name: project.projectName }
}
const accountOf = ({ state, random }: Scene) => {
  const account = random.pick([...state.serviceAccounts.values()])
  return { type: 'SERVICE_ACCOUNT', id: account.id, name: account.serviceName }
}
const pointOf = ({ device, random }: Scene) => {
  const point = random.pick(pointsOf(device).filter((candidate) => candidate.template.writable))
  return { type: 'POINT', id: point.cloudId, name: point.displayName }
}
const randomResource = (type: string, name: string) => (scene: Scene) => ({
  type,
  id: `${type.toLowerCase()}-${scene.random.below(9000) + 1000}`,
  name
})
const invitationOf = randomResource('INVITATION', 'new.colleague@portal.example')
const reportOf = randomResource('REPORT', 'Supply temperatures')
const exportOf = randomResource('EXPORT', 'All meters, last year')
const organizationOf = ({ state, partnerId }: Scene) => ({
  type: 'ORGANIZATION',
  id: partnerId,
  name: state.organizations.get(partnerId)?.orgName ?? ''
})

const EVENTS: [action: string, weight: number, resource: ResourceOf, changes?: AuditChange[]][] = [
  ['LOGIN', 30, userOf],
  ['LOGOUT', 14, userOf],
  ['PROJECT_CREATED', 2, projectOf],
  ['PROJECT_RENAMED', 3, projectOf, change('projectName', 'Wing C', 'West Wing')],
  ['PROJECT_DELETED', 1, projectOf],
  ['DEVICE_REGISTERED', 3, deviceOf],
  ['DEVICE_REREGISTERED', 1, deviceOf],
  ['DEVICE_UPDATED', 5, deviceOf, change('location', 'Roof', 'Roof, level 9')],
  ['DEVICE_MOVED', 3, deviceOf, change('projectName', 'East Wing', 'West Wing')],
  ['DEVICE_DELETED', 1, deviceOf],
  ['USER_INVITED', 2, invitationOf],
  ['INVITATION_ACCEPTED', 2, invitationOf],
  ['INVITATION_REJECTED', 1, invitationOf],
  ['INVITATION_RESENT', 1, invitationOf],
  ['INVITATION_CANCELLED', 1, invitationOf],
  ['ROLES_CHANGED', 3, userOf, change('roleAssignments', 'customer_user', 'customer_admin')],
  ['SERVICE_ACCOUNT_CREATED', 1, accountOf],
  ['SERVICE_ACCOUNT_UPDATED', 1, accountOf],
  ['SERVICE_ACCOUNT_DELETED', 1, accountOf],
  ['SECRET_GENERATED', 2, accountOf],
  ['REPORT_CREATED', 3, reportOf],
  ['REPORT_UPDATED', 2, reportOf],
  ['REPORT_DELETED', 1, reportOf],
  ['EXPORT_STARTED', 4, exportOf],
  ['EXPORT_DOWNLOADED', 3, exportOf],
  ['EXPORT_CANCELLED', 1, exportOf],
  ['EXPORT_DELETED', 1, exportOf],
  ['BACKUP_DOWNLOADED', 2, deviceOf],
  ['BACKUP_UPDATED', 1, deviceOf, change('retained', 'false', 'true')],
  ['BACKUP_DELETED', 1, deviceOf],
  ['ALARM_ACKNOWLEDGED', 12, randomResource('ALARM', 'Supply Air Temp')],
  ['ALARM_NOTED', 3, randomResource('ALARM', 'Filter Dirty')],
  ['POINT_WRITTEN', 10, pointOf, change('value', '20.0', '21.5')],
  ['POINT_CLEARED', 4, pointOf],
  ['REMOTE_CONNECTED', 6, deviceOf],
  ['TECH_SUPPORT_ENABLED', 1, organizationOf],
  ['TECH_SUPPORT_DISABLED', 1, organizationOf]
]

export const AUDIT_ACTIONS = EVENTS.map(([action]) => action)
const DEVICE_RESOURCES = ['DEVICE', 'POINT', 'ALARM']
const INTEGRATOR_ACTIONS = /^LOG|^TECH_/
const WEIGHTS = EVENTS.reduce((sum, [, weight]) => sum + weight, 0)

const cache = new WeakMap<State, AuditEntry[]>()

export function auditHistory(state: State): AuditEntry[] {
  const history = cache.get(state) ?? createEntries(state)
  cache.set(state, history)
  return history
}

function createEntries(state: State): AuditEntry[] {
  const random = randomFrom(90210)
  const integrators = [...state.organizations.values()].filter(
    (organization) => organization.partnerId === null
  )
  return integrators
    .flatMap(({ id }) => {
      const count = ENTRIES[id] ?? ENTRIES_DEFAULT
      const customers = customersOf(state, id).filter((customer) => state.devices.of(customer.id).length > 0)
      return Array.from({ length: count }, (_, index) =>
        createEntry(sceneAt(state, id, customers, random), index, count)
      )
    })
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
}

function sceneAt(state: State, partnerId: string, customers: OrganizationRecord[], random: Random): Scene {
  // A third of the entries are about the largest customer.
  const isNorthwind = partnerId === NOTABLE.partner && random.below(3) === 0
  const customerId = isNorthwind ? NOTABLE.northwind : random.pick(customers).id
  const device = random.pick(state.devices.of(customerId))
  const user = random.pick(
    [...state.users.values()].filter((candidate) =>
      [partnerId, customerId].includes(candidate.organizationId ?? '')
    )
  )
  return { state, random, partnerId, customerId, device, user }
}

function createEntry(scene: Scene, index: number, count: number): AuditEntry {
  const { state, random, partnerId, customerId } = scene
  const [action, , resourceOf, changes = []] = pickEvent(random)
  const resource = resourceOf(scene)
  const percentile = random.below(100)
  const ageMs = ((index + random.below(100) / 100) / count) * DAYS * DAY_MS
  return {
    id: `al-${partnerId}-${9000 + count - index}`,
    timestamp: new Date(startOfDay(state.startedMs) - Math.round(ageMs)).toISOString(),
    actor: actorOf(scene, action === 'LOGIN' || action === 'LOGOUT'),
    action,
    outcome: percentile < 92 ? 'SUCCESS' : percentile < 97 ? 'FAILURE' : 'DENIED',
    resource,
    device: DEVICE_RESOURCES.includes(resource.type) ? deviceIn(scene.device) : null,
    ...placeOf(state, INTEGRATOR_ACTIONS.test(action) ? partnerId : customerId),
    changes: percentile < 92 ? changes : [],
    ipAddress: `203.0.113.${1 + random.below(250)}`,
    userAgent: random.below(12) === 0 ? null : random.pick(BROWSERS),
    correlationId: random.hex(16)
  }
}

function pickEvent(random: Random): (typeof EVENTS)[number] {
  let remainingWeight = random.below(WEIGHTS)
  for (const event of EVENTS) {
    remainingWeight -= event[1]
    if (remainingWeight < 0) return event
  }
  return EVENTS[0] as (typeof EVENTS)[number]
}

function actorOf({ state, random, user }: Scene, isSession: boolean): AuditEntry['actor'] {
  const percentile = isSession ? 100 : random.below(100)
  if (percentile < 4) return { id: 'system', type: 'SYSTEM', name: 'System', email: null }
  if (percentile < 7)
    return { id: 'support-7', type: 'SUPPORT', name: 'Support, R. Meyer', email: 'support@portal.example' }
  if (percentile < 14) {
    const account = random.pick([...state.serviceAccounts.values()])
    return { id: account.id, type: 'SERVICE_ACCOUNT', name: account.serviceName, email: null }
  }
  return { id: user.id, type: 'USER', name: user.fullName, email: user.email }
}
