// Organizations, projects, devices, subscriptions and the audit log (§7, A-1, A-15). Rows only.
import type { ProxyRow } from '../table.ts'

const BASE = '/api/v2/management'
const ORGANIZATION = `${BASE}/organizations/:organizationId`
const read = { method: 'GET', upstream: 'MANAGEMENT' } as const
const change = { upstream: 'MANAGEMENT', changesInventory: true } as const

export const management: readonly ProxyRow[] = [
  { ...read, id: 'organizations.with-tech-view', path: `${BASE}/organizations/search/findByIsTechViewEnabled`, action: 'customers:view', scope: 'root' },
  { ...read, id: 'organizations.get', path: ORGANIZATION, action: 'projects:view', scope: 'own-organization' },
  { ...read, id: 'organizations.customers', path: `${ORGANIZATION}/customers`, action: 'customers:view', scope: 'own-organization' },
  { ...read, id: 'organizations.projects', path: `${ORGANIZATION}/projects`, action: 'projects:view', scope: 'organization' },
  { ...read, id: 'organizations.devices', path: `${ORGANIZATION}/devices`, action: 'devices:view', scope: 'organization' },
  { ...read, id: 'audit-log.list', path: `${ORGANIZATION}/auditLogs`, action: 'audit-log:view', scope: 'organization' },
  { ...read, id: 'audit-log.actions', path: `${ORGANIZATION}/auditLogs/search/actions`, action: 'audit-log:view', scope: 'organization' },
  { id: 'organizations.tech-support', method: 'PATCH', path: `${ORGANIZATION}/techSupport`, action: 'tech-support:toggle', scope: 'organization', upstream: 'MANAGEMENT', flag: 'enableTechSupport' },
  { ...change, id: 'projects.create', method: 'POST', path: `${BASE}/projects`, action: 'projects:create', scope: 'body-organization', check: 'new-project', accepts: ['projectName', 'customer', 'partner', 'customerId', 'partnerId'] },
  { ...change, id: 'projects.rename', method: 'PATCH', path: `${BASE}/projects/:projectId`, action: 'projects:edit', scope: 'project', accepts: ['projectName'] },
  { ...change, id: 'projects.delete', method: 'DELETE', path: `${BASE}/projects/:projectId`, action: 'projects:delete', scope: 'project' },
  { ...change, id: 'devices.update', method: 'PATCH', path: `${BASE}/devices/:deviceId`, action: 'devices:edit', scope: 'device', check: 'device-change', accepts: ['project', 'deviceName', 'location'] },
  { ...change, id: 'devices.delete', method: 'DELETE', path: `${BASE}/devices/:deviceId`, action: 'devices:delete', scope: 'device' },
  { ...read, id: 'subscriptions.list', path: '/api/v1/subscription/customers/:customerId', action: 'devices:view', scope: 'customer', upstream: 'SUBSCRIPTION' }
]
