// Properties of all rows of the proxy table, and of rows whose answers contain a secret (RFC 9111, section 5.2.2.5).
import t from 'tap'
import { PATH_PARAMETERS } from '#server/proxy/routes/schemas.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'

interface Shape {
  maxLength?: number
  maxItems?: number
  maximum?: number
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

const MANAGEMENT = '/api/v2/management'
const SCOPE = `/organizations/${NOTABLE.partner}/customers/${NOTABLE.northwind}`
const portal = await startPortal(t)
const browser = await portal.as('partner.admin')

const send = (path: string, body: object) =>
  browser.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify(body)
  })
const cachingOf = (answer: Response) => answer.headers.get('cache-control')

t.test('every row has a summary and an answer', async (t) => {
  for (const { id, summary, answers } of PROXY_TABLE) {
    t.match(summary, /^[A-Z].*[^.]$/, id)
    t.ok(Object.keys(answers).length > 0, id)
  }
})

t.test('all rows of an area have the same description', async (t) => {
  const areas = new Map(PROXY_TABLE.map(({ area }) => [area.name, area]))
  for (const { id, area } of PROXY_TABLE) t.equal(areas.get(area.name), area, id)
})

t.test('describes exactly the parameters in the paths', async (t) => {
  const names = PROXY_TABLE.flatMap(({ path }) => [...path.matchAll(/\/:(\w+)/g)].map(([, name]) => name))
  t.strictSame([...new Set(names)].toSorted(), Object.keys(PATH_PARAMETERS).toSorted())
})

t.test('rows contain data only', async (t) => {
  const isData = (value: unknown): boolean => {
    if (typeof value === 'function' || value instanceof RegExp) return false
    return typeof value !== 'object' || value === null || Object.values(value).every(isData)
  }
  for (const row of PROXY_TABLE) t.ok(isData(row), row.id)
})

t.test('forbids caching the secret of a service account', async (t) => {
  const creation = await send(`${MANAGEMENT}/serviceAccounts`, {
    serviceName: 'Night Reader',
    description: '',
    roleAssignments: [{ role: '/roles/5', scope: SCOPE }],
    customer: `/organizations/${NOTABLE.northwind}`,
    partner: `/organizations/${NOTABLE.partner}`
  })
  t.equal(creation.status, 201)
  t.equal(cachingOf(creation), 'no-store')
  const { id } = (await creation.json()) as { id: string }
  const expiration = new Date(Date.now() + 86_400_000).toISOString()
  const newSecret = await send(`${MANAGEMENT}/serviceAccounts/${id}/secret`, { expiration })
  t.match(await newSecret.clone().json(), { secret: /^.{20,}$/ })
  t.equal(cachingOf(newSecret), 'no-store')
  t.equal(newSecret.headers.get('etag'), null)
  const details = await browser.call(`${MANAGEMENT}/serviceAccounts/${id}`, {
    headers: { 'x-customer-id': NOTABLE.northwind }
  })
  t.notMatch(await details.text(), /"secret"\s*:/, 'a later call does not return the secret')
  t.equal(cachingOf(details), 'private, no-cache', 'an answer without a secret may be cached')
})

t.test('forbids caching files and remote sessions', async (t) => {
  const device = portal.sandbox.state.devices.get(NOTABLE_DEVICES.airHandler)
  const session = await send(
    `/api/v1/remote/customers/${NOTABLE.northwind}/devices/${device?.deviceUuid}/session`,
    {}
  )
  t.equal(session.status, 200)
  t.equal(cachingOf(session), 'no-store')

  const backups = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
  const list = await browser.json<{ _embedded: { backups: { id: string; status: string }[] } }>(backups)
  const backup = list._embedded.backups.find(({ status }) => status === 'COMPLETE')
  const file = await browser.call(`${backups}/${backup?.id}/download`)
  t.equal(file.status, 200)
  t.equal(cachingOf(file), 'no-store')
  await file.body?.cancel()
})

t.test('lists the rows whose answers contain a secret', async (t) => {
  const ids = PROXY_TABLE.filter(({ tellsSecret }) => tellsSecret).map(({ id }) => id)
  t.strictSame(ids.sort(), ['remote.connect', 'service-accounts.create', 'service-accounts.new-secret'])
})

/** Bounds of fields in bodies and queries, in characters, items or numbers. */
const LIMITS = `
  maximum 255: priority priorityFrom priorityTo requestProcessingPriority
  maximum 1000: size
  maximum 10000: eventTypeId
  maximum 1000000: limit
  maximum 2147483647: page
  maxItems 10: ackStates sourceStates
  maxItems 20: role
  maxItems 100: action alarmClasses body create delete roleAssignments update
  maxItems 1000: alarmUuids alarms body cloudIds notificationIds pointIds points searchItems selectedPoints
    systemGuids
  maxLength 13: role
  maxLength 40: createdDate endTime expiration from startTime to
  maxLength 50: deviceName exportName location notificationType projectName reportName serviceName
  maxLength 100: action outcome resourceType role selectedDateFilter sort sortBy timeZone
  maxLength 128: actorId customerId delete device deviceId deviceUuid id organizationId partnerId projectId
    resourceId sourceId systemGuid systemGuids userCode
  maxLength 138: project
  maxLength 143: customer partner
  maxLength 200: alarmClasses
  maxLength 254: email
  maxLength 282: scope
  maxLength 300: alarmUuids cloudId cloudIds createdBy description deviceName displayName hostId keyword
    licenseId location message name notes notificationIds point pointIds pointName projectName searchItems
    uuid
  maxLength 1000: value`

t.test('fields have the expected limits', async (t) => {
  const limits = new Map<string, Set<string>>()
  const collect = (schema: Shape | undefined, name: string): void => {
    if (schema === undefined) return
    for (const kind of ['maxLength', 'maxItems', 'maximum'] as const) {
      const limit = `${kind} ${schema[kind]}`
      if (schema[kind] !== undefined) limits.set(limit, (limits.get(limit) ?? new Set()).add(name))
    }
    for (const [field, part] of Object.entries(schema.properties ?? {})) collect(part, field)
    for (const part of [schema.items, ...(schema.anyOf ?? [])]) collect(part, name)
  }
  for (const { body, query } of PROXY_TABLE)
    for (const [name, schema] of Object.entries({ body, query })) collect(schema as Shape | undefined, name)
  const expected = [...LIMITS.matchAll(/(\w+ \d+):([^:]+?)(?=\n {2}\w+ \d|$)/g)].map(
    ([, limit = '', names = '']): [string, string[]] => [limit, names.trim().split(/\s+/)]
  )
  t.strictSame(new Map([...limits].map(([limit, names]) => [limit, [...names].sort()])), new Map(expected))
})
