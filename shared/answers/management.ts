// Schemas of organizations, projects, devices, licenses and the audit log in answers of the management APIs.
import Type, { type Static } from 'typebox'
import { deviceFields, subscription } from './customers.ts'
import { count, Href, named, oneOf, optional, text, textOrNull, texts, time } from './parts.ts'

export const Organization = named('Organization', {
  ...texts('id', 'orgName'),
  isTechViewEnabled: Type.Boolean(),
  projectCount: count(),
  deviceCount: count(),
  partnerId: optional(text('Id of the integrator of a customer.'))
})
export type Organization = Static<typeof Organization>

export const AuditLogEntry = named('AuditLogEntry', {
  ...texts('id'),
  timestamp: time(),
  actor: Type.Object({
    ...texts('id', 'name'),
    type: oneOf(['USER', 'SERVICE_ACCOUNT', 'SYSTEM', 'SUPPORT']),
    email: optional(textOrNull())
  }),
  action: Type.String({ examples: ['DEVICE_MOVED'] }),
  outcome: Type.String({ examples: ['SUCCESS'] }),
  resource: Type.Object({ ...texts('type', 'id'), name: textOrNull() }),
  device: optional(
    Type.Union([Type.Object(texts('id', 'deviceUuid', 'name')), Type.Null()], {
      description: 'The device that the action was about.'
    })
  ),
  customerId: textOrNull(),
  customerName: textOrNull(),
  changes: optional(
    Type.Array(Type.Object({ ...texts('field'), before: textOrNull(), after: textOrNull() }))
  ),
  ipAddress: optional(textOrNull()),
  userAgent: optional(textOrNull()),
  correlationId: optional(textOrNull())
})
export type AuditLogEntry = Static<typeof AuditLogEntry>

export const ManagedProject = named('ManagedProject', {
  ...texts('id', 'projectName'),
  _links: Type.Object({ customer: Href, partner: Href })
})

export const ManagedDevice = named('ManagedDevice', {
  ...deviceFields,
  projectId: text(),
  createdDate: optional(time())
})

export const DeviceSubscription = named('DeviceSubscription', { ...texts('deviceUuid'), ...subscription })

export const License = named('License', {
  ...texts('licenseId', 'niagaraLicenseId', 'customerName'),
  features: Type.Object({ subscriptions: Type.Array(Type.Object(texts('offeringCode'))) })
})
export type License = Static<typeof License>
