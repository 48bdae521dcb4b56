import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE } from '../../seed.ts'
import { callAs } from '../call-as.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-11T12:00:00Z')
const sandbox = await startSandbox({ clock: () => NOON })
t.teardown(sandbox.stop)
const { state } = sandbox
const admin = await callAs(sandbox, 'partner.admin')
const LIST = `/organizations/${NOTABLE.northwind}/serviceAccounts`
const partner = `/organizations/${NOTABLE.partner}`
const customer = `/organizations/${NOTABLE.northwind}`
const scope = `${partner}/customers/${NOTABLE.northwind}`
const account = {
  serviceName: "Facility Manager's App, no. 2",
  description: 'Reads it all.\nEvery night.',
  roleAssignments: [{ role: '/roles/5', scope }],
  customer,
  partner
}

t.test(
  'service accounts are listed, found by keyword, and their secrets end at every distance',
  async (t) => {
    const { body } = await admin('GET', `${LIST}?size=1000`)
    const list = body._embedded.serviceAccounts
    t.equal(body.page.totalElements, 14)
    t.match(list[0], {
      id: 'sa-1001-1',
      serviceName: 'Energy Dashboard',
      clientId: /^sa-/,
      createdBy: /./,
      createdDate: /Z$/,
      roleAssignments: [{ scope, _links: { role: { href: /^\/roles\// } } }]
    })
    t.notMatch(JSON.stringify(list), /"secret"/)
    const days = list
      .filter((one: { secretExpiration: string | null }) => one.secretExpiration !== null)
      .map((one: { secretExpiration: string }) => (Date.parse(one.secretExpiration) - NOON) / DAY_MS)
    t.ok(days.length < list.length, 'one has no secret')
    for (const [from, to] of [
      [-100, 0],
      [0, 7],
      [7, 30],
      [30, 1000]
    ] as const)
      t.ok(
        days.some((left: number) => left > from && left <= to),
        `${from} to ${to} days`
      )
    const found = await admin('GET', `${LIST}?keyword=carbon`)
    t.equal(found.body.page.totalElements, 1)
    const ofPartner = await admin('GET', `${partner}/serviceAccounts?size=1000`)
    t.ok(ofPartner.body.page.totalElements > 50)
    t.equal((await admin('GET', '/organizations/none/serviceAccounts')).status, 404)
  }
)

t.test('a service account is made, changed and deleted, and the log knows', async (t) => {
  const before = state.audit.length
  const made = await admin('POST', '/serviceAccounts', account)
  t.match(made, {
    status: 201,
    body: { ...account, roleAssignments: [{ id: /./, scope }], createdBy: 'Paula Andersson' }
  })
  t.match(made.body, { secretExpiration: null, lastUsedDate: null, createdDate: '2026-03-11T12:00:00.000Z' })
  const path = `/serviceAccounts/${made.body.id}`
  t.match(await admin('GET', path), { status: 200, body: { id: made.body.id } })
  const renamed = await admin('PATCH', path, { description: '' })
  t.match(renamed, { status: 200, body: { serviceName: account.serviceName, description: '' } })
  const [role] = made.body.roleAssignments
  const roles = await admin('PATCH', `${path}/roleAssignments`, {
    create: [{ role: '/roles/7', scope }],
    update: [],
    delete: [role.id]
  })
  t.match(roles, { status: 200, body: { roleAssignments: [{ roleName: 'nds_operator', scope }] } })
  t.equal((await admin('DELETE', path)).status, 204)
  t.equal((await admin('GET', path)).status, 404)
  t.same(
    state.audit.slice(before).map((entry) => entry.action),
    ['SERVICE_ACCOUNT_CREATED', 'SERVICE_ACCOUNT_UPDATED', 'ROLES_CHANGED', 'SERVICE_ACCOUNT_DELETED']
  )
  t.match(state.audit.at(-1), {
    resource: { type: 'SERVICE_ACCOUNT', name: account.serviceName },
    customerId: NOTABLE.northwind
  })
})

t.test('a secret is told once, and never again', async (t) => {
  const expiration = '2026-09-11T00:00:00.000Z'
  const made = await admin('POST', '/serviceAccounts/sa-1001-2/secret', { expiration })
  t.equal(made.status, 200)
  t.match(made.body, { clientId: /^sa-/, secret: /^[\w-]{43}$/, expiration })
  const shown = await admin('GET', '/serviceAccounts/sa-1001-2')
  t.equal(shown.body.secretExpiration, expiration)
  t.notOk('secret' in shown.body)
  t.equal(state.audit.at(-1)?.action, 'SECRET_GENERATED')
  t.notMatch(JSON.stringify(state.audit), made.body.secret)
  for (const bad of ['', 'soon', '2026-03-11T12:00:00Z', '2020-01-01T00:00:00Z'])
    t.equal((await admin('POST', '/serviceAccounts/sa-1001-2/secret', { expiration: bad })).status, 400, bad)
  t.equal((await admin('POST', '/serviceAccounts/none/secret', { expiration })).status, 404)
})

t.test('what is malformed is 400 and makes nothing', async (t) => {
  const before = state.serviceAccounts.size
  const cases: [string, object][] = [
    ['serviceName', { serviceName: '' }],
    ['serviceName', { serviceName: 'a<b' }],
    ['serviceName', { serviceName: 'x'.repeat(51) }],
    ['description', { description: 'x'.repeat(301) }],
    ['customer', { customer: 'c-1001' }],
    ['partner', { partner: '/organizations/200' }],
    ['roleAssignments', { roleAssignments: undefined }],
    ['role', { roleAssignments: [{ role: '/roles/99', scope }] }],
    ['scope', { roleAssignments: [{ role: '/roles/5', scope: '/organizations/none' }] }]
  ]
  for (const [field, change] of cases)
    t.match(await admin('POST', '/serviceAccounts', { ...account, ...change }), {
      status: 400,
      body: { errors: [{ field }] }
    })
  const longest = { ...account, serviceName: 'x'.repeat(50), description: 'x'.repeat(300) }
  t.equal((await admin('POST', '/serviceAccounts', longest)).status, 201)
  t.equal(state.serviceAccounts.size, before + 1)
})
