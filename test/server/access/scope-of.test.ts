// The gateway proves the scope of a call from its path, header and query. Also tests links and ownership.
import t from 'tap'
import { linkedId } from '#server/access/links.ts'
import { createOwnership } from '#server/access/ownership.ts'
import { problems } from '#server/errors.ts'
import type { Caller } from '#server/types.ts'
import type { UpstreamClient } from '#server/upstreams/client.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Target } from './grid-oracle.ts'
import { startTries } from './tries.ts'

const MANAGEMENT = '/api/v2/management'
const COMMANDS = '/api/v1/control/devices'

const { attempt, expectStatus, foreign, ours, sibling } = await startTries(t)

t.test('an object in the path must belong to the customer in x-customer-id', async (t) => {
  const { projectId, deviceId, deviceUuid, exportId, serviceAccountId } = ours.parameters
  const calls: [call: string, body?: unknown][] = [
    [`PATCH ${MANAGEMENT}/projects/${projectId}`, { projectName: 'x' }],
    [`DELETE ${MANAGEMENT}/projects/${projectId}`],
    [`PATCH ${MANAGEMENT}/devices/${deviceId}`, { deviceName: 'x' }],
    [`DELETE ${MANAGEMENT}/devices/${deviceId}`],
    [`POST ${COMMANDS}/${deviceId}/commands/write`, { points: [], requestProcessingPriority: 255 }],
    [`POST ${COMMANDS}/${deviceUuid}/commands/readAll`, { cloudIds: [], priority: 255 }],
    [`GET /api/v2/devicemanagement/reregistration/ABCD1234/deviceUuid/${deviceUuid}`],
    [`POST /api/v2/devicemanagement/reregistration`, { deviceUuid, userCode: 'ABCD1234', licenseId: 'l' }],
    [`GET /api/v1/egress/exports/${exportId}`],
    [`DELETE ${MANAGEMENT}/serviceAccounts/${serviceAccountId}`]
  ]
  const claims: [claim: string | undefined, status: number][] = [
    [undefined, 400],
    ['', 400],
    [`${ours.id},${foreign.id}`, 400],
    [`${ours.id} `.repeat(2), 400],
    [`../organizations/${ours.id}`, 400],
    ['no-such-customer', 404],
    [sibling.id, 404],
    [foreign.id, 403],
    [ours.id, 200]
  ]
  for (const [call, body] of calls)
    for (const [claim, status] of claims)
      await expectStatus(t, `${call} claiming ${JSON.stringify(claim)}`, call, { claim, body }, status)
})

t.test('does not accept an integrator as a customer', async (t) => {
  const { deviceId, projectId } = ours.parameters
  const claim = NOTABLE.partner
  for (const path of [`devices/${deviceId}`, `projects/${projectId}`])
    await expectStatus(t, path, `DELETE ${MANAGEMENT}/${path}`, { claim }, 404)
  await expectStatus(t, 'backups', `GET /api/v1/recover/customers/${claim}/backups`, {}, 404)
})

t.test('proves both the customer and the device of a path', async (t) => {
  const count = (customer: Target, { parameters: { deviceId } }: Target) =>
    `GET /api/v1/alarms/customers/${customer.id}/devices/${deviceId}/alarms/count`
  const source = ({ parameters: { deviceId } }: Target) => ({ query: `sourceId=${deviceId}` })
  await expectStatus(t, 'a device of another customer', count(ours, sibling), source(sibling), 404)
  await expectStatus(t, 'a foreign device', count(ours, foreign), source(foreign), 404)
  await expectStatus(t, 'a foreign customer', count(foreign, ours), source(ours), 403)
  await expectStatus(t, 'a source that differs from the device', count(ours, ours), source(sibling), 400)
  await expectStatus(t, 'no source', count(ours, ours), {}, 400)
  const sources = { query: `${source(ours).query}&${source(sibling).query}` }
  await expectStatus(t, 'two sources', count(ours, ours), sources, 400)
  await expectStatus(t, 'an allowed device', count(ours, ours), source(ours), 200)
  const remote = (customer: Target, { parameters }: Target) =>
    `POST /api/v1/remote/customers/${customer.id}/devices/${parameters.deviceUuid}/session`
  await expectStatus(t, 'a session with a device of another customer', remote(ours, sibling), {}, 404)
  await expectStatus(t, 'a session with an allowed device', remote(ours, ours), {}, 200)
})

t.test('proves the device or organization in the query', async (t) => {
  const usage = 'GET /api/v1/subscription-usage/metrics-detail'
  const device = ({ parameters }: Target) => `deviceId=${parameters.deviceId}`
  const claim = ours.id
  await expectStatus(t, 'no device', usage, { claim }, 400)
  await expectStatus(t, 'an empty device', usage, { claim, query: 'deviceId=' }, 400)
  await expectStatus(t, 'two devices', usage, { claim, query: `${device(ours)}&${device(foreign)}` }, 400)
  await expectStatus(t, 'a device of another customer', usage, { claim, query: device(sibling) }, 404)
  await expectStatus(t, 'an allowed device', usage, { claim, query: device(ours) }, 200)
  const exports = 'GET /api/v1/egress/exports'
  await expectStatus(t, 'no customer', exports, {}, 400)
  const twoCustomers = { query: `customerId=${ours.id}&customerId=${foreign.id}` }
  await expectStatus(t, 'two customers', exports, twoCustomers, 400)
  const answer = await attempt(exports, { query: `customerId=${ours.id}&organizationId=${NOTABLE.partner}` })
  t.match(answer, { status: 400, forwarded: false })
  t.match(answer.text, 'The query must name a customer or an organization, not both.')
  await expectStatus(t, 'a foreign customer', exports, { query: `customerId=${foreign.id}` }, 403)
  await expectStatus(t, 'a foreign integrator', exports, { query: 'organizationId=200' }, 403)
  await expectStatus(t, 'an allowed customer', exports, { query: `customerId=${ours.id}` }, 200)
})

t.test('refuses a link to another kind of object', async (t) => {
  const links: unknown[] = [
    '/organizations/5',
    '/Roles/5',
    '/roles',
    '/roles/',
    '/roles/..',
    '/roles/5/',
    '/roles/5/6',
    '/roles/5?x=1',
    'roles/5',
    ' /roles/5',
    'https://host/roles/5',
    `/roles/${'5'.repeat(129)}`,
    5,
    null,
    undefined,
    ['/roles/5'],
    { href: '/roles/5' }
  ]
  for (const link of links) t.equal(linkedId('roles', link), null, JSON.stringify(link))
  t.equal(linkedId('organizations', '/roles/5'), null)
  t.equal(linkedId('projects', '/organizations/5'), null)
})

t.test('reads the id of a link to the expected kind of object', async (t) => {
  t.equal(linkedId('roles', '/roles/5'), '5')
  t.equal(linkedId('organizations', '/organizations/c-9'), 'c-9')
  t.equal(linkedId('projects', '/projects/6f1c2d8e-0b7a'), '6f1c2d8e-0b7a')
  t.equal(linkedId('projects', `/projects/${'x'.repeat(128)}`), 'x'.repeat(128))
})

function ownershipWith(...replies: (boolean | Error)[]) {
  const ages: number[] = []
  const snapshots = {
    async within(maxAgeMs: number) {
      ages.push(maxAgeMs)
      const reply = replies.shift() ?? false
      const owns = async () => {
        if (reply instanceof Error) throw reply
        return reply
      }
      return { customer: { owns, object: async () => null }, takenAt: 0 }
    }
  }
  const { proofOf } = createOwnership({ snapshots, client: {} as UpstreamClient })
  return { ages, owns: async () => (await proofOf('device', ['d-1'], 'c-1', {} as Caller)) !== null }
}
const lostInventory = problems.inventoryUnavailable()

t.test('looks for a missing object again in a newer snapshot', async (t) => {
  const { owns, ages } = ownershipWith(false, false)
  t.equal(await owns(), false)
  t.strictSame(ages, [30_000, 2_000])
  t.equal(await ownershipWith(false, true).owns(), true)
  const ownership = ownershipWith(true)
  t.equal(await ownership.owns(), true)
  t.strictSame(ownership.ages, [30_000])
})

t.test('retries once after a lost inventory, and rethrows other failures', async (t) => {
  t.equal(await ownershipWith(lostInventory, true).owns(), true)
  t.equal(await ownershipWith(false, lostInventory, true).owns(), true)
  t.equal(await ownershipWith(lostInventory, false, false).owns(), false)
  await t.rejects(ownershipWith(lostInventory, lostInventory).owns(), lostInventory)
  const { owns, ages } = ownershipWith(problems.upstreamTimeout())
  await t.rejects(owns(), problems.upstreamTimeout())
  t.equal(ages.length, 1)
})
