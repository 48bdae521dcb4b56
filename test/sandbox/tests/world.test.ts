// What tests rely on of the sandbox's data: the same every day, of known sizes, and changing with the clock.
import t from 'tap'
import { startSandbox } from '../app.ts'
import { NOTABLE, NOTABLE_DEVICES, seed } from '../seed.ts'
import type { State } from '../state.ts'
import { callAs } from './call-as.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-14T12:00:00Z')
let now = NOON
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
t.afterEach(() => {
  now = NOON
})
const { state } = sandbox
const call = await callAs(sandbox, 'partner.admin')
const NORTHWIND = `/organizations/${NOTABLE.northwind}`

function written(state: State): string {
  const { organizations, users, invitations, projects, devices, subscriptions } = state
  return JSON.stringify(
    [organizations, users, invitations, projects, devices, subscriptions].map((one) => [...one.values()])
  )
}

t.test('the data depend on the day alone', async (t) => {
  const first = written(seed(() => NOON))
  t.equal(written(seed(() => NOON + 5 * 3_600_000)), first)
  t.not(written(seed(() => NOON + DAY_MS)), first)
})

t.test('lists are paged to their end, sorted and searched', async (t) => {
  const ids = new Set<string>()
  for (let next: string | undefined = `${NORTHWIND}/devices?size=500`; next !== undefined; ) {
    const { body } = await call('GET', next)
    t.match(body.page, { size: 500, totalPages: 3, totalElements: 1240 })
    for (const { id } of body._embedded.devices) ids.add(id)
    const { pathname, search }: URL = new URL(body._links.next?.href ?? 'http://end')
    next = body._links.next && pathname + search
  }
  t.equal(ids.size, 1240)
  t.equal((await call('GET', `${NORTHWIND}/devices?size=5000`)).body._embedded.devices.length, 1000)
  const sorted = (await call('GET', `${NORTHWIND}/projects?size=100&keyword=CARDIO&sort=projectName,desc`))
    .body
  const names = sorted._embedded.projects.map((one: { projectName: string }) => one.projectName)
  t.ok(names.length > 0 && names.every((name: string) => /cardio/i.test(name)))
  t.same(names, [...names].sort().reverse())
})

t.test('the list of customers depends on who asks, and no role is enforced', async (t) => {
  for (const [username, organization, count] of [
    ['global.admin', NOTABLE.partnerWithoutTechView, 6],
    ['partner.user', NOTABLE.partner, 45],
    ['partner.user', NOTABLE.partnerWithoutTechView, 0],
    ['custom.user', NOTABLE.partner, NOTABLE.custom.length],
    ['customer.user', NOTABLE.northwind, 1],
    ['customer.multi', NOTABLE.multi[0], NOTABLE.multi.length],
    ['no.access', NOTABLE.partner, 0]
  ] as const) {
    const person = await callAs(sandbox, username)
    const { body } = await person('GET', `/organizations/${organization}/customers?size=100`)
    t.equal(body.page.totalElements, count, `${username} ${organization}`)
    t.equal((await person('GET', `${NORTHWIND}/devices`)).status, 200)
  }
})

t.test('calls are recorded', async (t) => {
  sandbox.calls.length = 0
  await call('PATCH', '/projects/p-1001-1?x=1', { projectName: 'Heart' })
  t.match(sandbox.calls, [
    {
      method: 'PATCH',
      url: '/api/v2/management/projects/p-1001-1?x=1',
      headers: { authorization: /^Bearer ey/ },
      body: { projectName: 'Heart' }
    }
  ])
})

t.test('the clock moves alarms, histories, exports and codes on', async (t) => {
  const alarms = async () =>
    (await call('POST', `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search?size=1000`, {})).body
      ._embedded.alarms as { uuid: string; timestamp: string }[]
  const { systemGuid = '' } = state.devices.get(NOTABLE_DEVICES.airHandler) ?? {}
  const model = `/api/v1/entitymodel/customers/${NOTABLE.northwind}/pointNames`
  const found = await call('POST', model, {
    systemGuid,
    searchItems: ['Supply Air Temp'],
    searchType: 'pointNames',
    comparisonType: 'EQUALS'
  })
  const pointIds = [found.body._embedded.pointModels[0].tags.telemetryId]
  const history = async (from: number, to: number): Promise<unknown[]> => {
    const times = { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() }
    const { body } = await call('POST', '/api/v1/egress/telemetry', { systemGuid, pointIds, ...times })
    return body.pointDetails[0].historyRecords
  }
  const [before, past] = [await alarms(), await history(NOON - DAY_MS, NOON)]
  t.same(await alarms(), before, 'the same at the same time')
  t.same(await history(NOON + 1, NOON + DAY_MS), [], 'nothing from the future')
  const code = '/api/v2/devicemanagement/registration/ONE00077'
  t.equal((await call('GET', code)).status, 200)
  now += 15 * 60_000
  t.match(await call('GET', code), { status: 404, body: { errors: [{ code: 'expired' }] } })
  now = NOON + 2 * DAY_MS
  t.ok((await alarms()).some(({ timestamp }) => Date.parse(timestamp) > NOON))
  t.same(await history(NOON - DAY_MS, NOON), past, 'the past stays')
  t.ok((await history(NOON, NOON + DAY_MS)).length > 20)
})
