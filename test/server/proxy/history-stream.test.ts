// A history of any size passes through: what the caller has not read yet, the upstream has not sent.
import { once } from 'node:events'
import t from 'tap'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/redis-server.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const MEGABYTE = 1024 * 1024
const HISTORY_BYTES = 96 * MEGABYTE
/** What lies in the buffers of two connections of a machine, and in the gateway's own. */
const ON_THE_WAY_BYTES = 32 * MEGABYTE
const STILL_POLLS = 20

t.test('a history that nobody reads stays where it is, and comes whole to who does', async (t) => {
  const upstream = await startTinyUpstream(t)
  const portal = await startPortal(t, { env: { UPSTREAM_EGRESS_URL: upstream.url } })
  let sent = 0
  upstream.answer = async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(64 * 1024, ' ')
    while (sent < HISTORY_BYTES) {
      sent += chunk.length
      if (!response.write(chunk)) await once(response, 'drain')
    }
    response.end()
  }
  const device = portal.sandbox.state.devices.get(NOTABLE_DEVICES.airHandler)
  const person = await portal.as('customer.user')
  const answer = await person.call('/api/v1/egress/telemetry', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({
      systemGuid: device?.systemGuid,
      pointIds: ['a'],
      startTime: '2026-01-01',
      endTime: '2026-02-01'
    })
  })
  t.equal(answer.status, 200)
  let [before, still] = [-1, 0]
  await eventually(() => {
    still = sent === before ? still + 1 : 0
    before = sent
    return still >= STILL_POLLS
  }, 30_000)
  t.ok(sent < ON_THE_WAY_BYTES, `${Math.round(sent / MEGABYTE)} MB on the way`)
  let read = 0
  for await (const chunk of answer.body ?? []) read += chunk.length
  t.equal(read, HISTORY_BYTES)
})
