// Every operation of openapi.json answers a person and a service as the document says, also when it refuses.
// UPDATE_EXAMPLES=1 writes the examples of the document.
import { readFileSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { type Sandbox, startSandbox } from '#test/sandbox/app.ts'
import { FAULTY_APIS } from '#test/sandbox/faults.ts'
import { CODES, NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed.ts'
import { signIn } from '#test/sandbox/sign-in-flow.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { serviceToken } from '#test/support/service-token.ts'
import { type Answer, type Call, contractOf, type Document, type Send } from './operations.ts'

const NOON = Date.parse('2026-03-11T12:00:00Z')
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const EXAMPLES = new URL('../../../server/openapi/examples.json', import.meta.url)

/** The sandbox and the gateway, with a clock of the sandbox's own. */
async function start(env: Record<string, string> = {}, sandbox?: Portal['sandbox']) {
  const time = { now: NOON }
  const startedSandbox = sandbox ?? (await startSandbox({ clock: () => time.now }))
  if (!sandbox) t.teardown(startedSandbox.stop)
  const limits = {
    OIDC_AUDIENCE: startedSandbox.audience,
    BEARER_CALLS_PER_MINUTE: '1000000',
    CALLS_IN_FLIGHT: '1000',
    ...env
  }
  return { time, portal: await startPortal(t, { startedSandbox, env: limits }) }
}

const first = await start()
const { sandbox } = first.portal
const document = await (await first.portal.as('partner.admin')).json<Document>('/api/openapi.json')
const contract = contractOf(document)
const ids = [...contract.operations.keys()]

const asPerson =
  (portal: Portal, username: string): Send =>
  async (path, init) =>
    (await portal.as(username)).call(path, init)
const withToken =
  (portal: Portal, token: string): Send =>
  (path, { headers, ...init }) =>
    fetch(portal.url + path, { ...init, headers: { ...headers, authorization: `Bearer ${token}` } })

const device = sandbox.state.devices.get(NOTABLE_DEVICES.airHandler)
if (device === undefined) throw new Error('the sandbox lacks a device')
const { id: deviceId, deviceUuid, systemGuid } = device
const point = pointsOf(device).find(({ displayName }) => displayName === 'Supply Air Temp Setpoint')
const { cloudId = '', telemetryId = '' } = point ?? {}
const partner = `/organizations/${NOTABLE.partner}`
const customer = `/organizations/${NOTABLE.northwind}`
const scope = `${partner}/customers/${NOTABLE.northwind}`
const roleAssignments = [{ role: '/roles/5', scope }]
const requestProcessingPriority = 255
const span = { startTime: new Date(NOON - DAY_MS).toISOString(), endTime: new Date(NOON).toISOString() }

const PARAMS: Record<string, string> = {
  organizationId: NOTABLE.partner,
  customerId: NOTABLE.northwind,
  userId: 'u-partner-admin',
  projectId: 'p-1001-1',
  serviceAccountId: 'sa-1001-1',
  deviceId,
  deviceUuid
}
const NORTHWIND = { organizationId: NOTABLE.northwind }

const good = new Map<string, { as: string; call: Call; answer: Answer }>()

/** What a caller does: every operation at least once, in an order in which each has what it needs. */
async function scenario(
  t: Test,
  { time, sandbox }: { time: { now: number }; sandbox: Sandbox },
  sendAs: (username: string) => Send
): Promise<void> {
  type Given = Call & { as?: string }
  async function call(id: string, given: Given): Promise<Answer> {
    const { as = 'partner.admin', params, headers, ...rest } = given
    const claims = contract.operation(id).parameters?.some(({ name }) => name === 'x-customer-id')
    const claim: Record<string, string> = claims ? { 'x-customer-id': NOTABLE.northwind } : {}
    const made = { ...rest, params: { ...PARAMS, ...params }, headers: { ...claim, ...headers } }
    const answer = await contract.call(t, sendAs(as), id, made)
    if (answer.status < 300 && !good.has(id)) good.set(id, { as, call: made, answer })
    return answer
  }
  async function answered(id: string, given: Given = {}): Promise<Answer['body']> {
    const { status, body } = await call(id, given)
    t.ok(status < 300, `${id} answered ${status}`)
    return body
  }
  async function listed(id: string, rel: string, given: Given = {}): Promise<Answer['body'][]> {
    const items = (await answered(id, given))._embedded?.[rel] ?? []
    t.ok(items.length > 0, `${id}: ${rel}`)
    return items
  }
  async function refused(id: string, status: number, code: string, given: Given = {}): Promise<void> {
    t.match(await call(id, given), { status, body: code === '' ? {} : { code } }, `${id} ${code}`)
  }

  // Reading.
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
  await listed('organizations.with-tech-view', 'organizations', {
    as: 'global.admin',
    query: '?enabled=true'
  })
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

  const [entry] = await listed('audit-log.list', 'auditLogs', { query: '?size=1000' })
  const query = `?actorId=${entry.actor.id}&action=${entry.action}&outcome=${entry.outcome}`
  for (const one of await listed('audit-log.list', 'auditLogs', { query }))
    t.match(one, { actor: { id: entry.actor.id }, action: entry.action, outcome: entry.outcome })
  t.ok((await answered('audit-log.actions'))._embedded.actions.includes('DEVICE_MOVED'))

  // Projects and devices.
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

  // People and invitations.
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

  // Service accounts.
  const account = { serviceName: 'Night Reader', description: '', roleAssignments, customer, partner }
  const { id: serviceAccountId } = await answered('service-accounts.create', { body: account })
  const its = { params: { serviceAccountId } }
  t.match(await answered('service-accounts.get', its), { secretExpiration: null })
  await answered('service-accounts.edit', { ...its, body: { description: 'Reads.' } })
  await answered('service-accounts.change-roles', { ...its, body: { create: roleAssignments } })
  const expiration = '2026-09-11T00:00:00.000Z'
  t.match(await answered('service-accounts.new-secret', { ...its, body: { expiration } }), { expiration })
  t.notOk('secret' in (await answered('service-accounts.get', its)), 'a secret is shown once')
  await answered('service-accounts.delete', its)

  // Registration.
  const code = 'THREE100'
  const { licenses } = await answered('registration.licenses', { params: { code } })
  t.equal(licenses.length, 3)
  t.same(await answered('registration.licenses', { params: { code: CODES.noLicense } }), { licenses: [] })
  await refused('registration.licenses', 404, 'expired', { params: { code: CODES.expired } })
  const place = { customer, project: '/projects/p-1001-1', deviceName: 'C 7', location: 'Roof' }
  const registered = { userCode: code, licenseId: licenses[0].licenseId, ...place }
  await answered('registration.register', { body: registered })
  await refused('registration.register', 404, 'notFound', { body: registered })
  const known = { deviceUuid: sandbox.state.devices.get(NOTABLE_DEVICES.chiller)?.deviceUuid ?? '' }
  const again = await answered('reregistration.licenses', { params: { code: 'ONE00200', ...known } })
  const [license] = again.licenses
  const body = { userCode: 'ONE00200', ...known, licenseId: license.licenseId }
  await answered('reregistration.reregister', { body })

  // Notifications.
  const preference = { eventTypeId: 2, notificationType: 'email', subscribe: false }
  t.equal((await answered('notifications.preferences')).length, 2)
  t.match(await answered('notifications.change-preferences', { body: [preference] }), [{}, preference])
  const unread = '?readStatus=false&size=100'
  const [newest, ...others] = (await answered('notifications.list', { query: unread })).content
  const marks = { readStatus: true, readAllNotifications: false, notificationIds: [newest.notificationId] }
  await answered('notifications.mark', { body: marks })
  t.same((await answered('notifications.list', { query: unread })).content, others)

  // Points, histories and usage.
  const SEARCHES = { pointNames: 'by-point-name', tagNames: 'by-tag-name', tagValues: 'by-tag-value' }
  for (const [searchType, name] of Object.entries(SEARCHES)) {
    const search = { systemGuid, searchItems: [''], searchType, comparisonType: 'CONTAINS' }
    await listed(`points.${name}`, 'pointModels', { query: '?count=true', body: search })
    const { page } = await answered(`points.${name}`, { body: search })
    t.notOk('totalElements' in page, 'counted only when asked')
  }
  const history = { systemGuid, pointIds: [telemetryId], ...span }
  const whole = (await answered('histories.query', { body: history })).pointDetails[0].historyRecords
  const part = await answered('histories.query', { body: { ...history, limit: 10 } })
  const rest = await answered('histories.query', { body: { ...history, startTime: part.nextStartTime } })
  t.same([...part.pointDetails[0].historyRecords, ...rest.pointDetails[0].historyRecords], whole)
  const usage = `?deviceId=${deviceId}&metricsId=DATA_USAGE&offeringCode=NDS&duration=`
  t.equal(Object.keys(await answered('usage.metrics', { query: `${usage}MONTHLY` })).length, 30)
  t.ok(Object.keys(await answered('usage.metrics', { query: `${usage}YEARLY` })).length > 1)

  // Live values.
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

  // Alarms.
  const search = (filter: object) =>
    listed('alarms.search', 'alarms', { query: '?size=1000&count=true', body: filter })
  const alarms = await search({})
  const filters: [object, (one: Answer['body']) => boolean][] = [
    [{ ackStates: ['unacked'] }, (one) => one.ackState === 'unacked'],
    [{ sourceStates: ['fault', 'alert'] }, (one) => /fault|alert/.test(one.sourceState)],
    [{ priorityFrom: 64, priorityTo: 127 }, (one) => one.priority >= 64 && one.priority <= 127],
    [{ systemGuids: [alarms[0].systemGuid] }, (one) => one.systemGuid === alarms[0].systemGuid],
    [{ startTime: span.startTime }, (one) => one.timestamp >= span.startTime]
  ]
  for (const [filter, holds] of filters)
    t.same(await search(filter), alarms.filter(holds), JSON.stringify(filter))
  const [alarm, other] = await search({ ackStates: ['unacked'] })
  const its2 = { params: { deviceId: alarm.deviceId } }
  await answered('alarms.count', { ...its2, query: `?sourceId=${alarm.deviceId}` })
  const noted = { alarms: [{ uuid: alarm.uuid, notes: 'Seen.' }], requestProcessingPriority }
  await answered('control.edit-alarm-data', { ...its2, body: noted })
  const acknowledged = { alarmUuids: [alarm.uuid], requestProcessingPriority }
  await answered('control.acknowledge-alarm', { ...its2, body: acknowledged })
  t.match(
    (await search({})).find(({ uuid }) => uuid === alarm.uuid),
    { ackState: 'ackPending', notes: [{ text: 'Seen.' }] }
  )
  const batch = [{ deviceId: other.deviceId, alarmUuids: [other.uuid], requestProcessingPriority }]
  t.match(await answered('control.acknowledge-alarm-batch', { body: batch }), [{ status: 'OK' }])

  // Reports, exports and backups.
  const reportDetails = {
    selectedDateFilter: 'Custom Range',
    selectedPoints: [{ device: deviceId, point: cloudId }]
  }
  const report = { reportName: 'Night view', reportDetails, ...span }
  const params = await answered('reports.create', { body: report })
  await answered('reports.edit', { params, body: { reportName: 'Day view' } })
  t.match(await answered('reports.get', { params }), { ...report, reportName: 'Day view' })
  await answered('reports.delete', { params })
  const newExport = {
    exportName: 'A day',
    customerId: NOTABLE.northwind,
    selectedPoints: [{ systemGuid, pointIds: [telemetryId] }],
    ...span,
    format: 'CSV',
    timeZone: 'UTC'
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

  // Remote.
  await answered('remote.connect')
  const uuidOf = (id: string) => ({ params: { deviceUuid: sandbox.state.devices.get(id)?.deviceUuid ?? '' } })
  await refused('remote.connect', 403, 'notLicensed', uuidOf(NOTABLE_DEVICES.withoutServices))
  await refused('remote.connect', 409, 'offline', uuidOf(NOTABLE_DEVICES.offline))
}

function onlyAdminOf({ state }: Sandbox, customerId: string, userId: string): string {
  const there = ({ scope }: { scope: string }) => scope === `${partner}/customers/${customerId}`
  for (const { id, roleAssignments } of state.users.values())
    for (const held of roleAssignments.filter(there))
      Object.assign(held, id === userId ? ADMIN : { roleNumber: 5, roleName: 'customer_user' })
  return state.users.get(userId)?.roleAssignments.find(there)?.id ?? ''
}
const ADMIN = { roleNumber: 4, roleName: 'customer_admin' }

t.test('answers a person', async (t) => {
  const { time, portal } = first
  await scenario(t, { time, sandbox }, (name) => asPerson(portal, name))
  t.strictSame(
    ids.filter((id) => !good.has(id)),
    [],
    'operations without a good answer'
  )
})

t.test('every example of the document was seen', async (t) => {
  const examples = Object.fromEntries(
    [...good]
      .filter(([id, { answer }]) => id !== 'openapi' && isJson(answer))
      .map(([id, { answer }]) => [id, short(answer.body)])
  )
  if (process.env.UPDATE_EXAMPLES) {
    const lines = Object.entries(examples).map((one) => one.map((part) => JSON.stringify(part)).join(': '))
    writeFileSync(EXAMPLES, `{\n${lines.join(',\n')}\n}\n`)
  }
  t.strictSame(JSON.parse(readFileSync(EXAMPLES, 'utf8')), examples, 'UPDATE_EXAMPLES=1 writes them')
})

const isJson = ({ headers }: Answer) => headers.get('content-type')?.startsWith('application/json') === true
const UNSTABLE: Record<string, string> = {
  assembledAt: '2026-03-11T12:00:00.000Z',
  readAt: '2026-03-11T12:00:00.000Z',
  clientId: 'sa-6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  correlationId: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  commandId: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  secret: 'shown-only-once',
  url: 'https://remote.example.com/session'
}

function short(node: unknown): unknown {
  if (Array.isArray(node)) return node.slice(0, 1).map(short)
  if (typeof node === 'string') return node.replace(/http:\/\/localhost:\d+/, 'https://api.example.com')
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, UNSTABLE[name] ?? short(one)]))
}

t.test('answers a service', async (t) => {
  const { time, portal } = await start()
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (name: string) => {
    const token = tokens.get(name) ?? signIn(portal.sandbox, name).then((one) => one.access_token)
    tokens.set(name, token)
    return token
  }
  await scenario(
    t,
    { time, sandbox: portal.sandbox },
    (name) => async (path, init) => withToken(portal, await tokenOf(name))(path, init)
  )
})

interface Refusal {
  sends: Send[]
  change?: Call
}
/** By status, how the good calls are repeated so that each is refused or fails. `as` made the good call. */
const REFUSALS: Record<string, (t: Test) => Promise<(id: string, as: string, call: Call) => Refusal>> = {
  400: async () => (_id, as) => ({ sends: [asPerson(first.portal, as)], change: { query: '?surprise=1' } }),
  401: async () => () => ({ sends: [(path, init) => fetch(first.portal.url + path, init)] }),
  403: async () => {
    const readOnly = withToken(first.portal, await serviceToken(sandbox, 'ncp:read'))
    const writeOnly = withToken(first.portal, await serviceToken(sandbox, 'ncp:write'))
    return (id) => ({ sends: [contract.operation(id).method === 'GET' ? writeOnly : readOnly] })
  },
  404: async () => (_id, _as, call) => ({
    sends: [asPerson(first.portal, 'global.admin')],
    change: elsewhere(call)
  }),
  413:
    async () =>
    (_id, as, { params }) => ({
      sends: [asPerson(first.portal, as)],
      change: { params: { ...params, ...PARAMS }, body: { text: 'x'.repeat(2 ** 20) } }
    }),
  429: async () => {
    const { portal } = await start({ SESSION_CALLS_PER_MINUTE: '1' }, sandbox)
    await (await portal.as('partner.admin')).call('/api/openapi.json')
    return () => ({ sends: [asPerson(portal, 'partner.admin')] })
  },
  502: broken('500'),
  503: broken('503'),
  504: broken('timeout'),
  default: broken('422')
}

function elsewhere({ params, body, query = '', headers }: Call): Call {
  const missing = (text: string) => text.replaceAll(NOTABLE.northwind, 'c-0')
  const names = Object.keys(params ?? {})
  return {
    params: Object.fromEntries(names.map((name) => [name, name === 'code' ? 'ABCDEFGH' : 'none'])),
    query: missing(query),
    headers: JSON.parse(missing(JSON.stringify(headers ?? {}))),
    ...(body === undefined ? {} : { body: missing(JSON.stringify(body)) })
  }
}

function broken(kind: string) {
  return async (t: Test) => {
    const { portal } = await start({ UPSTREAM_TIMEOUT_MS: '100' }, sandbox)
    const people = new Set([...good.values()].map(({ as }) => as))
    for (const name of people) await portal.as(name)
    const service = withToken(portal, await serviceToken(sandbox, 'ncp:read ncp:write'))
    for (const api of FAULTY_APIS) if (!api.startsWith('oidc')) sandbox.faults.set(api, kind)
    t.teardown(() => sandbox.faults.clear())
    return (_id: string, as: string) => ({ sends: [asPerson(portal, as), service] })
  }
}

for (const [status, prepare] of Object.entries(REFUSALS))
  t.test(`refuses with ${status}`, async (t) => {
    const make = await prepare(t)
    const calls = [...good].filter(([id]) => contract.operation(id).responses[status])
    await Promise.all(
      calls.flatMap(([id, { as, call }]) => {
        const { sends, change } = make(id, as, call)
        return sends.map((send) => contract.call(t, send, id, { ...call, ...change }))
      })
    )
  })

const UNSEEN: Record<string, string> = {
  'invitations.accept 410': 'needs an invitation that expires between the look-up and the call',
  'exports.cancel 204': 'the contract allows it; the sandbox answers 200',
  'exports.download 206': "the sandbox's files cannot be resumed; see test/server/proxy/files.test.ts",
  'backups.download 206': "the sandbox's files cannot be resumed; see test/server/proxy/files.test.ts",
  'openapi default': 'stands for a failure of the gateway itself',
  'portal.me default': 'stands for a failure of the gateway itself',
  'organizations.tech-support 404': 'its role is held only at an organization that exists'
}

t.test('every described answer was seen', async (t) => {
  const described = [...contract.operations].flatMap(([id, { responses }]) =>
    Object.keys(responses).map((status) => ({
      name: `${id} ${status}`,
      isSeen: contract.seen.get(id)?.has(status)
    }))
  )
  const unseen = described.filter(({ isSeen }) => !isSeen).map(({ name }) => name)
  t.comment(`${contract.operations.size} operations, ${described.length} answers, ${unseen.length} unseen`)
  t.strictSame(unseen.toSorted(), Object.keys(UNSEEN).toSorted())
})
