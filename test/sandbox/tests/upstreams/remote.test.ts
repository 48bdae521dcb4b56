import t from 'tap'
import { startSandbox } from '../../app.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import { NOTABLE, NOTABLE_DEVICES } from '../../seed.ts'
import { callAs } from '../call-as.ts'

const sandbox = await startSandbox({ clock: () => Date.parse('2026-03-11T12:00:00Z') })
t.teardown(sandbox.stop)
const { state } = sandbox
const call = await callAs(sandbox, 'niagara.remote')
const device = state.devices.get(NOTABLE_DEVICES.airHandler) as DeviceRecord
const open = (deviceUuid = '', customerId: string = NOTABLE.northwind) =>
  call('POST', `/api/v1/remote/customers/${customerId}/devices/${deviceUuid}/session`)

t.test('a remote session leads to a page that needs no token', async (t) => {
  const session = await open(device.deviceUuid)
  t.match(session, {
    status: 200,
    body: { url: `${sandbox.url}/remote/${device.systemGuid}`, expiresDate: '2026-03-11T12:10:00.000Z' }
  })
  t.match(state.audit.at(-1), { action: 'REMOTE_CONNECTED', resource: { id: device.id } })
  const page = await fetch(session.body.url)
  t.match(page.headers.get('content-type'), /html/)
  t.match(await page.text(), device.hostId)
  t.equal((await fetch(`${sandbox.url}/remote/none`)).status, 404)
})

t.test('there is no session with devices elsewhere, without Remote, or offline', async (t) => {
  const uuid = (id: string) => state.devices.get(id)?.deviceUuid
  t.equal((await open(device.deviceUuid, NOTABLE.multi[0])).status, 404)
  t.match(await open(uuid(NOTABLE_DEVICES.withoutServices)), {
    status: 403,
    body: { errors: [{ code: 'notLicensed' }] }
  })
  t.match(await open(uuid(NOTABLE_DEVICES.offline)), { status: 409, body: { errors: [{ code: 'offline' }] } })
})
