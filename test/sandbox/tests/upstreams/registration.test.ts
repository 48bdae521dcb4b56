import t from 'tap'
import { startSandbox } from '../../app.ts'
import { CODES, NOTABLE, NOTABLE_DEVICES } from '../../seed.ts'
import { callAs } from '../call-as.ts'

const MINUTE_MS = 60_000
let now = Date.parse('2026-03-11T12:00:00Z')
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
const { state } = sandbox
const admin = await callAs(sandbox, 'partner.admin')
const API = '/api/v2/devicemanagement'
const lookUp = (code: string) => admin('GET', `${API}/registration/${code}`)
const customer = `/organizations/${NOTABLE.withoutDevices}`
const [project] = state.projects.of(NOTABLE.withoutDevices)
const place = { customer, project: `/projects/${project?.id}`, deviceName: 'Chiller 7', location: 'Roof' }

t.test('each notable code has the licences that its name promises', async (t) => {
  const one = await lookUp(CODES.oneLicense)
  t.match(one.body.licenses, [
    {
      licenseId: /./,
      niagaraLicenseId: /^Niagara-/,
      customerName: 'Northwind Hospitals',
      features: { subscriptions: [{ offeringCode: 'NDS' }] }
    }
  ])
  t.equal(one.body.licenses.length, 1)
  t.equal((await lookUp(CODES.threeLicenses)).body.licenses.length, 3)
  t.same((await lookUp(CODES.noLicense)).body, { licenses: [] })
  t.match(await lookUp(CODES.expired), { status: 404, body: { errors: [{ code: 'expired' }] } })
  for (const code of ['ABCDEFGH', 'ONE0001', 'one00001', 'ONE000010'])
    t.match(await lookUp(code), { status: 404, body: { errors: [{ code: 'notFound' }] } }, code)
})

t.test('a code is valid for 15 minutes from its first use', async (t) => {
  t.equal((await lookUp('ONE00077')).status, 200)
  now += 15 * MINUTE_MS - 1
  t.equal((await lookUp('ONE00077')).status, 200)
  now += 1
  t.match(await lookUp('ONE00077'), { status: 404, body: { errors: [{ code: 'expired' }] } })
  t.equal((await lookUp('ONE00078')).status, 200, 'another one begins its own time')
})

t.test('registering makes a device of that project, with the services of the licence, once', async (t) => {
  const userCode = 'ONE00100'
  const [license] = (await lookUp(userCode)).body.licenses
  const order = { userCode, licenseId: license.licenseId, ...place }
  const made = await admin('POST', `${API}/registration`, order)
  t.match(made, {
    status: 201,
    body: { id: /./, deviceUuid: /^[0-9a-f-]{36}$/, systemGuid: /^[0-9a-f]{24}$/ }
  })
  const list = await admin('GET', `${customer}/devices`)
  t.match(list.body._embedded.devices, [
    { ...made.body, deviceName: 'Chiller 7', location: 'Roof', projectName: project?.projectName }
  ])
  const services = await admin('GET', `/api/v1/subscription/customers/${NOTABLE.withoutDevices}`)
  t.match(services.body, [{ offeringCode: 'NDS', planLimit: Number }, { offeringCode: 'Remote' }, {}])
  t.match(state.audit.at(-1), { action: 'DEVICE_REGISTERED', customerId: NOTABLE.withoutDevices })
  t.equal((await admin('POST', `${API}/registration`, order)).status, 404, 'the code is spent')
})

t.test('a registration that does not fit is refused and makes nothing', async (t) => {
  const before = state.devices.size
  const userCode = 'THREE100'
  const [license] = (await lookUp(userCode)).body.licenses
  const order = { userCode, licenseId: license.licenseId, ...place }
  const cases: [number, object][] = [
    [400, { licenseId: 'lic-other' }],
    [400, { userCode: undefined }],
    [404, { userCode: CODES.expired }],
    [400, { userCode: 'NONE0100' }],
    [404, { customer: '/organizations/none' }],
    [404, { project: '/projects/none' }],
    [400, { project: '/projects/p-1001-1' }],
    [400, { deviceName: '' }],
    [400, { location: 'x'.repeat(51) }]
  ]
  for (const [status, change] of cases)
    t.equal((await admin('POST', `${API}/registration`, { ...order, ...change })).status, status)
  t.equal(state.devices.size, before)
})

t.test('re-registering keeps the device and gives it another host', async (t) => {
  const device = state.devices.get(NOTABLE_DEVICES.withoutServices)
  const { deviceUuid = '', hostId = '' } = device ?? {}
  const userCode = 'THREE200'
  const path = `${API}/reregistration/${userCode}/deviceUuid/`
  t.equal((await admin('GET', `${path}none`)).status, 404)
  const { body } = await admin('GET', `${path}${deviceUuid}`)
  t.equal(body.licenses.length, 3)
  const { licenseId } = body.licenses[2]
  const wrong = await admin('POST', `${API}/reregistration`, { userCode, deviceUuid: 'none', licenseId })
  t.equal(wrong.status, 404)
  const done = await admin('POST', `${API}/reregistration`, { userCode, deviceUuid, licenseId })
  t.match(done, { status: 200, body: { id: device?.id, deviceUuid } })
  t.not(device?.hostId, hostId)
  const services = state.subscriptions
    .get(NOTABLE.northwind)
    ?.filter((one) => one.deviceUuid === deviceUuid)
    .map((one) => one.offeringCode)
  t.same(services, ['NDS'])
  t.equal(state.audit.at(-1)?.action, 'DEVICE_REREGISTERED')
})
