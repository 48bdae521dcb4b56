import t from 'tap'
import type { Problem } from '#shared/entities.ts'
import type { Usage } from '#shared/usage.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn, startPortal } from '#test/support/portal.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const { state, faults, calls } = sandbox
const counting = await startTinyUpstream(t)
const portal = await startPortal(t, { startedSandbox: sandbox })
const browser = await portal.as('customer.user')

const usagePath = (deviceUuid: string, customer: string = NOTABLE.northwind) =>
  `/api/portal/v1/customers/${customer}/devices/${deviceUuid}/usage`
const subscriptions = state.subscriptions.get(NOTABLE.northwind) ?? []
const ofNds = subscriptions.filter(({ offeringCode }) => offeringCode === 'NDS')
const [plan] = ofNds
const problemOf = async (path: string) => {
  const answer = await browser.call(path)
  return [answer.status, (await answer.json()) as Problem] as const
}

t.test('a device that is not the customer’s, or has no data services, has no usage', async (t) => {
  const foreign = state.devices.of(NOTABLE.otherPartnersCustomer)[0]?.deviceUuid ?? ''
  for (const uuid of ['no-such-device', foreign]) {
    const [status] = await problemOf(usagePath(uuid))
    t.equal(status, 404, uuid)
  }
  const without = state.devices
    .of(NOTABLE.northwind)
    .find(({ deviceUuid }) => !ofNds.some((held) => held.deviceUuid === deviceUuid))
  const [status, problem] = await problemOf(usagePath(without?.deviceUuid ?? ''))
  t.equal(status, 404)
  t.match(problem.detail, /data-services subscription/)
  t.equal((await browser.call(usagePath(foreign, NOTABLE.otherPartnersCustomer))).status, 403)
  t.equal((await (await portal.as('no.access')).call(usagePath(plan?.deviceUuid ?? ''))).status, 403)
})

t.test('a failure of the upstream is told as what it is', async (t) => {
  const cases: [fault: string, status: number][] = [
    ['garbage', 502],
    ['404', 404],
    ['500', 502],
    ['503', 503]
  ]
  for (const [fault, expected] of cases) {
    faults.set('subscription-usage', fault)
    const [status, problem] = await problemOf(usagePath(plan?.deviceUuid ?? ''))
    t.equal(status, expected, fault)
    t.notMatch(JSON.stringify(problem), /localhost|<h1>/)
  }
  faults.clear()
})

t.test('while subscriptions cannot be loaded, nobody says that there is none', async (t) => {
  const fresh = await startPortal(t, { startedSandbox: sandbox })
  faults.set('subscription', '503')
  const other = await signIn(fresh.url, sandbox, 'customer.user')
  t.equal((await other.call(usagePath(plan?.deviceUuid ?? ''))).status, 503)
  faults.clear()
})

t.test('what the upstream has counted is told against the plan, for every age of a plan', async (t) => {
  const now = state.clock()
  const aged = (from: number, to: number) =>
    ofNds.find(({ startDate }) => {
      const days = (now - Date.parse(startDate)) / 86_400_000
      return days > from && days < to
    })
  const cases: [held: typeof plan, period: string, graph: boolean][] = [
    [aged(0, 58), 'Monthly', false],
    [aged(63, 390), 'Monthly', true],
    [aged(400, 5000), 'Yearly', true]
  ]
  for (const [held, period, graph] of cases) {
    if (!held) return t.fail(`the sample has no plan that is ${period}, ${graph}`)
    calls.length = 0
    const usage = await browser.json<Usage>(usagePath(held.deviceUuid))
    t.match(usage, {
      period,
      graph,
      planLimit: held.planLimit,
      startDate: held.startDate,
      endDate: held.endDate
    })
    const asked = calls.filter(({ url }) => url.includes('subscription-usage'))
    t.equal(asked.length, 1)
    t.match(asked[0]?.url, `duration=${period.toUpperCase()}`)
    t.match(asked[0]?.url, 'offeringCode=NDS')
    const sum = usage.points.reduce((total, { value }) => total + value, 0)
    t.ok(Math.abs(usage.used - sum) < 1e-5)
    t.ok(Math.abs((usage.percent ?? 0) - (sum / (held.planLimit ?? 1)) * 100) < 1e-3)
  }
})

t.test('all levels are in the sample', async (t) => {
  const levels = new Set<string>()
  for (const { deviceUuid } of ofNds.slice(0, 60)) {
    const { level, title, over } = await browser.json<Usage>(usagePath(deviceUuid))
    levels.add(level)
    t.equal(title, { ok: null, warning: 'Usage Warning', exceeded: 'Usage Limit Exceeded' }[level])
    t.equal(over > 0, level === 'exceeded')
    if (levels.size === 3) break
  }
  t.equal(levels.size, 3)
})

t.test('odd answers are no usage, and never a crash', async (t) => {
  const odd = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_SUBSCRIPTION_USAGE_URL: counting.url }
  })
  const other = await signIn(odd.url, sandbox, 'customer.user')
  const cases: [body: string, status: number, used?: number][] = [
    ['[]', 502],
    ['7', 502],
    ['null', 502],
    ['{"2026-01-01T00:00:00Z":', 502],
    ['{}', 200, 0],
    ['{"yesterday":5,"12":3,"__proto__":{"x":1}}', 200, 0],
    ['{"2026-01-01T00:00:00Z":-4,"2026-01-02T00:00:00Z":2}', 200, 2],
    ['{"2026-01-01T00:00:00Z":1e999,"2026-01-02T00:00:00Z":"9"}', 200, 0],
    ['{"2026-01-01T00:00:00Z":1e300}', 200, 1e9]
  ]
  for (const [body, status, used] of cases) {
    counting.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    const answer = await other.call(usagePath(plan?.deviceUuid ?? ''))
    t.equal(answer.status, status, body)
    if (used !== undefined) t.match(await answer.json(), { used }, body)
  }
})
