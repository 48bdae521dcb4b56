// What is told of organizations and the audit log (§7, A-1, A-15). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { halList, json, nullableText, optional, text, time, yesNo } from './shapes.ts'

const Organization = Type.Object(
  {
    id: text,
    orgName: text,
    isTechViewEnabled: yesNo,
    projectCount: Type.Integer(),
    deviceCount: Type.Integer(),
    partnerId: optional(Type.String({ description: 'The integrator, of a customer.' }))
  },
  { $id: 'Organization' }
)
const ORGANIZATION = {
  id: '1',
  orgName: 'Brightwell Integration',
  isTechViewEnabled: true,
  projectCount: 12,
  deviceCount: 340
}
const CUSTOMER = {
  id: '9',
  orgName: 'Northwind Properties',
  isTechViewEnabled: false,
  projectCount: 2,
  deviceCount: 31,
  partnerId: '1'
}

const AuditLogEntry = Type.Object(
  {
    id: text,
    timestamp: time,
    actor: Type.Object({
      id: text,
      type: Type.Enum(['USER', 'SERVICE_ACCOUNT', 'SYSTEM', 'SUPPORT'], { type: 'string' }),
      name: text,
      email: optional(nullableText)
    }),
    action: Type.String({ examples: ['DEVICE_MOVED'] }),
    outcome: Type.String({ examples: ['SUCCESS'] }),
    resource: Type.Object({ type: text, id: text, name: text }),
    customerId: optional(nullableText),
    customerName: optional(nullableText),
    changes: Type.Array(
      Type.Object({
        field: text,
        before: Type.Optional(Type.Unknown()),
        after: Type.Optional(Type.Unknown())
      })
    ),
    ipAddress: optional(nullableText),
    userAgent: optional(nullableText),
    correlationId: optional(text)
  },
  { $id: 'AuditLogEntry' }
)

export const organizations: Area = area(
  'Organizations and audit log',
  'Integrators and their customers, and what was done there.',
  {
    'organizations.with-tech-view': {
      summary: 'List the integrators by tech support',
      answers: { 200: halList('One page of integrators.', 'organizations', Organization, ORGANIZATION) }
    },
    'organizations.get': {
      summary: 'Get an organization or customer',
      answers: { 200: json('The organization.', Organization, ORGANIZATION) }
    },
    'organizations.customers': {
      summary: 'List the customers of an integrator',
      description: "With a customer's own id: the customers that its user may see.",
      answers: { 200: halList('One page of customers.', 'customers', Organization, CUSTOMER) }
    },
    'audit-log.list': {
      summary: 'List the audit log of an organization or customer',
      answers: {
        200: halList('One page of entries.', 'auditLogs', AuditLogEntry, {
          id: 'al-9001',
          timestamp: '2025-06-12T12:05:31.120Z',
          actor: { id: 'u-17', type: 'USER', name: 'Maria Ruiz', email: 'maria@example.com' },
          action: 'DEVICE_MOVED',
          outcome: 'SUCCESS',
          resource: { type: 'DEVICE', id: 'd-7', name: 'AHU-3' },
          customerId: '9',
          customerName: 'Northwind Properties',
          changes: [{ field: 'projectName', before: 'East Wing', after: 'West Wing' }],
          ipAddress: '203.0.113.9',
          userAgent: 'Mozilla/5.0',
          correlationId: '0b9c4f8e-3d0a-4a53-9a4e-8f6f7a1f2c11'
        })
      }
    },
    'audit-log.actions': {
      summary: 'List the actions that an audit log can hold',
      answers: { 200: { description: 'The actions.' } }
    },
    'organizations.tech-support': {
      summary: 'Turn tech support on or off',
      answers: { 200: json('The organization.', Organization, ORGANIZATION) }
    }
  }
)
