// Organizations, projects, devices, subscriptions and the audit log (§7, A-1, A-15). Rows and what they take.
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS, PROJECT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, link, listOf, optional, text, time, yesNo } from '../../schemas.ts'
import type { ProxyRow } from '../table.ts'
import { owner, PAGED, SEARCHED, userType } from './schemas.ts'

const BASE = '/api/v2/management'
const ORGANIZATION = `${BASE}/organizations/:organizationId`
const read = { method: 'GET', upstream: 'MANAGEMENT' } as const
const change = { upstream: 'MANAGEMENT', changesInventory: true } as const

const searched = closed(SEARCHED)
const withTechView = closed({ enabled: optional(yesNo('Whether their tech-support view is on.')), ...PAGED })
const customers = closed({ ...SEARCHED, userType: optional(userType) })
const auditLog = closed({
  ...SEARCHED,
  from: optional(time('Not before.')),
  to: optional(time('Not after.')),
  actorId: optional(id('Who did it.', 'u-17')),
  action: optional(listOf(text(100), 50, { description: 'What was done; repeatable.' })),
  resourceType: optional(text(100, 'To what kind of thing.')),
  resourceId: optional(id('To which one.')),
  customerId: optional(id('At which customer.', '9')),
  outcome: optional(text(100, 'How it ended.'))
})
const techSupport = closed({ enable: optional(yesNo('Whether support may look on.')) })

const projectName = optional(text(PROJECT_NAME_MAX_CHARACTERS))
const newProject = closed({ projectName, ...owner, customerId: optional(id('Another way to name the customer.', '9')), partnerId: optional(id('Another way to name the integrator.', '1')) }, { $id: 'NewProject' })
const projectChange = closed({ projectName }, { $id: 'ProjectChange' })
const deviceChange = closed({ project: optional(link('projects')), deviceName: optional(text(DEVICE_NAME_MAX_CHARACTERS)), location: optional(text(LOCATION_MAX_CHARACTERS)) }, { $id: 'DeviceChange' })

export const management: readonly ProxyRow[] = [
  { ...read, id: 'organizations.with-tech-view', path: `${BASE}/organizations/search/findByIsTechViewEnabled`, action: 'customers:view', scope: 'root', query: withTechView },
  { ...read, id: 'organizations.get', path: ORGANIZATION, action: 'projects:view', scope: 'own-organization' },
  { ...read, id: 'organizations.customers', path: `${ORGANIZATION}/customers`, action: 'customers:view', scope: 'own-organization', query: customers },
  { ...read, id: 'organizations.projects', path: `${ORGANIZATION}/projects`, action: 'projects:view', scope: 'organization', query: searched },
  { ...read, id: 'organizations.devices', path: `${ORGANIZATION}/devices`, action: 'devices:view', scope: 'organization', query: searched },
  { ...read, id: 'audit-log.list', path: `${ORGANIZATION}/auditLogs`, action: 'audit-log:view', scope: 'organization', query: auditLog, upstreamProves: ['actorId', 'resourceId', 'customerId'] },
  { ...read, id: 'audit-log.actions', path: `${ORGANIZATION}/auditLogs/search/actions`, action: 'audit-log:view', scope: 'organization' },
  { id: 'organizations.tech-support', method: 'PATCH', path: `${ORGANIZATION}/techSupport`, action: 'tech-support:toggle', scope: 'organization', upstream: 'MANAGEMENT', flag: 'enableTechSupport', query: techSupport },
  { ...change, id: 'projects.create', method: 'POST', path: `${BASE}/projects`, action: 'projects:create', scope: 'body-organization', check: 'new-project', body: newProject },
  { ...change, id: 'projects.rename', method: 'PATCH', path: `${BASE}/projects/:projectId`, action: 'projects:edit', scope: 'project', body: projectChange },
  { ...change, id: 'projects.delete', method: 'DELETE', path: `${BASE}/projects/:projectId`, action: 'projects:delete', scope: 'project' },
  { ...change, id: 'devices.update', method: 'PATCH', path: `${BASE}/devices/:deviceId`, action: 'devices:edit', scope: 'device', check: 'device-change', body: deviceChange },
  { ...change, id: 'devices.delete', method: 'DELETE', path: `${BASE}/devices/:deviceId`, action: 'devices:delete', scope: 'device' },
  { ...read, id: 'subscriptions.list', path: '/api/v1/subscription/customers/:customerId', action: 'devices:view', scope: 'customer', upstream: 'SUBSCRIPTION' }
]
