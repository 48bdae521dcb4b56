// Rows for organizations, projects, devices, subscriptions and the audit log, with their request schemas.
import Type from 'typebox'
import { AuditLogEntry, DeviceSubscription, ManagedDevice, ManagedProject, Organization } from '#shared/answers/management.ts'
import { UserType } from '#shared/answers/people.ts'
import { DEVICE_NAME_MAX_CHARACTERS, LOCATION_MAX_CHARACTERS, PROJECT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, link, listOf, optional, text, time, yesNo } from '../../schemas.ts'
import { created, done, list, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { owner, PAGED, SEARCHED } from './schemas.ts'

const BASE = '/api/v2/management'
const ORGANIZATION = `${BASE}/organizations/:organizationId`
const organizations = { name: 'Organizations and audit log', description: 'Integrators, their customers, and the log of actions.' }
const devices = { name: 'Projects and devices', description: 'Records of the management API. The `/api/portal/v1` endpoints need fewer calls to read them.' }
const read = { area: organizations, method: 'GET' } as const
const readDevices = { ...read, area: devices } as const
const change = { area: devices, changes: 'inventory' } as const
const fieldChange = { ...change, changesOnlyFields: true } as const

const filter = closed(SEARCHED)
const techViewQuery = closed({ enabled: optional(yesNo('Only integrators whose tech-support view is on, or off.')), ...PAGED })
const customers = closed({ ...SEARCHED, userType: optional(UserType) })
const auditLog = closed({
  ...SEARCHED,
  from: optional(time('Only entries since this time.')),
  to: optional(time('Only entries until this time.')),
  actorId: optional(id('Only actions of this person or service account.', 'u-17')),
  action: optional(listOf(text(100), 100, { description: 'Only these actions. Repeat the parameter for each action.' })),
  resourceType: optional(text(100, 'Only actions on this kind of object.')),
  resourceId: optional(id('Only actions on this object.')),
  customerId: optional(id('Only actions at this customer.', '9')),
  outcome: optional(text(100, 'Only actions with this outcome.'))
})
const techSupport = closed({ enable: yesNo('Whether support may view the organization.') })

const projectName = text(PROJECT_NAME_MAX_CHARACTERS)
const newProject = closed({ projectName, ...owner, customerId: optional(id('The customer, instead of `customer`.', '9')), partnerId: optional(id('The integrator, instead of `partner`.', '1')) }, { $id: 'NewProject' })
const projectChange = closed({ projectName }, { $id: 'ProjectChange' })
const deviceChange = closed({ project: optional(link('projects')), deviceName: optional(text(DEVICE_NAME_MAX_CHARACTERS)), location: optional(text(LOCATION_MAX_CHARACTERS)) }, { $id: 'DeviceChange' })

const nameTaken = { 409: { code: 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS', description: 'The customer already has a project with this name.' } }
const notEmpty = { 409: { description: 'The project still has devices.' } }

export const management: readonly ProxyRow[] = [
  {
    ...read,
    id: 'organizations.with-tech-view',
    path: `${BASE}/organizations/search/findByIsTechViewEnabled`,
    action: 'customers:view',
    scope: 'root',
    query: techViewQuery,
    summary: 'List the integrators by their tech-support view',
    answers: list('organizations', Organization)
  },
  { ...read, id: 'organizations.get', path: ORGANIZATION, action: 'projects:view', scope: 'own-organization', summary: 'Get an organization or customer', answers: ok(Organization) },
  {
    ...read,
    id: 'organizations.customers',
    path: `${ORGANIZATION}/customers`,
    action: 'customers:view',
    scope: 'own-organization',
    query: customers,
    summary: 'List the customers of an integrator',
    description: 'With the id of a customer, lists the customers that the user may see.',
    answers: list('customers', Organization)
  },
  { ...readDevices, id: 'organizations.projects', path: `${ORGANIZATION}/projects`, action: 'projects:view', scope: 'organization', query: filter, summary: 'List the projects of a customer', answers: list('projects', ManagedProject) },
  { ...readDevices, id: 'organizations.devices', path: `${ORGANIZATION}/devices`, action: 'devices:view', scope: 'organization', query: filter, summary: 'List the devices of a customer', answers: list('devices', ManagedDevice) },
  {
    ...read,
    id: 'audit-log.list',
    path: `${ORGANIZATION}/auditLogs`,
    action: 'audit-log:view',
    scope: 'organization',
    query: auditLog,
    upstreamProves: ['actorId', 'resourceId', 'customerId'],
    summary: 'List the audit log of an organization or customer',
    answers: list('auditLogs', AuditLogEntry)
  },
  {
    ...read,
    id: 'audit-log.actions',
    path: `${ORGANIZATION}/auditLogs/search/actions`,
    action: 'audit-log:view',
    scope: 'organization',
    summary: 'List the actions that an audit log can contain',
    answers: ok(Type.Object({ _embedded: Type.Object({ actions: Type.Array(Type.String()) }) }))
  },
  {
    area: organizations,
    id: 'organizations.tech-support',
    method: 'PATCH',
    path: `${ORGANIZATION}/techSupport`,
    action: 'tech-support:toggle',
    scope: 'organization',
    flag: 'enableTechSupport',
    query: techSupport,
    recorded: ['enable'],
    summary: 'Turn tech support on or off',
    answers: ok(Organization)
  },
  {
    ...change,
    id: 'projects.create',
    method: 'POST',
    path: `${BASE}/projects`,
    action: 'projects:create',
    scope: 'body-organization',
    check: 'new-project',
    body: newProject,
    recorded: ['projectName', 'customer', 'partner', 'customerId', 'partnerId'],
    summary: 'Create a project',
    answers: created(ManagedProject),
    refusals: nameTaken
  },
  {
    ...fieldChange,
    id: 'projects.rename',
    method: 'PATCH',
    path: `${BASE}/projects/:projectId`,
    action: 'projects:edit',
    scope: 'project',
    body: projectChange,
    recorded: ['projectName'],
    recordedBefore: ['projectName'],
    summary: 'Rename a project',
    answers: ok(ManagedProject),
    refusals: nameTaken
  },
  { ...change, id: 'projects.delete', method: 'DELETE', path: `${BASE}/projects/:projectId`, action: 'projects:delete', scope: 'project', recordedBefore: ['projectName'], summary: 'Delete a project', answers: done, refusals: notEmpty },
  {
    ...fieldChange,
    id: 'devices.update',
    method: 'PATCH',
    path: `${BASE}/devices/:deviceId`,
    action: 'devices:edit',
    scope: 'device',
    check: 'device-change',
    body: deviceChange,
    recorded: ['project', 'deviceName', 'location'],
    recordedBefore: ['projectName', 'deviceName', 'location'],
    summary: 'Rename or move a device',
    description: 'Fields that the body omits do not change.',
    answers: ok(ManagedDevice)
  },
  { ...change, id: 'devices.delete', method: 'DELETE', path: `${BASE}/devices/:deviceId`, action: 'devices:delete', scope: 'device', recordedBefore: ['projectName', 'deviceName'], summary: 'Delete a device', answers: done },
  {
    ...readDevices,
    id: 'subscriptions.list',
    path: '/api/v1/subscription/customers/:customerId',
    action: 'devices:view',
    scope: 'customer',
    summary: "List the subscriptions of a customer's devices",
    answers: ok(Type.Array(DeviceSubscription))
  }
]
