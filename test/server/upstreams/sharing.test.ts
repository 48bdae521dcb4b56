// Callers may share an answer that was fetched with one caller’s token.
import t from 'tap'
import type { ProjectList } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Answer } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'
import { openGateway } from '../../support/scenes/gateway.ts'

const NORTHWIND = NOTABLE.northwind
const PROJECTS = `/api/portal/v1/customers/${NORTHWIND}/projects`
const ORGANIZATION = `/api/v2/management/organizations/${NORTHWIND}`
const REFUSED: Answer = { status: 403, body: { status: 403, title: 'Forbidden', errors: [] } }

const time = { now: Date.now() }
const { sandbox, upstream, portal } = await openGateway(t, {
  clock: () => time.now,
  env: { SESSION_IDLE_SECONDS: '43200' }
})
// People sign in first, while the clocks of gateway and authority are equal.
const PEOPLE = ['no.access', 'partner.admin', 'partner.user', 'customer.admin', 'customer.user']
for (const username of PEOPLE) await portal.as(username)
async function person(username: string) {
  const browser = await portal.as(username)
  await browser.json('/api/portal/v1/me')
  return browser
}
const callsTo = (target: string, by?: string) =>
  upstream.asked.filter((call) => call.target.startsWith(target) && (by === undefined || call.by === by))
let requestCount = 0
portal.app.server.on('request', () => {
  requestCount += 1
})

async function startCalls(count: number, startCall: () => Promise<Response>) {
  const before = requestCount
  const calls = Array.from({ length: count }, startCall)
  await eventually(() => requestCount >= before + count)
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  return calls
}

t.beforeEach(() => {
  upstream.rule = () => undefined
  upstream.asked.length = 0
  // Expires all cached answers.
  time.now += 15 * 60_000 + 1
})

/** Calls wait for the promise until `open` is called. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

t.test('shares neither refusals nor answers of a caller without roles', async (t) => {
  const [stranger, admin] = [await person('no.access'), await person('partner.admin')]
  const path = `${ORGANIZATION}/projects?page=0&size=20`
  const answers: Answer[] = [
    REFUSED,
    { status: 200, body: { id: NORTHWIND, orgName: 'Northwind Hospitals' } }
  ]
  for (const answer of answers) {
    time.now += 30_001
    upstream.rule = ({ by, target }) => (by === 'u-no-access' && target === ORGANIZATION ? answer : undefined)
    const refusedCalls = [stranger.call(ORGANIZATION), stranger.call(path)]
    t.equal((await admin.call(path)).status, 200)
    for (const call of refusedCalls) t.equal((await call).status, 403)
    t.equal((await admin.call(path)).status, 200)
  }
  t.ok(callsTo(ORGANIZATION, 'u-no-access').length >= answers.length, 'the caller without roles sent calls')
})

t.test('a refused token fails only the caller who sent it', async (t) => {
  const [colleague, admin] = [await person('partner.user'), await person('partner.admin')]
  const user = sandbox.state.users.get('u-partner-admin')
  const colleagueUser = sandbox.state.users.get('u-partner-user')
  if (!user || !colleagueUser) return t.fail('the sample users are missing')
  const { roleAssignments } = colleagueUser
  t.teardown(() => Object.assign(colleagueUser, { roleAssignments }))
  // The gateway reads the changed roles with the next call.
  colleagueUser.roleAssignments = user.roleAssignments
  for (const browser of [colleague, admin]) await browser.json('/api/portal/v1/me')
  const gate = createGate()
  upstream.rule = async ({ by, target }) => {
    if (target !== ORGANIZATION) return undefined
    await gate.promise
    return by === 'u-partner-user' ? { status: 401 } : undefined
  }
  const path = `${ORGANIZATION}/projects?page=0&size=20`
  const refusedCalls = await startCalls(1, () => colleague.call(path))
  const otherCalls = await startCalls(5, () => admin.call(path))
  gate.open()
  for (const call of refusedCalls) t.ok((await call).status >= 400)
  for (const call of otherCalls) t.equal((await call).status, 200)
})

t.test('a refused reload drops the snapshot and refuses the caller', async (t) => {
  for (const status of [403, 404]) {
    const reader = await person('customer.user')
    const before = await reader.json<ProjectList>(PROJECTS)
    upstream.rule = ({ target }) => (target.includes('/projects?') ? { status } : undefined)
    time.now += 30_001
    t.strictSame(await reader.json(PROJECTS), before, 'serves the last snapshot during the reload')
    await eventually(async () => (await reader.call(PROJECTS)).status === status)
    t.equal((await reader.call(PROJECTS)).status, status, 'refuses the caller from then on')
    upstream.rule = () => undefined
    t.equal((await reader.call(PROJECTS)).status, 200)
  }
})

t.test('stops writing to a removed device after 30 s', async (t) => {
  const admin = await person('customer.admin')
  const [device] = sandbox.state.devices.of(NORTHWIND)
  if (!device) return t.fail('the sample has no device')
  const path = `/api/v1/control/devices/${device.id}/commands/write`
  const write = async () => {
    const answer = await admin.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-customer-id': NORTHWIND },
      body: JSON.stringify({ points: [{ cloudId: 'a', value: '1' }], requestProcessingPriority: 255 })
    })
    return answer.status
  }
  upstream.rule = ({ target }) => (target.startsWith(path) ? { status: 200, body: [] } : undefined)
  t.equal(await write(), 200)
  sandbox.state.devices.remove(device.id)
  t.teardown(() => sandbox.state.devices.add(device))
  time.now += 30_000
  t.equal(await write(), 200, 'at the limit')
  time.now += 1
  const writeCount = callsTo(path).length
  t.equal(await write(), 404, 'just above the limit')
  t.equal(callsTo(path).length, writeCount)

  sandbox.state.devices.add(device)
  time.now += 2_001
  t.equal(await write(), 200, 'finds a new device')
  time.now += 30_001
  const lists = `${ORGANIZATION}/devices`
  upstream.rule = ({ target }) => (target.startsWith(lists) ? { status: 500 } : undefined)
  t.equal(await write(), 502, 'does not use an expired check, even while the upstream fails')
})

t.test(
  'many calls of one person do not delay the read of their roles, nor fetches that others share',
  async (t) => {
    const [reader, colleague] = [await person('customer.user'), await person('customer.admin')]
    const gate = createGate()
    const path = `${ORGANIZATION}/users?page=0&size=20`
    upstream.rule = async ({ target }) => {
      if (target.startsWith(`${ORGANIZATION}/users`)) await gate.promise
      return undefined
    }
    const share = 16
    const calls = Array.from({ length: share }, () => colleague.call(path))
    await eventually(() => callsTo(path).length === share)
    time.now += 60_001
    t.equal((await colleague.call(PROJECTS)).status, 200)
    t.equal((await reader.call(PROJECTS)).status, 200)
    t.ok(callsTo('/api/v2/management/myUser', 'u-customer-admin').length > 0)
    gate.open()
    for (const call of calls) t.equal((await call).status, 200)
  }
)
