// The audit trail says what a change was about: only named fields, bounded in number and length.
import t, { type Test } from 'tap'
import { fieldPicker } from '#server/observability/recorded-fields.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import type { ProjectList } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'

/** Fields that hold secrets, codes, addresses of people, or texts that people write to each other. */
const NEVER = ['notes', 'message', 'description', 'userCode', 'email', 'secret']

interface PlainSchema {
  properties?: Record<string, PlainSchema>
  items?: PlainSchema
  anyOf?: PlainSchema[]
}

const propertiesOf = (schema: PlainSchema | undefined): Record<string, PlainSchema> =>
  schema?.items ? propertiesOf(schema.items) : (schema?.properties ?? {})

const has = (schema: PlainSchema | undefined, [name = '', ...rest]: string[]): boolean => {
  const field = propertiesOf(schema)[name]
  return field !== undefined && (rest.length === 0 || has(field, rest))
}

t.test('no row records a secret, a code or a text that people write', async (t) => {
  for (const { id, recorded = [], recordedBefore = [] } of PROXY_TABLE)
    for (const path of [...recorded, ...recordedBefore])
      t.notOk(
        path.split('.').some((name) => NEVER.includes(name)),
        `${id}: ${path}`
      )
})

t.test('every row records only fields that it takes', async (t) => {
  for (const { id, recorded = [], query, body } of PROXY_TABLE)
    for (const path of recorded) {
      const names = path.split('.')
      t.ok(has(query as PlainSchema, names) || has(body as PlainSchema, names), `${id}: ${path}`)
    }
})

t.test('every change with a body records something of it', async (t) => {
  const reading = /:(?:view|query|query-model|read|download|export)$/
  const changes = PROXY_TABLE.filter(
    ({ action, body }) => !reading.test(action) && Object.keys(propertiesOf(body as PlainSchema)).length > 0
  )
  t.ok(changes.length >= 15)
  for (const { id, recorded = [] } of changes) t.ok(recorded.length > 0, id)
})

t.test('picks only the named fields, at every level', async (t) => {
  const picked = fieldPicker(['points.cloudId', 'points.value', 'name'])
  t.strictSame(
    picked({
      points: [
        { cloudId: 'c-1', value: 0, notes: 'x' },
        { cloudId: 'c-2', value: null }
      ],
      other: 1
    }),
    {
      fields: {
        points: [
          { cloudId: 'c-1', value: 0 },
          { cloudId: 'c-2', value: null }
        ]
      }
    }
  )
  t.strictSame(fieldPicker(['deviceId'])([{ deviceId: 'd-1', alarmUuids: ['a'] }]), {
    fields: [{ deviceId: 'd-1' }]
  })
  for (const input of [undefined, null, {}, { other: 1 }, 'text', { name: { deep: 1 } }])
    t.equal(fieldPicker(['name'])(input), null)
})

t.test('bounds the number and the length of values', async (t) => {
  const ids = (count: number) => ({ ids: Array.from({ length: count }, (_, index) => `a-${index}`) })
  const pick = fieldPicker(['ids'])
  t.strictSame(pick(ids(100)), { fields: ids(100) })
  t.strictSame(pick(ids(1000)), { fields: ids(100), omitted: 900 })
  t.strictSame(pick({ ids: ['x'.repeat(200)] }), { fields: { ids: ['x'.repeat(200)] } })
  t.strictSame(pick({ ids: ['x'.repeat(201)] }), { fields: { ids: [`${'x'.repeat(200)}…`] } })
  t.strictSame(pick({ ids: ['a\n{"audit":true}'] }), { fields: { ids: ['a {"audit":true}'] } })
})

/** Sends calls about a customer and returns their audit lines. */
async function startAudited(t: Test) {
  const portal = await startPortal(t)
  const person = await portal.as('partner.admin')
  const send = async (method: string, path: string, body?: object) => {
    const start = portal.logged.length
    const headers = {
      'x-customer-id': NOTABLE.northwind,
      ...(body && { 'content-type': 'application/json' })
    }
    const answer = await person.call(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const line = await eventually(() =>
      portal.logged.slice(start).find((text) => text.includes('"audit":true'))
    )
    return { status: answer.status, line: JSON.parse(line) as Record<string, unknown> }
  }
  return { portal, person, send }
}
const link = (id: string) => `/organizations/${id}`

t.test('the audit line of a change has the old names as the gateway has just read them', async (t) => {
  const { person, send } = await startAudited(t)
  const read = async <T>(path: string) => (await (await person.call(path)).json()) as T
  const { projects } = await read<ProjectList>(`/api/portal/v1/customers/${NOTABLE.northwind}/projects`)
  const project = projects.find(({ deviceCount }) => deviceCount === 0) ?? projects[0]
  const path = `/api/v2/management/projects/${project?.id}`
  const renamed = await send('PATCH', path, { projectName: 'Zz Renamed' })
  t.match(renamed, { status: 200, line: { fields: { projectName: 'Zz Renamed' } } })
  t.strictSame(renamed.line.before, { projectName: project?.projectName })
  t.ok(Date.now() - Date.parse(String(renamed.line.beforeReadAt)) < 30_000)

  const { _embedded } = await read<{ _embedded: { serviceAccounts: { id: string; serviceName: string }[] } }>(
    `/api/v2/management/organizations/${NOTABLE.northwind}/serviceAccounts`
  )
  const [account] = _embedded.serviceAccounts
  const deleted = await send('DELETE', `/api/v2/management/serviceAccounts/${account?.id}`)
  t.match(deleted.line, { event: 'change', outcome: 'done' })
  t.strictSame(deleted.line.before, { serviceName: account?.serviceName })
  t.notHas(deleted.line, { beforeReadAt: String })
})

t.test('the audit line of a change, and of a refusal after the body, says what it was about', async (t) => {
  const { portal, send } = await startAudited(t)
  const created = await send('POST', '/api/v2/management/projects', {
    projectName: 'Zz Audited',
    customer: link(NOTABLE.northwind),
    partner: link(NOTABLE.partner)
  })
  t.match(created, { status: 201, line: { event: 'change', outcome: 'done' } })
  t.strictSame(created.line.fields, {
    projectName: 'Zz Audited',
    customer: link(NOTABLE.northwind),
    partner: link(NOTABLE.partner)
  })
  const scope = '/organizations/1/customers/none'
  const refused = await send('POST', '/api/v2/management/userInvitations', {
    email: 'somebody@example.com',
    message: 'a private word',
    partner: link(NOTABLE.partner),
    customer: null,
    roleAssignments: [{ role: '/roles/1', scope }]
  })
  t.match(refused, { status: 403, line: { event: 'denied' } })
  t.match(refused.line.fields, { roleAssignments: [{ role: '/roles/1', scope }] })
  t.notMatch(portal.logged.join(), /a private word|somebody@example/)
})
