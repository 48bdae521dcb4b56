import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE } from '../../seed.ts'
import { type Caller, callAs } from '../call-as.ts'

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const admin = await callAs(sandbox, 'partner.admin')
const NORTHWIND = `/organizations/${NOTABLE.northwind}`

/** Every item of a list, by following `next`. */
async function all(call: Caller, path: string, rel: string): Promise<{ id: string }[]> {
  const items = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body } = await call('GET', next)
    items.push(...(body._embedded?.[rel] ?? []))
    const { pathname, search } = new URL(body._links.next?.href ?? 'http://none/')
    next = body._links.next && pathname + search
  }
  return items
}

t.test('the 1,240 devices are listed to the end, by default 20 at a time', async (t) => {
  const devices = await all(admin, `${NORTHWIND}/devices`, 'devices')
  t.equal(new Set(devices.map((one) => one.id)).size, 1240)
  t.match(devices[0], {
    projectId: 'p-1001-1',
    projectName: 'Cardiology Wing',
    deviceUuid: /-/,
    systemGuid: /./
  })
  t.notOk('customerId' in (devices[0] as object))
})

t.test('a page of 1000 is given, and no larger one', async (t) => {
  const { body } = await admin('GET', `${NORTHWIND}/devices?page=0&size=5000`)
  t.equal(body._embedded.devices.length, 1000)
  t.same(body.page, { number: 0, size: 1000, totalPages: 2, totalElements: 1240 })
})

t.test('lists are sorted and searched when asked', async (t) => {
  const sorted = await admin('GET', `${NORTHWIND}/devices?size=1000&sort=deviceName,desc`)
  const names = sorted.body._embedded.devices.map((one: { deviceName: string }) =>
    one.deviceName.toLowerCase()
  )
  t.same(names, [...names].sort().reverse())
  const found = await admin('GET', `${NORTHWIND}/projects?keyword=CARDIO&size=100`)
  t.ok(found.body._embedded.projects.length > 0)
  for (const { projectName } of found.body._embedded.projects) t.match(projectName, /cardio/i)
})

t.test('a page past the end and an empty list lack the embedded list', async (t) => {
  t.notOk((await admin('GET', `${NORTHWIND}/projects?page=9&size=100`)).body._embedded)
  const { status, body } = await admin('GET', `/organizations/${NOTABLE.withoutProjects}/projects`)
  t.equal(status, 200)
  t.notOk(body._embedded)
  t.equal(body.page.totalElements, 0)
})

t.test('malformed paging is refused', async (t) => {
  for (const query of ['page=-1', 'size=0', 'size=many', 'sort=colour']) {
    const { status, body } = await admin('GET', `${NORTHWIND}/projects?${query}`)
    t.equal(status, 400, query)
    t.equal(body.errors[0].code, 'malformed')
  }
})

t.test('what does not exist is 404', async (t) => {
  for (const path of ['/organizations/none', '/organizations/none/devices', '/users/none', '/nothing/at/all'])
    t.match(await admin('GET', path), { status: 404, body: { errors: [{ code: 'notFound' }] } }, path)
  t.equal((await admin('GET', '/api/v1/subscription/customers/none')).status, 404)
})

t.test('counts of organizations are those of the state', async (t) => {
  t.match((await admin('GET', NORTHWIND)).body, {
    projectCount: 63,
    deviceCount: 1240,
    partnerId: NOTABLE.partner
  })
  const { body } = await admin('GET', `/organizations/${NOTABLE.partner}`)
  const cards = await all(admin, `/organizations/${NOTABLE.partner}/customers?size=10`, 'customers')
  t.equal(cards.length, 45)
  const sum = (cards as unknown as { deviceCount: number }[]).reduce(
    (total, one) => total + one.deviceCount,
    0
  )
  t.equal(body.deviceCount, sum)
  t.notOk('partnerId' in body)
})

t.test('whose customers are listed depends on who asks', async (t) => {
  const cases: [string, string, string[] | number][] = [
    ['global.admin', NOTABLE.partnerWithoutTechView, 6],
    ['partner.user', NOTABLE.partner, 45],
    ['partner.user', NOTABLE.partnerWithoutTechView, 0],
    ['niagara.remote', NOTABLE.partner, 45],
    ['custom.user', NOTABLE.partner, [...NOTABLE.custom]],
    ['customer.user', NOTABLE.northwind, [NOTABLE.northwind]],
    ['customer.multi', NOTABLE.multi[0], [...NOTABLE.multi]],
    ['no.access', NOTABLE.partner, 0]
  ]
  for (const [username, organization, expected] of cases) {
    const call = await callAs(sandbox, username)
    const { body } = await call('GET', `/organizations/${organization}/customers?size=100`)
    if (typeof expected === 'number') t.equal(body.page.totalElements, expected, username)
    else
      t.same(
        body._embedded.customers.map((one: { id: string }) => one.id),
        expected,
        username
      )
  }
})

t.test('roles are not enforced: what somebody asks for is given', async (t) => {
  const nobody = await callAs(sandbox, 'no.access')
  t.equal((await nobody('GET', `${NORTHWIND}/devices`)).status, 200)
})

t.test('subscriptions are a plain list of devices that exist', async (t) => {
  const { body } = await admin('GET', `/api/v1/subscription/customers/${NOTABLE.northwind}`)
  const known = new Set(sandbox.state.devices.of(NOTABLE.northwind).map((one) => one.deviceUuid))
  t.ok(body.length > 1000)
  t.ok(body.every((one: { deviceUuid: string }) => known.has(one.deviceUuid)))
})

t.test('integrators are found by their tech view, which can be switched', async (t) => {
  const names = async (enabled: boolean) => {
    const { body } = await admin('GET', `/organizations/search/findByIsTechViewEnabled?enabled=${enabled}`)
    return body._embedded.organizations.map((one: { id: string }) => one.id)
  }
  t.same(await names(true), ['100', '300'])
  t.same(await names(false), ['200'])
  const switched = await admin('PATCH', '/organizations/200/techSupport?enable=true')
  t.match(switched, { status: 200, body: { id: '200', isTechViewEnabled: true } })
  t.same(await names(true), ['100', '200', '300'])
  t.equal((await admin('PATCH', '/organizations/200/techSupport?enable=perhaps')).status, 400)
})
