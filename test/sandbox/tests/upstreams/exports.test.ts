import t from 'tap'
import { startSandbox } from '../../app.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import { NOTABLE, NOTABLE_DEVICES } from '../../seed.ts'
import { pointsOf } from '../../simulation/points.ts'
import { callAs } from '../call-as.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-11T12:00:00Z')
let now = NOON
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
t.afterEach(() => {
  now = NOON
})
const { state } = sandbox
const call = await callAs(sandbox, 'partner.admin')
const BASE = '/api/v1/egress/exports'
const device = state.devices.get(NOTABLE_DEVICES.airHandler) as DeviceRecord
const pointIds = pointsOf(device)
  .filter((one) => one.historyName !== null)
  .map((one) => one.telemetryId)
const order = {
  exportName: 'Two days & a half',
  customerId: NOTABLE.northwind,
  selectedPoints: [{ systemGuid: device.systemGuid, pointIds: pointIds.slice(0, 4) }],
  startTime: new Date(NOON - 2.5 * DAY_MS).toISOString(),
  endTime: new Date(NOON).toISOString(),
  format: 'CSV',
  timeZone: 'Europe/Berlin'
}

/** The answer of a download, not followed. */
async function download(id: string) {
  const { access_token } = await tokens
  return fetch(`${sandbox.url}${BASE}/${id}/download`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${access_token}` }
  })
}
const tokens = import('../../sign-in-flow.ts').then(({ signIn }) => signIn(sandbox, 'partner.admin'))

t.test('there is an export in every status, the newest first', async (t) => {
  const { body } = await call('GET', `${BASE}?customerId=${NOTABLE.northwind}`)
  const list = body._embedded.exports
  const dates = list.map((one: { createdDate: string }) => one.createdDate)
  t.same(dates, [...dates].sort().reverse())
  for (const status of ['QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED', 'EXPIRED']) {
    const one = list.find((candidate: { status: string }) => candidate.status === status)
    t.match(
      one,
      { id: /^ex-/, customerName: 'Northwind Hospitals', pointCount: Number, createdBy: /./ },
      status
    )
    t.equal(one.rowCount === null, !['READY', 'EXPIRED'].includes(status), status)
    t.equal(one.failureReason !== null, status === 'FAILED', status)
    const alone = await call('GET', `${BASE}?customerId=${NOTABLE.northwind}&status=${status}`)
    t.ok(alone.body._embedded.exports.every((candidate: { status: string }) => candidate.status === status))
  }
  const ofPartner = await call('GET', `${BASE}?organizationId=${NOTABLE.partner}`)
  t.ok(ofPartner.body.page.totalElements > body.page.totalElements)
  t.equal(ofPartner.body.page.size, 15)
  const found = await call('GET', `${BASE}?customerId=${NOTABLE.northwind}&keyword=humidity`)
  t.equal(found.body.page.totalElements, 1)
  const by = await call('GET', `${BASE}?customerId=${NOTABLE.northwind}&createdBy=${list[0].createdBy}`)
  t.ok(by.body.page.totalElements > 0)
  t.equal((await call('GET', BASE)).status, 404)
})

t.test('an export waits, runs, is ready, and expires after a week', async (t) => {
  const made = await call('POST', BASE, order)
  t.match(made, { status: 201, body: { status: 'QUEUED', progress: 0, createdBy: 'Paula Andersson' } })
  const path = `${BASE}/${made.body.id}`
  t.equal(made.headers.get('location'), path)
  const at = async (ms: number) => {
    now = NOON + ms
    return (await call('GET', path)).body
  }
  t.match(await at(2000), { status: 'RUNNING', progress: 0 })
  const running = await at(4000)
  t.equal(running.status, 'RUNNING')
  t.ok(running.progress > 20 && running.progress < 100)
  t.match(await at(40_000), {
    status: 'READY',
    progress: 100,
    rowCount: 240,
    pointCount: 4,
    completedDate: /Z$/,
    expiresDate: /Z$/
  })
  t.match(await at(8 * DAY_MS), { status: 'EXPIRED' })
  t.equal((await download(made.body.id)).status, 410)
})

t.test('a ready export is fetched from an address of its own, without a token, for a minute', async (t) => {
  const { body } = await call('POST', BASE, order)
  t.equal((await download(body.id)).status, 409, 'not before it is ready')
  now += 60_000
  const sent = await download(body.id)
  t.equal(sent.status, 302)
  t.equal(state.audit.at(-1)?.action, 'EXPORT_DOWNLOADED')
  const address = sent.headers.get('location') ?? ''
  const file = await fetch(address)
  t.equal(file.status, 200)
  t.match(file.headers.get('content-type'), 'text/csv')
  t.match(file.headers.get('content-disposition'), /attachment/)
  const lines = (await file.text()).trimEnd().split('\r\n')
  t.equal(lines.length, 241)
  t.match(lines[0], /^Time \(Europe\/Berlin\),.*Supply Air Temp \(°C\)/)
  t.match(lines[1], /^2026-03-09 01:00:00,\d+\.\d/)
  now += 60_000
  t.equal((await fetch(address)).status, 410)
  t.equal((await fetch(address.replace(/files\/[^/]+/, 'files/guessed'))).status, 404)
})

t.test('the same comes as JSON', async (t) => {
  const { body } = await call('POST', BASE, { ...order, format: 'JSON', timeZone: 'UTC' })
  now += 60_000
  const file = await fetch((await download(body.id)).headers.get('location') ?? '')
  const rows = (await file.json()) as { time: string }[]
  t.equal(rows.length, 240)
  t.match(rows[0], { time: '2026-03-09 00:00:00' })
})

t.test('an export is cancelled while it runs, and deleted at any time', async (t) => {
  const { body } = await call('POST', BASE, order)
  now += 3000
  t.match(await call('POST', `${BASE}/${body.id}/cancel`), { status: 200, body: { status: 'CANCELLED' } })
  t.equal((await call('POST', `${BASE}/${body.id}/cancel`)).status, 409)
  t.equal((await call('DELETE', `${BASE}/${body.id}`)).status, 204)
  t.equal((await call('GET', `${BASE}/${body.id}`)).status, 404)
  const actions = state.audit.slice(-3).map((entry) => entry.action)
  t.same(actions, ['EXPORT_STARTED', 'EXPORT_CANCELLED', 'EXPORT_DELETED'])
})

t.test('an export that cannot be is refused', async (t) => {
  const before = state.exports.size
  for (const [status, change] of [
    [400, { exportName: 'a<b' }],
    [404, { customerId: 'none' }],
    [400, { selectedPoints: [] }],
    [404, { selectedPoints: [{ systemGuid: 'none', pointIds: ['x'] }] }],
    [400, { startTime: order.endTime }],
    [400, { format: 'PDF' }],
    [400, { timeZone: 'Moon/Base' }]
  ] as const)
    t.equal((await call('POST', BASE, { ...order, ...change })).status, status, JSON.stringify(change))
  t.equal(state.exports.size, before)
})
