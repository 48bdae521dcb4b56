// Remote access to a device: sessions, a page that replaces the device's own page, and the logout of the remote host.
import { ApiProblem, found } from '../api/problems.ts'
import { params, type Upstream } from '../api/upstream.ts'
import { escapeHtml, page } from '../identity/page.ts'
import type { DeviceRecord } from '../records/sites.ts'
import { seedOf } from '../simulation/chance.ts'
import { isOffline } from '../simulation/values.ts'
import type { State } from '../state.ts'
import { deviceBySystemGuid } from './data/telemetry.ts'
import { deviceRecorder } from './management/devices.ts'
import { organizationOf } from './management/organizations.ts'

const SESSION_MS = 10 * 60_000

export const remote: Upstream = (api, state, publicUrl) => {
  const record = deviceRecorder(state)

  api.post('/api/v1/remote/customers/:id/devices/:deviceUuid/session', async (request) => {
    const { id, deviceUuid = '' } = params(request)
    const customer = organizationOf(state, id)
    const device = found(
      state.devices.of(customer.id).find((candidate) => candidate.deviceUuid === deviceUuid),
      `device ${deviceUuid}`
    )
    if (!isLicensed(state, device)) throw new ApiProblem(403, 'notLicensed', 'no Remote subscription')
    if (isOffline(seedOf(deviceUuid))) throw new ApiProblem(409, 'offline', 'the device cannot be reached')
    record(request, 'REMOTE_CONNECTED', device)
    const expiresDate = new Date(state.clock() + SESSION_MS).toISOString()
    return { url: `${publicUrl}/remote/${device.systemGuid}`, expiresDate }
  })

  api.get('/remote/:systemGuid', async (request, reply) => {
    const device = deviceBySystemGuid(state, params(request).systemGuid ?? '')
    const customer = state.organizations.get(device.customerId)?.orgName ?? ''
    return reply.header('content-type', 'text/html; charset=utf-8').send(
      page(
        device.deviceName,
        `<p>Remote session with the station of this device.</p>
<p>${escapeHtml(customer)} · ${escapeHtml(device.location)} · <code>${escapeHtml(device.hostId)}</code></p>`
      )
    )
  })

  // REMOTE_URL of the gateway may have a path.
  for (const host of ['', '/remote'])
    api.post(`${host}/noproxy/bearer-logout`, async (_request, reply) => reply.code(204).send())
}

function isLicensed(state: State, { customerId, deviceUuid }: DeviceRecord): boolean {
  return (state.subscriptions.get(customerId) ?? []).some(
    (subscription) =>
      subscription.deviceUuid === deviceUuid &&
      subscription.offeringCode === 'Remote' &&
      Date.parse(subscription.endDate) > state.clock()
  )
}
