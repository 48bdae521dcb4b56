// The expected access, written by hand from .github/product.md#actions, independent of server/ and shared/.
// A route missing here fails the grid test: add its callers and its sample request.
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { SignIn } from '#test/sandbox/sign-ins.ts'
import type { State } from '#test/sandbox/state.ts'

/** An organization, and one object of each kind that belongs to it. */
export interface Target {
  id: string
  scope: string
  isCustomer: boolean
  parameters: Record<string, string>
  systemGuid: string
}

export interface Rule {
  /** Initials of roles such as `GA PA`, or `everybody`, `signed-in`, `session` or `oneself`. */
  who: string
  /** The scope of the needed role: at or above the target, anywhere, or the root. */
  where?: 'target' | 'anywhere' | 'root'
  /** Also allows members of the organization; the upstream filters their results. */
  members?: true
  /** Ids of the organizations with which the grid calls the route. */
  targets?: string[]
  /** Allowed callers get 404, because the sample request names an object that does not exist. */
  finds?: 'nothing'
  body?: (target: Target) => unknown
  query?: (target: Target) => string
}

const PARTNER = NOTABLE.partner
const [CUSTOM_ADMINS] = NOTABLE.custom
const CUSTOMERS = [NOTABLE.northwind, CUSTOM_ADMINS, NOTABLE.otherPartnersCustomer]
const ORGANIZATIONS = [
  PARTNER,
  NOTABLE.northwind,
  CUSTOM_ADMINS,
  NOTABLE.partnerWithoutTechView,
  NOTABLE.otherPartnersCustomer
]
const ALL = 'GA PA PU CA CU NR NO'
const PUBLIC: Rule = { who: 'everybody' }
const SIGNED_IN: Rule = { who: 'signed-in' }

const atOneOf =
  (targets: string[]) =>
  (who: string, more: Partial<Rule> = {}): Rule => ({ who, where: 'target', targets, ...more })
const ofCustomer = atOneOf(CUSTOMERS)
const ofOrganization = atOneOf(ORGANIZATIONS)
const ofBoth = atOneOf([PARTNER, ...CUSTOMERS])
const ofOneself: Rule = { who: 'oneself', targets: ['oneself', 'another'] }

const link = (kind: string, id = '') => `/${kind}/${id}`
const links = ({ id, isCustomer }: Target) => ({
  partner: link('organizations', isCustomer ? partnerOf(id) : id),
  customer: isCustomer ? link('organizations', id) : null
})
const partnerOf = (customer: string) =>
  customer === NOTABLE.otherPartnersCustomer ? NOTABLE.partnerWithoutTechView : PARTNER
const grant = ({ scope, isCustomer }: Target) => [{ role: link('roles', isCustomer ? '5' : '3'), scope }]
const priority = { requestProcessingPriority: 255 }
const pointSearch = (searchType: string) => ({
  body: ({ systemGuid }: Target) => ({ systemGuid, searchType, searchItems: [] })
})
const range = { startTime: '2026-01-01', endTime: '2026-01-02' }

export const ORACLE: Record<string, Rule> = {
  client: PUBLIC,
  'auth.login': PUBLIC,
  'auth.callback': PUBLIC,
  'auth.session': PUBLIC,
  'auth.backchannel-logout': PUBLIC,
  'auth.session.renew': { who: 'session' },
  'auth.logout': PUBLIC,
  'auth.sessions': { who: 'session' },
  'auth.sessions.end': { who: 'session', finds: 'nothing' },
  'auth.sessions.end-others': { who: 'session' },
  'auth.logout-frames': PUBLIC,
  'auth.support': PUBLIC,
  'auth.logout-everywhere': { who: 'session' },
  docs: PUBLIC,
  'docs.css': PUBLIC,
  'docs.js': PUBLIC,
  'docs.content': SIGNED_IN,
  'docs.client': SIGNED_IN,
  openapi: SIGNED_IN,

  'portal.bootstrap': SIGNED_IN,
  'portal.me': SIGNED_IN,
  'portal.customers': ofOrganization('GA PA PU NR NO', { members: true }),
  'portal.attention': ofOrganization('GA PA PU NR NO', { members: true }),
  'portal.events': ofCustomer(ALL, { query: ({ id }) => `customerId=${id}` }),
  'portal.organization-alarms': ofOrganization('GA PA PU NR NO', { members: true }),
  'portal.worklist-services': ofOrganization('GA PA PU NR NO', { members: true }),
  'portal.worklist-plans': ofOrganization('GA PA PU NR NO', { members: true }),
  'portal.worklist-backups': ofOrganization('GA PA PU NR NO', { members: true }),
  'portal.organization-devices': ofOrganization('GA PA PU NR NO', { members: true }),
  'portal.projects': ofCustomer(ALL),
  'portal.devices': ofCustomer(ALL),
  'portal.device': ofCustomer(ALL),
  'portal.usage': ofCustomer(ALL),
  'portal.alarms': ofCustomer(ALL),
  'portal.tree': ofCustomer(ALL),
  'portal.report-data': ofCustomer(ALL, { finds: 'nothing' }),
  'portal.points': ofCustomer(ALL, { query: () => 'q=temp' }),
  'portal.point-values': ofCustomer(ALL),
  'portal.search': ofOrganization('GA PA PU NR NO', { members: true, query: () => 'q=ahu' }),

  'users.me': SIGNED_IN,
  'users.my-invitations': SIGNED_IN,
  'roles.list': SIGNED_IN,
  'users.list': { who: 'GA PA CA', where: 'root' },
  'users.search': { who: 'GA PA CA', where: 'root' },
  'users.get': ofBoth('GA PA CA'),
  'organizations.users': ofOrganization('GA PA CA'),
  'organizations.users-search': ofOrganization('GA PA CA'),
  'organizations.all-users': ofOrganization('GA PA CA'),
  'organizations.user-invitations': ofOrganization('GA PA CA'),
  'users.change-roles': ofBoth('GA PA CA', {
    body: (target) => ({ create: grant(target), update: [], delete: [] })
  }),
  'invitations.create': ofBoth('GA PA CA', {
    body: (target) => ({ email: 'a@b.example', ...links(target), roleAssignments: grant(target) })
  }),
  'invitations.cancel': ofBoth('GA PA CA'),
  'invitations.resend': ofBoth('GA PA CA'),
  'invitations.accept': ofOneself,
  'invitations.reject': ofOneself,

  'organizations.with-tech-view': { who: 'GA PA PU NR NO', where: 'root' },
  'organizations.get': ofOrganization(ALL, { members: true }),
  'organizations.customers': ofOrganization('GA PA PU NR NO', { members: true }),
  'organizations.projects': ofOrganization(ALL),
  'organizations.devices': ofOrganization(ALL),
  'audit-log.list': ofOrganization(ALL),
  'audit-log.actions': ofOrganization(ALL),
  'organizations.tech-support': ofOrganization('PA', { query: () => 'enable=true' }),
  'projects.create': ofCustomer('GA PA', { body: (target) => ({ projectName: 'New', ...links(target) }) }),
  'projects.rename': ofCustomer('GA PA', { body: () => ({ projectName: 'New' }) }),
  'projects.delete': ofCustomer('GA PA'),
  'devices.update': ofCustomer('GA PA', {
    body: ({ parameters }) => ({ deviceName: 'New', project: link('projects', parameters.projectId) })
  }),
  'devices.delete': ofCustomer('GA PA'),
  'subscriptions.list': ofCustomer(ALL),

  'service-accounts.list': ofOrganization('GA PA'),
  'service-accounts.create': ofBoth('GA PA', {
    body: (target) => ({ serviceName: 'New', ...links(target), roleAssignments: grant(target) })
  }),
  'service-accounts.get': ofBoth('GA PA'),
  'service-accounts.edit': ofBoth('GA PA', { body: () => ({ serviceName: 'New' }) }),
  'service-accounts.delete': ofBoth('GA PA'),
  'service-accounts.change-roles': ofBoth('GA PA', { body: (target) => ({ create: grant(target) }) }),
  'service-accounts.new-secret': ofBoth('GA PA', { body: () => ({ expiration: '2030-01-01' }) }),

  'registration.licenses': { who: 'GA PA', where: 'anywhere' },
  'registration.register': ofCustomer('GA PA', {
    body: ({ id, parameters }) => ({
      userCode: 'ABCD1234',
      licenseId: 'l',
      customer: link('organizations', id),
      project: link('projects', parameters.projectId),
      deviceName: 'New',
      location: 'New'
    })
  }),
  'reregistration.licenses': ofCustomer('GA PA'),
  'reregistration.reregister': ofCustomer('GA PA', {
    body: ({ parameters }) => ({ userCode: 'ABCD1234', deviceUuid: parameters.deviceUuid, licenseId: 'l' })
  }),

  'notifications.preferences': ofOneself,
  'notifications.change-preferences': { ...ofOneself, body: () => [] },
  'notifications.list': ofOneself,
  'notifications.mark': { ...ofOneself, body: () => ({ readStatus: true, notificationIds: [] }) },

  'points.by-point-name': ofCustomer(ALL, pointSearch('pointNames')),
  'points.by-tag-value': ofCustomer(ALL, pointSearch('tagValues')),
  'points.by-tag-name': ofCustomer(ALL, pointSearch('tagNames')),
  'usage.metrics': ofCustomer(ALL, { query: ({ parameters }) => `deviceId=${parameters.deviceId}` }),
  'histories.query': ofCustomer(ALL, { body: ({ systemGuid }) => ({ systemGuid, pointIds: [], ...range }) }),
  'reports.list': ofCustomer(ALL),
  'reports.create': ofCustomer('GA PA CA', {
    body: () => ({ reportName: 'New', reportDetails: { selectedDateFilter: 'Today', selectedPoints: [] } })
  }),
  'reports.get': ofCustomer(ALL),
  'reports.edit': ofCustomer('GA PA CA', { body: () => ({ reportName: 'New' }) }),
  'reports.delete': ofCustomer('GA PA CA'),
  'exports.list': ofBoth('GA PA PU CA CU', {
    query: ({ id, isCustomer }) => `${isCustomer ? 'customerId' : 'organizationId'}=${id}`
  }),
  'exports.create': ofCustomer('GA PA PU CA', {
    body: ({ id, systemGuid }) => ({
      customerId: id,
      exportName: 'New',
      selectedPoints: [{ systemGuid, pointIds: [] }],
      ...range,
      format: 'CSV',
      timeZone: 'UTC'
    })
  }),
  'exports.get': ofCustomer('GA PA PU CA CU'),
  'exports.download': ofCustomer('GA PA PU CA'),
  'exports.cancel': ofCustomer('GA PA PU CA'),
  'exports.delete': ofCustomer('GA PA PU CA'),

  'control.read': ofCustomer(ALL, { body: () => ({ cloudIds: [], ...priority }) }),
  'control.read-all': ofCustomer(ALL, { body: () => ({ cloudIds: [], priority: 255 }) }),
  'control.write': ofCustomer('GA PA CA NO', { body: () => ({ points: [], ...priority }) }),
  'control.clear': ofCustomer('GA PA CA NO', { body: () => ({ points: [], ...priority }) }),
  'control.acknowledge-alarm': ofCustomer('GA PA CA NO', { body: () => ({ alarmUuids: [], ...priority }) }),
  'control.edit-alarm-data': ofCustomer('GA PA CA NO', { body: () => ({ alarms: [], ...priority }) }),
  'control.acknowledge-alarm-batch': ofCustomer('GA PA CA NO', {
    body: ({ parameters }) => [{ deviceId: parameters.deviceId, alarmUuids: [], ...priority }]
  }),
  'remote.connect': ofCustomer('GA PA CA NR', { body: () => ({}) }),
  'alarms.search': ofCustomer(ALL, { body: ({ systemGuid }) => ({ systemGuids: [systemGuid] }) }),
  'alarms.count': ofCustomer(ALL, { query: ({ parameters }) => `sourceId=${parameters.deviceId}` }),
  'backups.list': ofCustomer('GA PA PU CA CU'),
  'backups.edit': ofCustomer('GA PA', { body: () => ({ notes: 'x' }) }),
  'backups.delete': ofCustomer('GA PA'),
  'backups.download': ofCustomer('GA PA PU CA')
}

const INITIALS: Record<string, string> = {
  global_admin: 'GA',
  partner_admin: 'PA',
  partner_user: 'PU',
  customer_admin: 'CA',
  customer_user: 'CU',
  niagara_remote: 'NR',
  nds_operator: 'NO'
}

export type Person = Pick<SignIn, 'roles' | 'organizationId' | 'username'>

/** Returns whether the oracle allows the call. */
export function expects(
  { who, where, members }: Rule,
  person: Person | null,
  targetId: string,
  scope: string
): boolean {
  if (who === 'everybody') return true
  if (person === null) return false
  if (who === 'signed-in' || who === 'session') return true
  if (who === 'oneself') return targetId === 'oneself'
  if (members && person.organizationId === targetId) return true
  return person.roles.some(({ role, scope: roleScope }) => {
    if (!who.split(' ').includes(INITIALS[role] ?? '')) return false
    if (where === 'anywhere') return true
    return isAtOrBelow(where === 'root' ? '/' : scope, roleScope)
  })
}

function isAtOrBelow(scope: string, roleScope: string): boolean {
  const [path, rolePath] = [scope, roleScope].map((text) => text.split('/').filter((name) => name !== ''))
  return (rolePath ?? []).every((segment, index) => path?.[index] === segment)
}

export function targetOf(id: string, state: State): Target {
  const isCustomer = id.startsWith('c-')
  const scope = isCustomer ? `/organizations/${partnerOf(id)}/customers/${id}` : `/organizations/${id}`
  const [device] = state.devices.of(id)
  const user = [...state.users.values()].find((item) => item.id.startsWith(`u-${id}-`))
  return {
    id,
    scope,
    isCustomer,
    systemGuid: device?.systemGuid ?? '',
    parameters: {
      organizationId: id,
      customerId: id,
      userId: user?.id ?? '',
      projectId: state.projects.of(id)[0]?.id ?? '',
      deviceId: device?.id ?? '',
      deviceUuid: device?.deviceUuid ?? '',
      serviceAccountId: `account-of-${id}`,
      exportId: `export-of-${id}`,
      invitationId: `invitation-of-${id}`,
      reportId: 'report-1',
      backupId: 'backup-1',
      code: 'ABCD1234'
    }
  }
}
