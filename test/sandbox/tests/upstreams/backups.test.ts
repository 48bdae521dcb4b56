import { createHash } from 'node:crypto'
import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE, NOTABLE_DEVICES } from '../../seed.ts'
import { signIn } from '../../sign-in-flow.ts'
import { callAs } from '../call-as.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-11T12:00:00Z')
let now = NOON
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
const { state } = sandbox
const { access_token } = await signIn(sandbox, 'partner.admin')
const call = await callAs(sandbox, 'partner.admin')
const BASE = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`

interface Shown {
  id: string
  deviceUuid: string
  backupDate: string
  trigger: string
  status: string
  retained: boolean
  notes: string
}

async function list(query: string): Promise<Shown[]> {
  return (await call('GET', `${BASE}?size=1000&${query}`)).body._embedded?.backups ?? []
}

t.test('backups of all devices with Recover are listed, the newest first', async (t) => {
  const { body } = await call('GET', BASE)
  t.equal(body.page.size, 15)
  t.ok(body.page.totalElements > 1000)
  t.match(body._embedded.backups[0], {
    id: /^bk-d-1001-/,
    deviceName: /./,
    hostId: /^Qnx-/,
    stationName: /./,
    niagaraVersion: /^4\./
  })
  const all = await list('')
  const dates = all.map((one) => one.backupDate)
  t.same(dates, [...dates].sort().reverse())
  for (const trigger of ['MANUAL', 'SCHEDULED']) {
    const some = await list(`trigger=${trigger}`)
    t.ok(some.length > 0 && some.every((one) => one.trigger === trigger), trigger)
  }
  t.ok((await list('retained=true')).every((one) => one.retained))
  t.ok(all.some((one) => one.status === 'FAILED') && all.some((one) => one.status === 'COMPLETE'))
  const { deviceUuid = '' } = all[0] ?? {}
  const own = await list(`deviceUuid=${deviceUuid}`)
  t.ok(own.length >= 1 && own.every((one) => one.deviceUuid === deviceUuid))
  const { projectId = '' } =
    state.devices.of(NOTABLE.northwind).find((one) => one.deviceUuid === deviceUuid) ?? {}
  const inProject = new Set(
    state.devices
      .of(NOTABLE.northwind)
      .flatMap((one) => (one.projectId === projectId ? [one.deviceUuid] : []))
  )
  const ofProject = await list(`projectId=${projectId}`)
  t.ok(ofProject.length >= own.length && ofProject.every((one) => inProject.has(one.deviceUuid)))
  const from = new Date(NOON - 10 * DAY_MS).toISOString()
  const to = new Date(NOON - 5 * DAY_MS).toISOString()
  const between = await list(`from=${from}&to=${to}`)
  t.ok(between.length > 0 && between.every((one) => one.backupDate >= from && one.backupDate <= to))
  for (const bad of ['trigger=OFTEN', 'retained=perhaps', 'from=then'])
    t.equal((await call('GET', `${BASE}?${bad}`)).status, 400, bad)
})

t.test('a device without Recover has no backups', async (t) => {
  const device = state.devices.get(NOTABLE_DEVICES.withoutServices)
  t.same(await list(`deviceUuid=${device?.deviceUuid}`), [])
})

t.test('new backups are made as time passes', async (t) => {
  const device = state.devices.get(NOTABLE_DEVICES.airHandler)
  const latest = async () => (await list(`deviceUuid=${device?.deviceUuid}`))[0]?.backupDate ?? ''
  const before = await latest()
  now += 8 * DAY_MS
  t.ok((await latest()) > before)
  now = NOON
})

t.test('a retained backup is not deleted, another one is', async (t) => {
  const [backup] = (await list('retained=false')).filter((one) => one.status === 'COMPLETE')
  const path = `${BASE}/${backup?.id}`
  const kept = await call('PATCH', path, { notes: 'Keep', retained: true })
  t.match(kept, { status: 200, body: { id: backup?.id, notes: 'Keep', retained: true } })
  t.match(state.audit.at(-1), {
    action: 'BACKUP_UPDATED',
    changes: [{ field: 'notes' }, { field: 'retained' }]
  })
  t.match(await call('DELETE', path), { status: 409, body: { errors: [{ code: 'retained' }] } })
  t.match((await call('PATCH', path, { retained: false })).body, { notes: 'Keep', retained: false })
  t.equal((await call('DELETE', path)).status, 204)
  t.equal((await call('DELETE', path)).status, 404)
  t.notOk((await list('')).some((one) => one.id === backup?.id))
  t.equal((await call('PATCH', `${BASE}/${backup?.id}`, {})).status, 404)
  const [other] = await list('')
  t.equal((await call('PATCH', `${BASE}/${other?.id}`, { notes: 'x'.repeat(301) })).status, 400)
  t.equal((await call('PATCH', `${BASE}/${other?.id}`, { retained: 'yes' })).status, 400)
})

t.test('a complete backup is fetched whole, from an address of its own', async (t) => {
  const all = await list('')
  const get = (id: string) =>
    fetch(`${sandbox.url}${BASE}/${id}/download`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${access_token}` }
    })
  const complete = all.find((one) => one.status === 'COMPLETE') as Shown & {
    sizeBytes: number
    checksum: string
  }
  const sent = await get(complete.id)
  t.equal(sent.status, 302)
  const bytes = Buffer.from(await (await fetch(sent.headers.get('location') ?? '')).arrayBuffer())
  t.equal(bytes.length, complete.sizeBytes)
  t.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, complete.checksum)
  t.equal(state.audit.at(-1)?.action, 'BACKUP_DOWNLOADED')
  const failed = all.find((one) => one.status === 'FAILED')
  t.equal((await get(failed?.id ?? '')).status, 409)
})
