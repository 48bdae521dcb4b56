import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE } from '../../seed.ts'
import { callAs } from '../call-as.ts'

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const { state } = sandbox
const call = await callAs(sandbox, 'partner.admin')
const customer = `/organizations/${NOTABLE.withoutDevices}`
const partner = `/organizations/${NOTABLE.partner}`
const DUPLICATE = 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS'

t.test('a project is created, renamed and deleted', async (t) => {
  const created = await call('POST', '/projects', { projectName: 'Test Lab', customer, partner })
  t.match(created, { status: 201, body: { id: /./, projectName: 'Test Lab' } })
  t.match(created.body._links, { customer: { href: customer }, partner: { href: partner } })
  const { id } = created.body
  t.match(await call('PATCH', `/projects/${id}`, { projectName: 'Lab 2' }), {
    status: 200,
    body: { projectName: 'Lab 2' }
  })
  t.equal(
    (await call('PATCH', `/projects/${id}`, { projectName: 'Lab 2' })).status,
    200,
    'its own name is free'
  )
  t.equal(state.projects.of(NOTABLE.withoutDevices).length, 2)
  t.equal((await call('DELETE', `/projects/${id}`)).status, 204)
  t.equal((await call('DELETE', `/projects/${id}`)).status, 404)
  t.equal(state.projects.of(NOTABLE.withoutDevices).length, 1)
})

t.test('a second project of a name is a conflict, at this customer only', async (t) => {
  const [first] = state.projects.of(NOTABLE.withoutDevices)
  const projectName = first?.projectName.toUpperCase()
  const again = await call('POST', '/projects', { projectName, customer, partner })
  t.match(again, { status: 409, body: { status: 409, errors: [{ code: DUPLICATE }] } })
  const elsewhere = await call('POST', '/projects', {
    projectName,
    customer: `/organizations/${NOTABLE.withoutProjects}`,
    partner
  })
  t.equal(elsewhere.status, 201)
  const renamed = await call('PATCH', '/projects/p-1001-1', { projectName: 'emergency department' })
  t.match(renamed, { status: 409, body: { errors: [{ code: DUPLICATE }] } })
})

t.test('a project with devices is not deleted', async (t) => {
  t.match(await call('DELETE', '/projects/p-1001-1'), {
    status: 409,
    body: { errors: [{ code: 'PROJECT_HAS_DEVICES' }] }
  })
  t.ok(state.projects.get('p-1001-1'))
})

t.test('malformed bodies are 400 and change nothing', async (t) => {
  const before = state.audit.length
  const cases: [string, string, unknown][] = [
    ['POST', '/projects', '{"projectName":'],
    ['POST', '/projects', []],
    ['POST', '/projects', { customer, partner }],
    ['POST', '/projects', { projectName: ' ', customer, partner }],
    ['POST', '/projects', { projectName: 'x'.repeat(51), customer, partner }],
    ['POST', '/projects', { projectName: 'Lab', customer: NOTABLE.withoutDevices, partner }],
    ['POST', '/projects', { projectName: 'Lab', customer, partner: '/organizations/200' }],
    ['PATCH', '/projects/p-1001-1', {}],
    ['PATCH', '/devices/d-1001-1', { deviceName: 7 }],
    ['PATCH', '/devices/d-1001-1', { location: '' }],
    ['PATCH', '/devices/d-1001-1', { project: 'p-1001-2' }],
    ['PATCH', '/devices/d-1001-1', { project: '/projects/p-1004-1' }],
    ['PATCH', '/users/u-partner-user/roleAssignments', { create: 'all' }]
  ]
  for (const [method, path, body] of cases) {
    const answer = await call(method, path, body)
    t.match(
      answer,
      { status: 400, body: { title: 'Bad Request' } },
      `${method} ${path} ${JSON.stringify(body)}`
    )
  }
  t.equal(state.audit.length, before)
})

t.test('a device is renamed and moved, and its list tells the new project', async (t) => {
  const change = { deviceName: "AHU 'North' & South", location: 'Roof', project: '/projects/p-1001-2' }
  const answer = await call('PATCH', '/devices/d-1001-1', change)
  t.match(answer, {
    status: 200,
    body: { id: 'd-1001-1', deviceName: change.deviceName, location: 'Roof', projectId: 'p-1001-2' }
  })
  t.equal(answer.body.projectName, 'Emergency Department')
  t.match(state.audit.at(-1), {
    action: 'DEVICE_MOVED',
    actor: { id: 'u-partner-admin', type: 'USER' },
    resource: { type: 'DEVICE', id: 'd-1001-1' },
    customerId: NOTABLE.northwind,
    customerName: 'Northwind Hospitals',
    organizationId: NOTABLE.partner
  })
  t.match(state.audit.at(-1)?.changes, [
    { field: 'deviceName', after: change.deviceName },
    { field: 'location', after: 'Roof' },
    { field: 'projectName', before: 'Cardiology Wing', after: 'Emergency Department' }
  ])
  t.equal((await call('PATCH', '/devices/d-1001-1', { project: '/projects/none' })).status, 404)
  t.equal((await call('PATCH', '/devices/none', {})).status, 404)
})

t.test('a deleted device is gone with its subscriptions', async (t) => {
  const device = state.devices.get('d-1001-9')
  t.equal((await call('DELETE', '/devices/d-1001-9')).status, 204)
  t.equal((await call('DELETE', '/devices/d-1001-9')).status, 404)
  t.equal(state.devices.of(NOTABLE.northwind).length, 1239)
  const left = state.subscriptions.get(NOTABLE.northwind) ?? []
  t.notOk(left.some((one) => one.deviceUuid === device?.deviceUuid))
  t.equal(state.audit.at(-1)?.action, 'DEVICE_DELETED')
})

t.test('each change is in the audit log, a refused one is not', async (t) => {
  const actions = state.audit.map((entry) => entry.action).filter((action) => action !== 'LOGIN')
  t.same(actions, [
    'PROJECT_CREATED',
    'PROJECT_RENAMED',
    'PROJECT_RENAMED',
    'PROJECT_DELETED',
    'PROJECT_CREATED',
    'DEVICE_MOVED',
    'DEVICE_DELETED'
  ])
})
