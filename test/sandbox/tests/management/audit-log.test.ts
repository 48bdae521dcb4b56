import t from 'tap'
import type { AuditEntry } from '../../api/audit.ts'
import { startSandbox } from '../../app.ts'
import { NOTABLE } from '../../seed.ts'
import { callAs } from '../call-as.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-11T12:00:00Z')
const sandbox = await startSandbox({ clock: () => NOON })
t.teardown(sandbox.stop)
const call = await callAs(sandbox, 'partner.admin')

async function search(query: string, organization: string = NOTABLE.partner) {
  const answer = await call('GET', `/organizations/${organization}/auditLogs?${query}`)
  return { ...answer, entries: (answer.body._embedded?.auditLogs ?? []) as AuditEntry[] }
}

t.test('the log holds a few hundred entries of three months, 25 a page, the latest first', async (t) => {
  const { body, entries } = await search('')
  t.equal(entries.length, 25)
  t.ok(body.page.totalElements > 300)
  t.match(body._links.next.href, 'page=1')
  const all = (await search('size=1000')).entries
  const dates = all.map((one) => one.timestamp)
  t.same(dates, [...dates].sort().reverse())
  t.ok(Date.parse(dates.at(-1) ?? '') > NOON - 92 * DAY_MS)
  t.match(all.at(-1), {
    id: /^al-/,
    actor: { id: /./, type: /^(USER|SERVICE_ACCOUNT|SYSTEM|SUPPORT)$/, name: /./ },
    resource: { type: /./, id: /./, name: /./ },
    ipAddress: /^203\.0\.113\./,
    correlationId: /./,
    _links: { self: { href: /auditLogs\/al-/ } }
  })
  t.notOk('organizationId' in (all[0] as object))
  const kinds = (of: (one: AuditEntry) => string) => new Set(all.map(of))
  t.equal(kinds((one) => one.actor.type).size, 4)
  t.equal(kinds((one) => one.outcome).size, 3)
  t.ok(kinds((one) => one.action).size > 25)
  t.ok(all.some((one) => one.changes.length > 0))
  t.same((await search('size=1000')).entries, all)
})

t.test('filters must all hold', async (t) => {
  const all = (await search('size=1000')).entries
  const [first] = all.filter((one) => one.customerId && one.actor.type === 'USER')
  const from = new Date(NOON - 30 * DAY_MS).toISOString()
  const to = new Date(NOON - 10 * DAY_MS).toISOString()
  const cases: [string, (one: AuditEntry) => boolean][] = [
    [`from=${from}&to=${to}`, (one) => one.timestamp >= from && one.timestamp <= to],
    [`actorId=${first?.actor.id}`, (one) => one.actor.id === first?.actor.id],
    ['action=POINT_WRITTEN', (one) => one.action === 'POINT_WRITTEN'],
    ['action=LOGIN&action=LOGOUT', (one) => /^LOG(IN|OUT)$/.test(one.action)],
    ['resourceType=DEVICE', (one) => one.resource.type === 'DEVICE'],
    [`resourceId=${first?.resource.id}`, (one) => one.resource.id === first?.resource.id],
    [`customerId=${NOTABLE.northwind}`, (one) => one.customerId === NOTABLE.northwind],
    ['outcome=DENIED', (one) => one.outcome === 'DENIED'],
    [
      'keyword=northwind',
      (one) => /northwind/i.test(JSON.stringify([one.customerName, one.actor, one.resource.name]))
    ],
    ['action=LOGIN&outcome=FAILURE', (one) => one.action === 'LOGIN' && one.outcome === 'FAILURE']
  ]
  for (const [query, holds] of cases) {
    const { entries } = await search(`size=1000&${query}`)
    t.ok(entries.length > 0, query)
    t.same(
      entries.map((one) => one.id),
      all.filter(holds).map((one) => one.id),
      query
    )
  }
  for (const bad of ['from=then', 'outcome=PERHAPS', 'sort=nothing'])
    t.equal((await search(bad)).status, 400, bad)
})

t.test('it is put in another order, also by who it was', async (t) => {
  const names = (await search('size=1000&sort=actor.name,asc')).entries.map((one) =>
    one.actor.name.toLowerCase()
  )
  t.same(names, [...names].sort())
})

t.test('a customer sees what happened at it, an integrator nothing of another', async (t) => {
  const own = (await search('size=1000', NOTABLE.northwind)).entries
  t.ok(own.length > 50)
  t.ok(own.every((one) => one.customerId === NOTABLE.northwind))
  const other = (await search('size=1000', NOTABLE.thirdPartner)).entries
  t.ok(other.length > 20)
  t.notOk(other.some((one) => own.some((mine) => mine.id === one.id)))
  t.equal((await search('', 'none')).status, 404)
})

t.test('sign-ins and changes are in the log as they happen', async (t) => {
  const person = await callAs(sandbox, 'customer.admin')
  await call('PATCH', '/projects/p-1001-1', { projectName: 'Cardiology' })
  const [latest, before] = (await search('size=2&sort=timestamp,desc', NOTABLE.northwind)).entries
  const both = [latest?.action, before?.action].sort()
  t.same(both, ['LOGIN', 'PROJECT_RENAMED'])
  t.equal((await person('GET', '/myUser')).status, 200)
})

t.test('the actions are named', async (t) => {
  const { body } = await call('GET', `/organizations/${NOTABLE.partner}/auditLogs/search/actions`)
  for (const action of ['LOGIN', 'DEVICE_MOVED', 'SECRET_GENERATED', 'TECH_SUPPORT_ENABLED'])
    t.ok(body._embedded.actions.includes(action), action)
})
