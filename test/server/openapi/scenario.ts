// The calls of the contract test: every operation at least once, in an order that works.
import type { Test } from 'tap'
import type { Sandbox } from '#test/sandbox/app.ts'
import { CODES, NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
import { eventually } from '#test/support/eventually.ts'
import type { Answer, Call, contractOf, Send } from './operations.ts'

export const NOON = Date.parse('2026-03-11T12:00:00Z')
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

type Options = Call & { as?: string }
/** One run of the scenario, with its functions to call operations. */
interface Calls {
  t: Test
  time: { now: number }
  sandbox: Sandbox
  call(id: string, options: Options): Promise<Answer>
  /** The body of a good answer. */
  answered(id: string, options?: Options): Promise<Answer['body']>
  /** The items of a list that must not be empty. */
  listed(id: string, rel: string, options?: Options): Promise<Answer['body'][]>
  refused(id: string, status: number, code: string, options?: Options): Promise<void>
}

/** The first good call of each operation, and its answer. */
export type Good = Map<string, { as: string; call: Call; answer: Answer }>

const partner = `/organizations/${NOTABLE.partner}`
const customer = `/organizations/${NOTABLE.northwind}`
const scope = `${partner}/customers/${NOTABLE.northwind}`
const roleAssignments = [{ role: '/roles/5', scope }]
const requestProcessingPriority = 255
const span = { startTime: new Date(NOON - DAY_MS).toISOString(), endTime: new Date(NOON).toISOString() }

/** Default path parameters. */
export const PARAMS: Record<string, string> = {
  organizationId: NOTABLE.partner,
  customerId: NOTABLE.northwind,
  userId: 'u-partner-admin',
  projectId: 'p-1001-1',
  serviceAccountId: 'sa-1001-1',
  deviceId: NOTABLE_DEVICES.airHandler
}
const NORTHWIND = { organizationId: NOTABLE.northwind }

export async function scenario(
  run: Pick<Calls, 't' | 'time' | 'sandbox'>,
  contract: ReturnType<typeof contractOf>,
  good: Good,
  sendAs: (username: string) => Send
): Promise<void> {
  const { t, sandbox } = run
  const { deviceUuid } = airHandlerOf(sandbox)
  async function call(id: string, options: Options): Promise<Answer> {
    const { as = 'partner.admin', params, headers, ...rest } = options
    const claims = contract.operation(id).parameters?.some(({ name }) => name === 'x-customer-id')
    const claim: Record<string, string> = claims ? { 'x-customer-id': NOTABLE.northwind } : {}
    const sent = { ...rest, params: { ...PARAMS, deviceUuid, ...params }, headers: { ...claim, ...headers } }
    const answer = await contract.call(t, sendAs(as), id, sent)
    if (answer.status < 300 && !good.has(id)) good.set(id, { as, call: sent, answer })
    return answer
  }
  async function answered(id: string, options: Options = {}): Promise<Answer['body']> {
    const { status, body } = await call(id, options)
    t.ok(status < 300, `${id} answered ${status}`)
    return body
  }
  async function listed(id: string, rel: string, options: Options = {}): Promise<Answer['body'][]> {
    const items = (await answered(id, options))._embedded?.[rel] ?? []
    t.ok(items.length > 0, `${id}: ${rel}`)
    return items
  }
  async function refused(id: string, status: number, code: string, options: Options = {}): Promise<void> {
    t.match(await call(id, options), { status, body: code === '' ? {} : { code } }, `${id} ${code}`)
  }

  const calls = { ...run, call, answered, listed, refused }
  const steps = [readAll, projectsAndDevices, peopleAndInvitations, serviceAccounts, registration]
  for (const step of [...steps, notifications, data, liveValues, alarms, files, remote]) await step(calls)
}

function airHandlerOf({ state }: Sandbox) {
  const device = state.devices.get(NOTABLE_DEVICES.airHandler)
  const point =
    device && pointsOf(device).find(({ displayName }) => displayName === 'Supply Air Temp Setpoint')
  if (!device || !point) throw new Error('the sandbox has no air handler with that point')
  const { cloudId, telemetryId } = point
  const { id: deviceId, deviceUuid, systemGuid } = device
  return { deviceId, deviceUuid, systemGuid, cloudId, telemetryId }
}

async function readAll({ t, sandbox, call, answered, listed }: Calls): Promise<void> {
  await answered('openapi')
  const old = sandbox.state.devices.get(NOTABLE_DEVICES.usageExceeded)?.deviceUuid ?? ''
  await answered('portal.usage', { params: { deviceUuid: old } })
  for (const id of ['me', 'customers', 'projects', 'devices', 'device', 'alarms', 'tree'])
    await answered(`portal.${id}`, { query: id === 'devices' ? '?size=50' : '' })
  await answered('portal.attention')
  await answered('portal.points', { query: '?q=temp' })
  await answered('portal.search', { query: '?q=chiller' })
  const lines = { accept: 'application/x-ndjson' }
  t.ok((await answered('portal.tree', { headers: lines })).length > 1000)
  await answered('portal.search', { query: '?q=chiller', headers: lines })
  for (const id of ['openapi', 'portal.tree', 'portal.attention'])
    await eventually(async () => {
      const etag = (await call(id, {})).headers.get('etag') ?? ''
      return (await call(id, { headers: { 'if-none-match': etag } })).status === 304
    })
  const enabled = { as: 'global.admin', query: '?enabled=true' }
  await listed('organizations.with-tech-view', 'organizations', enabled)
  await listed('users.list', 'users', { as: 'global.admin' })
  await listed('users.search', 'users', { as: 'global.admin', query: '?keyword=andersson' })
  await listed('organizations.customers', 'customers')
  await listed('organizations.projects', 'projects', { params: NORTHWIND })
  await listed('organizations.devices', 'devices', { params: NORTHWIND })
  for (const id of ['organizations.users', 'organizations.all-users', 'organizations.users-search'])
    await listed(id, 'users', { query: id.endsWith('search') ? '?keyword=andersson' : '' })
  await listed('roles.list', 'roles')
  await listed('service-accounts.list', 'serviceAccounts')
  await listed('reports.list', 'reports')
  await listed('exports.list', 'exports', { query: `?customerId=${NOTABLE.northwind}&size=100` })
  t.match(await answered('organizations.get', { params: NORTHWIND }), { projectCount: 63, deviceCount: 1240 })
  await answered('organizations.tech-support', { query: '?enable=true' })

  await listed('audit-log.list', 'auditLogs', { query: '?size=1000' })
  t.ok((await answered('audit-log.actions'))._embedded.actions.includes('DEVICE_MOVED'))
}

async function projectsAndDevices({ t, answered, refused }: Calls): Promise<void> {
  t.ok((await answered('subscriptions.list')).length > 1000)
  const duplicate = 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS'
  const lab = { projectName: 'Test Lab', customer, partner }
  const { id: projectId } = await answered('projects.create', { body: lab })
  await refused('projects.create', 409, duplicate, { body: { ...lab, projectName: 'TEST LAB' } })
  await refused('projects.rename', 409, duplicate, { body: { projectName: 'Test Lab' } })
  await answered('projects.rename', { params: { projectId }, body: { projectName: 'Lab 2' } })
  const move = { deviceName: 'AHU 2', location: 'Roof', project: `/projects/${projectId}` }
  t.match(await answered('devices.update', { body: move }), { deviceName: 'AHU 2', projectName: 'Lab 2' })
  await refused('projects.delete', 409, 'PROJECT_HAS_DEVICES', { params: { projectId } })
  await answered('devices.update', { body: { project: '/projects/p-1001-1' } })
  await answered('projects.delete', { params: { projectId } })
  await answered('devices.delete', { params: { deviceId: 'd-1001-10' } })
}

async function peopleAndInvitations({ t, sandbox, answered, listed, refused }: Calls): Promise<void> {
  await answered('users.me')
  await answered('users.get')
  const change = { create: roleAssignments, update: [], delete: [] }
  const userId = 'u-partner-user'
  const changed = await answered('users.change-roles', { params: { userId }, body: change })
  t.match(changed.roleAssignments.at(-1), { scope, _links: { role: { href: '/roles/5' } } })
  const last = { userId: 'u-c-1003-1' }
  const removal = { delete: [onlyAdminOf(sandbox, 'c-1003', last.userId)] }
  await refused('users.change-roles', 409, 'LAST_ADMIN', { params: last, body: removal })
  const invitation = { email: 'no.access@portal.example', partner, customer, roleAssignments }
  const { id: invitationId } = await answered('invitations.create', { body: invitation })
  const one = { params: { invitationId } }
  await listed('organizations.user-invitations', 'userInvitations')
  await answered('invitations.resend', one)
  await answered('invitations.cancel', one)
  const as = 'invited.user'
  const [accepted, rejected] = await listed('users.my-invitations', 'userInvitations', { as })
  await refused('invitations.accept', 404, 'notFound', { params: { invitationId: accepted.id } })
  await answered('invitations.reject', { as, params: { invitationId: rejected.id } })
  await answered('invitations.accept', { as, params: { invitationId: accepted.id } })
  t.match(await answered('users.me', { as }), { userType: 'CUSTOMER', roleAssignments: [{ scope }] })
  await refused('invitations.reject', 404, 'notFound', { as, params: { invitationId: accepted.id } })
}

async function serviceAccounts({ t, answered }: Calls): Promise<void> {
  const account = { serviceName: 'Night Reader', description: '', roleAssignments, customer, partner }
  const { id: serviceAccountId } = await answered('service-accounts.create', { body: account })
  const its = { params: { serviceAccountId } }
  t.match(await answered('service-accounts.get', its), { secretExpiration: null })
  await answered('service-accounts.edit', { ...its, body: { description: 'Reads.' } })
  await answered('service-accounts.change-roles', { ...its, body: { create: roleAssignments } })
  const expiration = '2026-09-11T00:00:00.000Z'
  t.match(await answered('service-accounts.new-secret', { ...its, body: { expiration } }), { expiration })
  t.notOk('secret' in (await answered('service-accounts.get', its)), 'shows a secret only once')
  await answered('service-accounts.delete', its)
}

async function registration({ t, sandbox, answered, refused }: Calls): Promise<void> {
  const code = 'THREE100'
  const { licenses } = await answered('registration.licenses', { params: { code } })
  t.equal(licenses.length, 3)
  t.same(await answered('registration.licenses', { params: { code: CODES.noLicense } }), { licenses: [] })
  await refused('registration.licenses', 404, 'expired', { params: { code: CODES.expired } })
  const place = { customer, project: '/projects/p-1001-1', deviceName: 'C 7', location: 'Roof' }
  const registered = { userCode: code, licenseId: licenses[0].licenseId, ...place }
  await answered('registration.register', { body: registered })
  await refused('registration.register', 404, 'notFound', { body: registered })
  const device = { deviceUuid: sandbox.state.devices.get(NOTABLE_DEVICES.chiller)?.deviceUuid ?? '' }
  const again = await answered('reregistration.licenses', { params: { code: 'ONE00200', ...device } })
  const [license] = again.licenses
  const body = { userCode: 'ONE00200', ...device, licenseId: license.licenseId }
  await answered('reregistration.reregister', { body })
}

async function notifications({ t, answered }: Calls): Promise<void> {
  const preference = { eventTypeId: 2, notificationType: 'email', subscribe: false }
  t.equal((await answered('notifications.preferences')).length, 2)
  t.match(await answered('notifications.change-preferences', { body: [preference] }), [{}, preference])
  const unread = '?readStatus=false&size=100'
  const [newest, ...others] = (await answered('notifications.list', { query: unread })).content
  const marks = { readStatus: true, readAllNotifications: false, notificationIds: [newest.notificationId] }
  await answered('notifications.mark', { body: marks })
  t.same((await answered('notifications.list', { query: unread })).content, others)
}

async function data({ t, answered, listed, sandbox }: Calls): Promise<void> {
  const { deviceId, systemGuid, telemetryId } = airHandlerOf(sandbox)
  const SEARCHES = { pointNames: 'by-point-name', tagNames: 'by-tag-name', tagValues: 'by-tag-value' }
  for (const [searchType, name] of Object.entries(SEARCHES)) {
    const search = { systemGuid, searchItems: [''], searchType, comparisonType: 'CONTAINS' }
    await listed(`points.${name}`, 'pointModels', { query: '?count=true', body: search })
    const { page } = await answered(`points.${name}`, { body: search })
    t.notOk('totalElements' in page, 'counts only if requested')
  }
  const history = { systemGuid, pointIds: [telemetryId], ...span }
  await answered('histories.query', { body: history })
  const usage = `?deviceId=${deviceId}&metricsId=DATA_USAGE&offeringCode=NDS&duration=`
  t.equal(Object.keys(await answered('usage.metrics', { query: `${usage}MONTHLY` })).length, 30)
  t.ok(Object.keys(await answered('usage.metrics', { query: `${usage}YEARLY` })).length > 1)
}

async function liveValues({ t, answered, refused, sandbox }: Calls): Promise<void> {
  const { cloudId } = airHandlerOf(sandbox)
  const read = { cloudIds: [cloudId], requestProcessingPriority }
  const all = { cloudIds: [], priority: 255 }
  const offline = { params: { deviceId: NOTABLE_DEVICES.offline } }
  t.match(await answered('control.read', { body: read }), [{ cloudId, status: 'ok' }])
  t.ok((await answered('control.read-all', { body: all })).length >= 30)
  const stale = await answered('control.read-all', { ...offline, body: all })
  t.match(stale[0], { status: 'down,stale', error: /offline/ })
  const written = { points: [{ cloudId, value: 20 }], requestProcessingPriority }
  t.match(await answered('control.write', { body: written }), [{ cloudId, status: 'OK' }])
  const cleared = { points: [{ cloudId }], requestProcessingPriority }
  t.match(await answered('control.clear', { body: cleared }), [{ cloudId, status: 'OK' }])
  await refused('control.read', 400, 'malformed', { body: { cloudIds: [] } })
}

async function alarms({ t, answered, listed }: Calls): Promise<void> {
  const search = (filter: object) =>
    listed('alarms.search', 'alarms', { query: '?size=1000&count=true', body: filter })
  await search({})
  const [alarm, other] = await search({ ackStates: ['unacked'] })
  const its = { params: { deviceId: alarm.deviceId } }
  await answered('alarms.count', { ...its, query: `?sourceId=${alarm.deviceId}` })
  const noted = { alarms: [{ uuid: alarm.uuid, notes: 'Seen.' }], requestProcessingPriority }
  await answered('control.edit-alarm-data', { ...its, body: noted })
  const acknowledged = { alarmUuids: [alarm.uuid], requestProcessingPriority }
  await answered('control.acknowledge-alarm', { ...its, body: acknowledged })
  const changed = (await search({})).find(({ uuid }) => uuid === alarm.uuid)
  t.match(changed, { ackState: 'ackPending', notes: [{ text: 'Seen.' }] })
  const batch = [{ deviceId: other.deviceId, alarmUuids: [other.uuid], requestProcessingPriority }]
  t.match(await answered('control.acknowledge-alarm-batch', { body: batch }), [{ status: 'OK' }])
}

async function files({ t, time, answered, listed, refused, sandbox }: Calls): Promise<void> {
  const { deviceId, systemGuid, cloudId, telemetryId } = airHandlerOf(sandbox)
  const selectedPoints = [{ device: deviceId, point: cloudId }]
  const reportDetails = { selectedDateFilter: 'Custom Range', selectedPoints }
  const report = { reportName: 'Night view', reportDetails, ...span }
  const params = await answered('reports.create', { body: report })
  await answered('reports.edit', { params, body: { reportName: 'Day view' } })
  t.match(await answered('reports.get', { params }), { ...report, reportName: 'Day view' })
  await answered('reports.delete', { params })
  const newExport = {
    ...{ exportName: 'A day', customerId: NOTABLE.northwind, ...span, format: 'CSV', timeZone: 'UTC' },
    selectedPoints: [{ systemGuid, pointIds: [telemetryId] }]
  }
  const { id: exportId } = await answered('exports.create', { body: newExport })
  await refused('exports.download', 409, 'notReady', { params: { exportId } })
  time.now += MINUTE_MS
  t.match(await answered('exports.get', { params: { exportId } }), { status: 'READY', rowCount: 96 })
  await answered('exports.download', { params: { exportId } })
  const { id: another } = await answered('exports.create', { body: newExport })
  await answered('exports.cancel', { params: { exportId: another } })
  await answered('exports.delete', { params: { exportId } })
  time.now = NOON
  const backups = await listed('backups.list', 'backups', { query: '?retained=false&size=100' })
  const { id: backupId } = backups.find(({ status }) => status === 'COMPLETE')
  await answered('backups.edit', { params: { backupId }, body: { notes: 'Keep', retained: true } })
  await refused('backups.delete', 409, 'retained', { params: { backupId } })
  await answered('backups.download', { params: { backupId } })
  await answered('backups.edit', { params: { backupId }, body: { retained: false } })
  await answered('backups.delete', { params: { backupId } })
}

async function remote({ sandbox, answered, refused }: Calls): Promise<void> {
  await answered('remote.connect')
  const uuidOf = (id: string) => ({ params: { deviceUuid: sandbox.state.devices.get(id)?.deviceUuid ?? '' } })
  await refused('remote.connect', 403, 'notLicensed', uuidOf(NOTABLE_DEVICES.withoutServices))
  await refused('remote.connect', 409, 'offline', uuidOf(NOTABLE_DEVICES.offline))
}

function onlyAdminOf({ state }: Sandbox, customerId: string, userId: string): string {
  const isAtCustomer = ({ scope }: { scope: string }) => scope === `${partner}/customers/${customerId}`
  for (const { id, roleAssignments } of state.users.values())
    for (const assignment of roleAssignments.filter(isAtCustomer))
      Object.assign(assignment, id === userId ? ADMIN : { roleNumber: 5, roleName: 'customer_user' })
  return state.users.get(userId)?.roleAssignments.find(isAtCustomer)?.id ?? ''
}
const ADMIN = { roleNumber: 4, roleName: 'customer_admin' }
