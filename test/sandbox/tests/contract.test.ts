// The sandbox answers every call that the gateway passes on as openapi.json describes it, and refuses as the gateway and
// the client expect.
import t, { type Test } from 'tap'
import type { TSchema } from 'typebox'
import Schema from 'typebox/schema'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { startSandbox } from '../app.ts'
import { CODES, NOTABLE, NOTABLE_DEVICES } from '../seed.ts'
import { pointsOf } from '../simulation/points.ts'
import { type Answer, type Caller, callAs } from './call-as.ts'

const NOON = Date.parse('2026-03-11T12:00:00Z')
const DAY_MS = 86_400_000
let now = NOON
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
const { state } = sandbox

const callers: Record<string, Caller> = {}
for (const name of ['partner.admin', 'invited.user', 'no.access']) callers[name] = await callAs(sandbox, name)

const device = state.devices.get(NOTABLE_DEVICES.airHandler)
if (device === undefined) throw new Error('there is no air handler')
const { id: deviceId, deviceUuid, systemGuid } = device
const point = pointsOf(device).find(({ displayName }) => displayName === 'Supply Air Temp Setpoint')
const { cloudId = '', telemetryId = '' } = point ?? {}
const partner = `/organizations/${NOTABLE.partner}`
const customer = `/organizations/${NOTABLE.northwind}`
const scope = `${partner}/customers/${NOTABLE.northwind}`
const roleAssignments = [{ role: '/roles/5', scope }]
const requestProcessingPriority = 255
const span = { startTime: new Date(NOON - DAY_MS).toISOString(), endTime: new Date(NOON).toISOString() }

/** Parameters of paths, where a call names no others. */
const PARAMS: Record<string, string> = {
  organizationId: NOTABLE.partner,
  customerId: NOTABLE.northwind,
  userId: 'u-partner-admin',
  projectId: 'p-1001-1',
  serviceAccountId: 'sa-1001-1',
  deviceId,
  deviceUuid
}

interface Call {
  as?: string
  params?: Record<string, string>
  query?: string
  body?: unknown
}

const called = new Set<string>()

/** Calls the upstream of a row, with a body that fits the row's schema. */
async function call(t: Test, id: string, given: Call): Promise<Answer> {
  const { as = 'partner.admin', params, query = '', body } = given
  const row = PROXY_TABLE.find((one) => one.id === id)
  const caller = callers[as]
  if (row === undefined || caller === undefined) throw new Error(`there is no ${id}, or nobody is ${as}`)
  const path = row.path.replaceAll(/::|:(\w+)/g, (_, name) =>
    name ? ({ ...PARAMS, ...params }[name] ?? name) : ':'
  )
  if (row.body && body !== undefined) t.strictSame(violations(row.body, body), [], `${id}: the body`)
  return caller(row.method, path + query, body)
}

/** The body of an answer that fits the row's schema and has no field that the schema does not name. */
async function answered(t: Test, id: string, given: Call = {}): Promise<Answer['body']> {
  const { status, body } = await call(t, id, given)
  const described = PROXY_TABLE.find((one) => one.id === id)?.answers[status]
  if (described === undefined) t.fail(`${id} answered ${status}`, { body })
  if (described?.schema) t.strictSame(violations(closed(described.schema), body).slice(0, 3), [], id)
  called.add(id)
  return body
}

/** The items of a list, at least one. */
async function listed(t: Test, id: string, rel: string, given: Call = {}): Promise<Answer['body'][]> {
  const items = (await answered(t, id, given))._embedded?.[rel] ?? []
  t.ok(items.length > 0, `${id}: ${rel}`)
  return items
}

async function refused(t: Test, id: string, status: number, code: string, given: Call = {}): Promise<void> {
  const body = { status, title: /./, errors: [{ code, message: /./ }], correlationId: /./ }
  t.match(await call(t, id, given), { status, body }, `${id} ${code}`)
}

function violations(schema: TSchema, value: unknown): string[] {
  const [, errors] = Schema.Errors(schema, value)
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The same schema, but objects have no further fields, apart from links. */
const closed = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema), (name, node) =>
    node?.properties && name !== '_links'
      ? { additionalProperties: false, ...node, properties: { _links: {}, ...node.properties } }
      : node
  )

/** Calls that only read a list, with its name in `_embedded`. */
const LISTS: [id: string, rel: string, given?: Call][] = [
  ['organizations.with-tech-view', 'organizations', { query: '?enabled=true' }],
  ['organizations.customers', 'customers'],
  ['organizations.projects', 'projects', { params: { organizationId: NOTABLE.northwind } }],
  ['organizations.devices', 'devices', { params: { organizationId: NOTABLE.northwind } }],
  ['organizations.users', 'users'],
  ['organizations.all-users', 'users'],
  ['organizations.users-search', 'users', { query: '?keyword=andersson' }],
  ['users.list', 'users'],
  ['users.search', 'users', { query: '?keyword=andersson' }],
  ['roles.list', 'roles'],
  ['service-accounts.list', 'serviceAccounts'],
  ['reports.list', 'reports'],
  ['exports.list', 'exports', { query: `?customerId=${NOTABLE.northwind}&size=100` }]
]
t.test('lists', async (t) => {
  for (const [id, rel, given] of LISTS) await listed(t, id, rel, given)
})

t.test('organizations', async (t) => {
  const northwind = await answered(t, 'organizations.get', { params: { organizationId: NOTABLE.northwind } })
  t.match(northwind, { partnerId: NOTABLE.partner, projectCount: 63, deviceCount: 1240 })
  await answered(t, 'organizations.tech-support', { query: '?enable=true' })
  await refused(t, 'organizations.get', 404, 'notFound', { params: { organizationId: 'none' } })
  await refused(t, 'organizations.customers', 400, 'malformed', { query: '?page=-1' })
})

t.test('the audit log', async (t) => {
  const [entry] = await listed(t, 'audit-log.list', 'auditLogs', { query: '?size=1000' })
  const query = `?actorId=${entry.actor.id}&action=${entry.action}&outcome=${entry.outcome}`
  for (const one of await listed(t, 'audit-log.list', 'auditLogs', { query }))
    t.match(one, { actor: { id: entry.actor.id }, action: entry.action, outcome: entry.outcome })
  t.ok((await answered(t, 'audit-log.actions'))._embedded.actions.includes('DEVICE_MOVED'))
})

t.test('projects and devices', async (t) => {
  t.ok((await answered(t, 'subscriptions.list')).length > 1000)
  const duplicate = 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS'
  const body = { projectName: 'Test Lab', customer, partner }
  const { id: projectId } = await answered(t, 'projects.create', { body })
  await refused(t, 'projects.create', 409, duplicate, { body: { ...body, projectName: 'TEST LAB' } })
  await refused(t, 'projects.rename', 409, duplicate, { body: { projectName: 'Test Lab' } })
  await answered(t, 'projects.rename', { params: { projectId }, body: { projectName: 'Lab 2' } })
  const move = { deviceName: 'AHU 2', location: 'Roof', project: `/projects/${projectId}` }
  const moved = { deviceName: 'AHU 2', projectName: 'Lab 2', projectId }
  t.match(await answered(t, 'devices.update', { body: move }), moved)
  await refused(t, 'projects.delete', 409, 'PROJECT_HAS_DEVICES', { params: { projectId } })
  await refused(t, 'devices.update', 400, 'malformed', { body: { project: '/projects/p-1004-1' } })
  await answered(t, 'devices.update', { body: { project: '/projects/p-1001-1' } })
  await answered(t, 'projects.delete', { params: { projectId } })
  await refused(t, 'projects.delete', 404, 'notFound', { params: { projectId } })
  const gone = { params: { deviceId: 'd-1001-9' } }
  await answered(t, 'devices.delete', gone)
  await refused(t, 'devices.update', 404, 'notFound', { ...gone, body: move })
})

t.test('people and invitations', async (t) => {
  await answered(t, 'users.get')
  const change = { create: roleAssignments, update: [], delete: [] }
  const roles = (
    await answered(t, 'users.change-roles', { params: { userId: 'u-partner-user' }, body: change })
  ).roleAssignments
  t.match(roles.at(-1), { scope, _links: { role: { href: '/roles/5' } } })
  const unknown = { create: [{ role: '/roles/99', scope }] }
  await refused(t, 'users.change-roles', 400, 'malformed', { body: unknown })

  const body = { email: 'no.access@portal.example', partner, customer, roleAssignments }
  const { id: invitationId } = await answered(t, 'invitations.create', { body })
  const one = { params: { invitationId } }
  await listed(t, 'organizations.user-invitations', 'userInvitations')
  await answered(t, 'invitations.resend', one)
  now += 15 * DAY_MS
  await refused(t, 'invitations.accept', 410, 'expired', { ...one, as: 'no.access' })
  now = NOON
  await answered(t, 'invitations.cancel', one)
  await refused(t, 'invitations.cancel', 404, 'notFound', one)
  const as = 'invited.user'
  const [first, second] = await listed(t, 'users.my-invitations', 'userInvitations', { as })
  await refused(t, 'invitations.accept', 404, 'notFound', { params: { invitationId: first.id } })
  await answered(t, 'invitations.reject', { as, params: { invitationId: second.id } })
  await answered(t, 'invitations.accept', { as, params: { invitationId: first.id } })
  t.match(await answered(t, 'users.me', { as }), { userType: 'CUSTOMER', roleAssignments: [{ scope }] })
  await refused(t, 'invitations.reject', 404, 'notFound', { as, params: { invitationId: first.id } })
})

t.test('service accounts', async (t) => {
  const body = { serviceName: 'Night Reader', description: '', roleAssignments, customer, partner }
  const { id: serviceAccountId } = await answered(t, 'service-accounts.create', { body })
  const params = { serviceAccountId }
  t.match(await answered(t, 'service-accounts.get', { params }), { secretExpiration: null })
  const edited = await answered(t, 'service-accounts.edit', { params, body: { description: 'Reads.' } })
  t.match(edited, { serviceName: 'Night Reader', description: 'Reads.' })
  await answered(t, 'service-accounts.change-roles', { params, body: { create: roleAssignments } })
  const expiration = '2026-09-11T00:00:00.000Z'
  t.match(await answered(t, 'service-accounts.new-secret', { params, body: { expiration } }), { expiration })
  t.notOk('secret' in (await answered(t, 'service-accounts.get', { params })), 'a secret is shown once')
  await answered(t, 'service-accounts.delete', { params })
  await refused(t, 'service-accounts.get', 404, 'notFound', { params })
})

t.test('registration', async (t) => {
  const code = 'THREE100'
  const { licenses } = await answered(t, 'registration.licenses', { params: { code } })
  t.equal(licenses.length, 3)
  t.same(await answered(t, 'registration.licenses', { params: { code: CODES.noLicense } }), { licenses: [] })
  await refused(t, 'registration.licenses', 404, 'expired', { params: { code: CODES.expired } })
  await refused(t, 'registration.licenses', 404, 'notFound', { params: { code: 'ABCDEFGH' } })
  const { licenseId } = licenses[0]
  const place = { customer, project: '/projects/p-1001-1', deviceName: 'C 7', location: 'Roof' }
  const body = { userCode: code, licenseId, ...place }
  await answered(t, 'registration.register', { body })
  await refused(t, 'registration.register', 404, 'notFound', { body })
  const other = { deviceUuid: state.devices.get(NOTABLE_DEVICES.chiller)?.deviceUuid ?? '' }
  const again = await answered(t, 'reregistration.licenses', { params: { code: 'ONE00200', ...other } })
  await answered(t, 'reregistration.reregister', {
    body: { userCode: 'ONE00200', ...other, licenseId: again.licenses[0].licenseId }
  })
})

t.test('notifications', async (t) => {
  const preference = { eventTypeId: 2, notificationType: 'email', subscribe: false }
  t.equal((await answered(t, 'notifications.preferences')).length, 2)
  t.match(await answered(t, 'notifications.change-preferences', { body: [preference] }), [{}, preference])
  const unread = async () =>
    (await answered(t, 'notifications.list', { query: '?readStatus=false&size=100' })).content
  const [first, ...others] = await unread()
  const body = { readStatus: true, readAllNotifications: false, notificationIds: [first.notificationId] }
  await answered(t, 'notifications.mark', { body })
  t.same(await unread(), others)
})

const SEARCHES = { pointNames: 'by-point-name', tagNames: 'by-tag-name', tagValues: 'by-tag-value' }

t.test('points, histories and usage', async (t) => {
  for (const [searchType, name] of Object.entries(SEARCHES)) {
    const search = { systemGuid, searchItems: [''], searchType, comparisonType: 'CONTAINS' }
    await listed(t, `points.${name}`, 'pointModels', { query: '?count=true', body: search })
    const { page } = await answered(t, `points.${name}`, { body: search })
    t.notOk('totalElements' in page, 'counted only when asked')
  }
  const other = { systemGuid, searchItems: [''], searchType: 'tagNames', comparisonType: 'CONTAINS' }
  await refused(t, 'points.by-point-name', 400, 'malformed', { body: other })
  const colours = `/api/v1/entitymodel/customers/${NOTABLE.northwind}/colours`
  const unknown = await callers['partner.admin']?.('POST', colours, { ...other, searchType: 'colours' })
  t.equal(unknown?.status, 400, 'an unknown search type')

  const body = { systemGuid, pointIds: [telemetryId], ...span }
  const whole = (await answered(t, 'histories.query', { body })).pointDetails[0].historyRecords
  const part = await answered(t, 'histories.query', { body: { ...body, limit: 10 } })
  const rest = await answered(t, 'histories.query', { body: { ...body, startTime: part.nextStartTime } })
  t.ok(whole.length > 10)
  t.same([...part.pointDetails[0].historyRecords, ...rest.pointDetails[0].historyRecords], whole)
  const usage = `?deviceId=${deviceId}&metricsId=DATA_USAGE&offeringCode=NDS&duration=`
  t.equal(Object.keys(await answered(t, 'usage.metrics', { query: `${usage}MONTHLY` })).length, 30)
  t.ok(Object.keys(await answered(t, 'usage.metrics', { query: `${usage}YEARLY` })).length > 1)
})

t.test('live values', async (t) => {
  const offline = { params: { deviceId: NOTABLE_DEVICES.offline } }
  const read = { cloudIds: [cloudId], requestProcessingPriority }
  t.match(await answered(t, 'control.read', { body: read }), [{ cloudId, status: 'ok' }])
  t.ok((await answered(t, 'control.read-all', { body: { cloudIds: [], priority: 255 } })).length >= 30)
  t.match((await answered(t, 'control.read-all', { ...offline, body: { cloudIds: [], priority: 255 } }))[0], {
    status: 'down,stale',
    error: /offline/
  })
  const written = { points: [{ cloudId, value: 20 }], requestProcessingPriority }
  t.match(await answered(t, 'control.write', { body: written }), [{ cloudId, status: 'OK' }])
  now += 2000
  t.match(await answered(t, 'control.read', { body: read }), [{ value: 20, status: 'overridden' }])
  const cleared = { points: [{ cloudId }], requestProcessingPriority }
  t.match(await answered(t, 'control.clear', { body: cleared }), [{ cloudId, status: 'OK' }])
  const impossible = { points: [{ cloudId, value: 1000 }], requestProcessingPriority }
  t.match(await answered(t, 'control.write', { body: impossible }), [{ status: 'FAILED', error: /./ }])
  await refused(t, 'control.read', 400, 'malformed', { body: { cloudIds: [] } })
})

t.test('alarms', async (t) => {
  const search = async (body: object) =>
    listed(t, 'alarms.search', 'alarms', { query: '?size=1000&count=true', body })
  const all = await search({})
  const filters: [object, (one: Answer['body']) => boolean][] = [
    [{ ackStates: ['unacked'] }, (one) => one.ackState === 'unacked'],
    [{ sourceStates: ['fault', 'alert'] }, (one) => /fault|alert/.test(one.sourceState)],
    [{ priorityFrom: 64, priorityTo: 127 }, (one) => one.priority >= 64 && one.priority <= 127],
    [{ systemGuids: [all[0].systemGuid] }, (one) => one.systemGuid === all[0].systemGuid],
    [{ startTime: span.startTime }, (one) => one.timestamp >= span.startTime],
    [{ systemGuids: [], ackStates: [], keyword: '' }, () => true]
  ]
  for (const [filter, holds] of filters)
    t.same(await search(filter), all.filter(holds), JSON.stringify(filter))

  const [one, two] = await search({ ackStates: ['unacked'] })
  const params = { deviceId: one.deviceId }
  const open = all.filter(
    ({ deviceId, sourceState, ackState }) =>
      deviceId === one.deviceId && (sourceState !== 'normal' || ackState !== 'acked')
  )
  const counted = await answered(t, 'alarms.count', { params, query: `?sourceId=${one.deviceId}` })
  t.same(counted, { count: open.length })
  const noted = { alarms: [{ uuid: one.uuid, notes: 'Seen.' }], requestProcessingPriority }
  await answered(t, 'control.edit-alarm-data', { params, body: noted })
  const acknowledged = { alarmUuids: [one.uuid], requestProcessingPriority }
  await answered(t, 'control.acknowledge-alarm', { params, body: acknowledged })
  t.match(
    (await search({})).find(({ uuid }) => uuid === one.uuid),
    { ackState: 'ackPending', notes: [{ text: 'Seen.', user: 'Paula Andersson' }] }
  )
  const alarmUuids = [two.uuid]
  const body = [two.deviceId, 'none'].map((id) => ({ deviceId: id, alarmUuids, requestProcessingPriority }))
  const outcomes = await answered(t, 'control.acknowledge-alarm-batch', { body })
  t.match(outcomes, [{ status: 'OK' }, { status: 'FAILED' }])
})

t.test('reports', async (t) => {
  const selectedPoints = [{ device: deviceId, point: cloudId }]
  const reportDetails = { selectedDateFilter: 'Custom Range', selectedPoints }
  const body = { reportName: 'Night view', reportDetails, ...span }
  const params = await answered(t, 'reports.create', { body })
  await answered(t, 'reports.edit', { params, body: { reportName: 'Day view' } })
  t.match(await answered(t, 'reports.get', { params }), { ...body, reportName: 'Day view' })
  await answered(t, 'reports.delete', { params })
  await refused(t, 'reports.get', 404, 'notFound', { params })
})

t.test('exports', async (t) => {
  const body = {
    exportName: 'A day',
    customerId: NOTABLE.northwind,
    selectedPoints: [{ systemGuid, pointIds: [telemetryId] }],
    ...span,
    format: 'CSV',
    timeZone: 'UTC'
  }
  const { id: exportId } = await answered(t, 'exports.create', { body })
  const params = { exportId }
  await refused(t, 'exports.download', 409, 'notReady', { params })
  now += 60_000
  t.match(await answered(t, 'exports.get', { params }), { status: 'READY', progress: 100, rowCount: 96 })
  await leadsToFile(t, 'exports.download', params, 'text/csv')
  const { id: other } = await answered(t, 'exports.create', { body })
  t.match(await answered(t, 'exports.cancel', { params: { exportId: other } }), { status: 'CANCELLED' })
  await answered(t, 'exports.delete', { params })
  await refused(t, 'exports.get', 404, 'notFound', { params })
  now = NOON
})

t.test('backups', async (t) => {
  const [backup] = (await listed(t, 'backups.list', 'backups', { query: '?retained=false&size=100' })).filter(
    ({ status }) => status === 'COMPLETE'
  )
  const params = { backupId: backup.id }
  await answered(t, 'backups.edit', { params, body: { notes: 'Keep', retained: true } })
  await refused(t, 'backups.delete', 409, 'retained', { params })
  await leadsToFile(t, 'backups.download', params, 'application/octet-stream')
  await answered(t, 'backups.edit', { params, body: { retained: false } })
  await answered(t, 'backups.delete', { params })
  await refused(t, 'backups.edit', 404, 'notFound', { params, body: { notes: '' } })
})

/** A redirect to the file, which is there without a token. */
async function leadsToFile(t: Test, id: string, params: Record<string, string>, type: string): Promise<void> {
  const { status, headers } = await call(t, id, { params })
  t.equal(status, 302, id)
  const file = await fetch(headers.get('location') ?? '')
  t.equal(file.status, 200)
  t.match(file.headers.get('content-type'), type)
  t.match(file.headers.get('content-disposition'), /^attachment; filename/)
  t.ok((await file.arrayBuffer()).byteLength > 100)
  called.add(id)
}

t.test('Remote', async (t) => {
  const uuidOf = (id: string) => ({ params: { deviceUuid: state.devices.get(id)?.deviceUuid ?? '' } })
  const { url } = await answered(t, 'remote.connect')
  t.equal((await fetch(url)).status, 200)
  await refused(t, 'remote.connect', 403, 'notLicensed', uuidOf(NOTABLE_DEVICES.withoutServices))
  await refused(t, 'remote.connect', 409, 'offline', uuidOf(NOTABLE_DEVICES.offline))
  const logout = (headers: Record<string, string>) =>
    fetch(`${sandbox.url}/noproxy/bearer-logout`, { method: 'POST', headers })
  t.equal((await logout({})).status, 401)
})

t.test('every call that is passed on was made', async (t) => {
  t.strictSame(
    PROXY_TABLE.map(({ id }) => id).filter((id) => !called.has(id)),
    []
  )
})
