// The calls of the contract test: every operation at least once, in an order in which all succeed.
import type { Test } from 'tap'
import type { Sandbox } from '#test/sandbox/app.ts'
import { loseNewBackups } from '#test/sandbox/seed/lost-backups.ts'
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
  /** Makes a call that must succeed. Returns the body of the answer. */
  ask(id: string, options?: Options): Promise<Answer['body']>
  /** Makes a call that must return items. Returns the items. */
  list(id: string, rel: string, options?: Options): Promise<Answer['body'][]>
  completed(path: string): Promise<unknown>
  refuses(id: string, status: number, code: string, options?: Options): Promise<void>
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
    const full = { ...rest, params: { ...PARAMS, deviceUuid, ...params }, headers: { ...claim, ...headers } }
    const answer = await contract.call(t, sendAs(as), id, full)
    if (answer.status < 300 && !good.has(id)) good.set(id, { as, call: full, answer })
    return answer
  }
  async function ask(id: string, options: Options = {}): Promise<Answer['body']> {
    const { status, body } = await call(id, options)
    t.ok(status < 300, `${id} answered ${status}`)
    return body
  }
  async function list(id: string, rel: string, options: Options = {}): Promise<Answer['body'][]> {
    const items = (await ask(id, options))._embedded?.[rel] ?? []
    t.ok(items.length > 0, `${id}: ${rel}`)
    return items
  }
  async function refuses(id: string, status: number, code: string, options: Options = {}): Promise<void> {
    t.match(await call(id, options), { status, body: code === '' ? {} : { code } }, `${id} ${code}`)
  }

  /** Repeats a call of the portal until its answer is complete. */
  const completed = (path: string) =>
    eventually(async () => {
      const answer = await sendAs('partner.admin')(`/api/portal/v1${path}`, {})
      const { partial, isReading } = (await answer.json()) as { partial: unknown[]; isReading?: boolean }
      return partial.length === 0 && !isReading
    })

  const calls = { ...run, completed, call, ask, list, refuses }
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

async function readAll({ t, sandbox, completed, call, ask, list }: Calls): Promise<void> {
  await ask('openapi')
  loseNewBackups(sandbox.state, NOTABLE_DEVICES.usageExceeded)
  const uuid = sandbox.state.devices.get(NOTABLE_DEVICES.usageExceeded)?.deviceUuid ?? ''
  await ask('portal.usage', { params: { deviceUuid: uuid } })
  for (const id of ['me', 'customers', 'projects', 'devices', 'device', 'alarms', 'tree'])
    await ask(`portal.${id}`, { query: id === 'devices' ? '?size=50' : '' })
  await completed(`${partner}/alarms`)
  await ask('portal.organization-alarms')
  await ask('portal.attention')
  for (const name of ['services', 'plans', 'backups']) {
    await completed(`${partner}/worklists/${name}`)
    await ask(`portal.worklist-${name}`)
  }
  await completed(`${partner}/devices`)
  await ask('portal.organization-devices', { query: '?size=3' })
  const live = `?customerId=${NOTABLE.northwind}&organizationId=${NOTABLE.partner}`
  await ask('portal.events', { query: live })
  await ask('portal.points', { query: '?q=temp' })
  const values = { params: { customerId: NOTABLE.withOneAdmin }, query: '?name=Outdoor+Air+Temp&size=2' }
  await completed(`/customers/${NOTABLE.withOneAdmin}/points/values${values.query}`)
  for (const accept of ['application/json', 'application/x-ndjson', 'text/csv'])
    await ask('portal.point-values', { ...values, headers: { accept } })
  await ask('portal.search', { query: '?q=chiller' })
  const lines = { accept: 'application/x-ndjson' }
  t.ok((await ask('portal.tree', { headers: lines })).length > 1000)
  await ask('portal.search', { query: '?q=chiller', headers: lines })
  for (const id of ['openapi', 'portal.tree', 'portal.attention'])
    await eventually(async () => {
      const etag = (await call(id, {})).headers.get('etag') ?? ''
      return (await call(id, { headers: { 'if-none-match': etag } })).status === 304
    })
  const options = { as: 'global.admin', query: '?enabled=true' }
  await list('organizations.with-tech-view', 'organizations', options)
  await list('users.list', 'users', { as: 'global.admin' })
  await list('users.search', 'users', { as: 'global.admin', query: '?keyword=andersson' })
  await list('organizations.customers', 'customers')
  await list('organizations.projects', 'projects', { params: NORTHWIND })
  await list('organizations.devices', 'devices', { params: NORTHWIND })
  for (const id of ['organizations.users', 'organizations.all-users', 'organizations.users-search'])
    await list(id, 'users', { query: id.endsWith('search') ? '?keyword=andersson' : '' })
  await list('roles.list', 'roles')
  await list('service-accounts.list', 'serviceAccounts')
  const [{ reportId }] = await list('reports.list', 'reports')
  const accept = 'application/json'
  await ask('portal.report-data', { params: { reportId }, query: '?interval=day', headers: { accept } })
  await ask('portal.report-data', { params: { reportId }, query: '?interval=day', headers: lines })
  for (const headers of [{ accept }, lines]) {
    const query = '?interval=summary&compare=before'
    await ask('portal.report-data', { params: { reportId }, query, headers })
  }
  t.match(await ask('portal.report-data', { params: { reportId }, query: '?interval=day' }), /Time \(UTC\)/)
  await list('exports.list', 'exports', { query: `?customerId=${NOTABLE.northwind}&size=100` })
  t.match(await ask('organizations.get', { params: NORTHWIND }), { projectCount: 63, deviceCount: 1240 })
  await ask('organizations.tech-support', { query: '?enable=true' })

  await list('audit-log.list', 'auditLogs', { query: '?size=1000' })
  t.ok((await ask('audit-log.actions'))._embedded.actions.includes('DEVICE_MOVED'))
}

async function projectsAndDevices({ t, ask, refuses }: Calls): Promise<void> {
  t.ok((await ask('subscriptions.list')).length > 1000)
  const duplicate = 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS'
  const project = { projectName: 'Test Lab', customer, partner }
  const { id: projectId } = await ask('projects.create', { body: project })
  await refuses('projects.create', 409, duplicate, { body: { ...project, projectName: 'TEST LAB' } })
  await refuses('projects.rename', 409, duplicate, { body: { projectName: 'Test Lab' } })
  await ask('projects.rename', { params: { projectId }, body: { projectName: 'Lab 2' } })
  const move = { deviceName: 'AHU 2', location: 'Roof', project: `/projects/${projectId}` }
  t.match(await ask('devices.update', { body: move }), { deviceName: 'AHU 2', projectName: 'Lab 2' })
  await refuses('projects.delete', 409, 'PROJECT_HAS_DEVICES', { params: { projectId } })
  await ask('devices.update', { body: { project: '/projects/p-1001-1' } })
  await ask('projects.delete', { params: { projectId } })
  await ask('devices.delete', { params: { deviceId: 'd-1001-10' } })
}

async function peopleAndInvitations({ t, sandbox, ask, list, refuses }: Calls): Promise<void> {
  await ask('users.me')
  await ask('users.get')
  const change = { create: roleAssignments, update: [], delete: [] }
  const userId = 'u-partner-user'
  const user = await ask('users.change-roles', { params: { userId }, body: change })
  t.match(user.roleAssignments.at(-1), { scope, _links: { role: { href: '/roles/5' } } })
  const params = { userId: 'u-c-1003-1' }
  const removal = { delete: [onlyAdminOf(sandbox, 'c-1003', params.userId)] }
  await refuses('users.change-roles', 409, 'LAST_ADMIN', { params: params, body: removal })
  const invitation = { email: 'no.access@portal.example', partner, customer, roleAssignments }
  const { id: invitationId } = await ask('invitations.create', { body: invitation })
  const options = { params: { invitationId } }
  await list('organizations.user-invitations', 'userInvitations')
  await ask('invitations.resend', options)
  await ask('invitations.cancel', options)
  const as = 'invited.user'
  const [accepted, rejected] = await list('users.my-invitations', 'userInvitations', { as })
  await refuses('invitations.accept', 404, 'notFound', { params: { invitationId: accepted.id } })
  await ask('invitations.reject', { as, params: { invitationId: rejected.id } })
  await ask('invitations.accept', { as, params: { invitationId: accepted.id } })
  t.match(await ask('users.me', { as }), { userType: 'CUSTOMER', roleAssignments: [{ scope }] })
  await refuses('invitations.reject', 404, 'notFound', { as, params: { invitationId: accepted.id } })
}

async function serviceAccounts({ t, ask }: Calls): Promise<void> {
  const account = { serviceName: 'Night Reader', description: '', roleAssignments, customer, partner }
  const { id: serviceAccountId } = await ask('service-accounts.create', { body: account })
  const target = { params: { serviceAccountId } }
  t.match(await ask('service-accounts.get', target), { secretExpiration: null })
  await ask('service-accounts.edit', { ...target, body: { description: 'Reads.' } })
  await ask('service-accounts.change-roles', { ...target, body: { create: roleAssignments } })
  const expiration = '2026-09-11T00:00:00.000Z'
  t.match(await ask('service-accounts.new-secret', { ...target, body: { expiration } }), { expiration })
  t.notOk('secret' in (await ask('service-accounts.get', target)), 'shows a secret only once')
  await ask('service-accounts.delete', target)
}

async function registration({ t, sandbox, ask, refuses }: Calls): Promise<void> {
  const code = 'THREE100'
  const { licenses } = await ask('registration.licenses', { params: { code } })
  t.equal(licenses.length, 3)
  t.same(await ask('registration.licenses', { params: { code: CODES.noLicense } }), { licenses: [] })
  await refuses('registration.licenses', 404, 'expired', { params: { code: CODES.expired } })
  const fields = { customer, project: '/projects/p-1001-1', deviceName: 'C 7', location: 'Roof' }
  const form = { userCode: code, licenseId: licenses[0].licenseId, ...fields }
  await ask('registration.register', { body: form })
  await refuses('registration.register', 404, 'notFound', { body: form })
  const device = { deviceUuid: sandbox.state.devices.get(NOTABLE_DEVICES.chiller)?.deviceUuid ?? '' }
  const answer = await ask('reregistration.licenses', { params: { code: 'ONE00200', ...device } })
  const [license] = answer.licenses
  const body = { userCode: 'ONE00200', ...device, licenseId: license.licenseId }
  await ask('reregistration.reregister', { body })
}

async function notifications({ t, ask }: Calls): Promise<void> {
  const preference = { eventTypeId: 2, notificationType: 'email', subscribe: false }
  t.equal((await ask('notifications.preferences')).length, 2)
  t.match(await ask('notifications.change-preferences', { body: [preference] }), [{}, preference])
  const query = '?readStatus=false&size=100'
  const [newest, ...rest] = (await ask('notifications.list', { query: query })).content
  const marks = { readStatus: true, readAllNotifications: false, notificationIds: [newest.notificationId] }
  await ask('notifications.mark', { body: marks })
  t.same((await ask('notifications.list', { query: query })).content, rest)
}

async function data({ t, ask, list, refuses, sandbox }: Calls): Promise<void> {
  const { deviceId, systemGuid, telemetryId } = airHandlerOf(sandbox)
  const SEARCHES = { pointNames: 'by-point-name', tagNames: 'by-tag-name', tagValues: 'by-tag-value' }
  for (const [searchType, name] of Object.entries(SEARCHES)) {
    const search = { systemGuid, searchItems: [''], searchType, comparisonType: 'CONTAINS' }
    await list(`points.${name}`, 'pointModels', { query: '?count=true', body: search })
    const { page } = await ask(`points.${name}`, { body: search })
    t.notOk('totalElements' in page, 'counts only if requested')
  }
  const history = { systemGuid, pointIds: [telemetryId], ...span }
  await ask('histories.query', { body: history })
  const emptySpan = { startTime: span.endTime, endTime: span.endTime }
  await refuses('histories.query', 400, 'malformed', { body: { ...history, ...emptySpan } })
  const usage = `?deviceId=${deviceId}&metricsId=DATA_USAGE&offeringCode=NDS&duration=`
  t.equal(Object.keys(await ask('usage.metrics', { query: `${usage}MONTHLY` })).length, 30)
  t.ok(Object.keys(await ask('usage.metrics', { query: `${usage}YEARLY` })).length > 1)
}

async function liveValues({ t, ask, refuses, sandbox }: Calls): Promise<void> {
  const { cloudId } = airHandlerOf(sandbox)
  const read = { cloudIds: [cloudId], requestProcessingPriority }
  const allBody = { cloudIds: [], priority: 255 }
  const offline = { params: { deviceId: NOTABLE_DEVICES.offline } }
  t.match(await ask('control.read', { body: read }), [{ cloudId, status: 'ok' }])
  t.ok((await ask('control.read-all', { body: allBody })).length >= 30)
  const staleValues = await ask('control.read-all', { ...offline, body: allBody })
  t.match(staleValues[0], { status: 'down,stale', error: /offline/ })
  const writeBody = { points: [{ cloudId, value: 20 }], requestProcessingPriority }
  t.match(await ask('control.write', { body: writeBody }), [{ cloudId, status: 'OK' }])
  const clearBody = { points: [{ cloudId }], requestProcessingPriority }
  t.match(await ask('control.clear', { body: clearBody }), [{ cloudId, status: 'OK' }])
  await refuses('control.read', 400, '', { body: { cloudIds: [] } })
}

async function alarms({ t, ask, list }: Calls): Promise<void> {
  const search = (filter: object) =>
    list('alarms.search', 'alarms', { query: '?size=1000&count=true', body: filter })
  await search({})
  const [alarm, otherAlarm] = await search({ ackStates: ['unacked'] })
  const target = { params: { deviceId: alarm.deviceId } }
  await ask('alarms.count', { ...target, query: `?sourceId=${alarm.deviceId}` })
  const notesBody = { alarms: [{ uuid: alarm.uuid, notes: 'Seen.' }], requestProcessingPriority }
  await ask('control.edit-alarm-data', { ...target, body: notesBody })
  const ackBody = { alarmUuids: [alarm.uuid], requestProcessingPriority }
  await ask('control.acknowledge-alarm', { ...target, body: ackBody })
  const savedAlarm = (await search({})).find(({ uuid }) => uuid === alarm.uuid)
  t.match(savedAlarm, { ackState: 'ackPending', notes: [{ text: 'Seen.' }] })
  const batch = [{ deviceId: otherAlarm.deviceId, alarmUuids: [otherAlarm.uuid], requestProcessingPriority }]
  t.match(await ask('control.acknowledge-alarm-batch', { body: batch }), [{ status: 'OK' }])
}

async function files({ t, time, ask, list, refuses, sandbox }: Calls): Promise<void> {
  const { deviceId, systemGuid, cloudId, telemetryId } = airHandlerOf(sandbox)
  const selectedPoints = [{ device: deviceId, point: cloudId }]
  const reportDetails = { selectedDateFilter: 'Custom Range', selectedPoints }
  const report = { reportName: 'Night view', reportDetails, ...span }
  const params = await ask('reports.create', { body: report })
  await ask('reports.edit', { params, body: { reportName: 'Day view' } })
  t.match(await ask('reports.get', { params }), { ...report, reportName: 'Day view' })
  await ask('reports.delete', { params })
  const newExport = {
    ...{ exportName: 'A day', customerId: NOTABLE.northwind, ...span, format: 'CSV', timeZone: 'UTC' },
    selectedPoints: [{ systemGuid, pointIds: [telemetryId] }]
  }
  const { id: exportId } = await ask('exports.create', { body: newExport })
  await refuses('exports.download', 409, 'notReady', { params: { exportId } })
  time.now += MINUTE_MS
  t.match(await ask('exports.get', { params: { exportId } }), { status: 'READY', rowCount: 96 })
  await ask('exports.download', { params: { exportId } })
  const { id: otherId } = await ask('exports.create', { body: newExport })
  await ask('exports.cancel', { params: { exportId: otherId } })
  await ask('exports.delete', { params: { exportId } })
  time.now = NOON
  const backups = await list('backups.list', 'backups', { query: '?retained=false&size=100' })
  const { id: backupId } = backups.find(({ status }) => status === 'COMPLETE')
  await ask('backups.edit', { params: { backupId }, body: { notes: 'Keep', retained: true } })
  await refuses('backups.delete', 409, 'retained', { params: { backupId } })
  await ask('backups.download', { params: { backupId } })
  await ask('backups.edit', { params: { backupId }, body: { retained: false } })
  await ask('backups.delete', { params: { backupId } })
}

async function remote({ sandbox, ask, refuses }: Calls): Promise<void> {
  await ask('remote.connect')
  const uuidOf = (id: string) => ({ params: { deviceUuid: sandbox.state.devices.get(id)?.deviceUuid ?? '' } })
  await refuses('remote.connect', 403, 'notLicensed', uuidOf(NOTABLE_DEVICES.withoutServices))
  await refuses('remote.connect', 409, 'offline', uuidOf(NOTABLE_DEVICES.offline))
}

function onlyAdminOf({ state }: Sandbox, customerId: string, userId: string): string {
  const isAtCustomer = ({ scope }: { scope: string }) => scope === `${partner}/customers/${customerId}`
  for (const { id, roleAssignments } of state.users.values())
    for (const assignment of roleAssignments.filter(isAtCustomer))
      Object.assign(assignment, id === userId ? ADMIN : { roleNumber: 5, roleName: 'customer_user' })
  return state.users.get(userId)?.roleAssignments.find(isAtCustomer)?.id ?? ''
}
const ADMIN = { roleNumber: 4, roleName: 'customer_admin' }
