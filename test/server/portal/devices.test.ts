// The devices of a customer and their usage, through a running gateway.
import t from 'tap'
import type { Device, DevicePage } from '#shared/answers/customers.ts'
import type { Problem, Usage } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'

const path = (rest: string) => `/api/portal/v1/customers/${NOTABLE.northwind}/${rest}`

const portal = await startPortal(t)
const { state, calls, faults } = portal.sandbox
const browser = await portal.as('customer.user')

const pageOf = (query: string) => browser.json<DevicePage>(path(`devices?${query}`))

const projectNames = new Map(
  state.projects.of(NOTABLE.northwind).map(({ id, projectName }) => [id, projectName])
)
const allDevices = state.devices.of(NOTABLE.northwind).map((device) => ({
  ...device,
  projectName: projectNames.get(device.projectId) ?? ''
}))

async function everyPage(query: string, size: number): Promise<Device[]> {
  const devices: Device[] = []
  for (let number = 0; ; number += 1) {
    const { items, page } = await pageOf(`${query}&size=${size}&page=${number}`)
    devices.push(...items)
    if (number + 1 >= page.totalPages) return devices
  }
}

t.test('lists each device on one page, with its project and services', async (t) => {
  const devicesById = new Map((await everyPage('', 997)).map((device) => [device.id, device]))
  const subscriptions = state.subscriptions.get(NOTABLE.northwind) ?? []
  const codesOf = (uuid: string) =>
    subscriptions.filter(({ deviceUuid }) => deviceUuid === uuid).map(({ offeringCode }) => offeringCode)
  const fields = ({ id, deviceName, hostId, location, systemGuid, projectId, projectName }: Device) => [
    ...[id, deviceName, hostId, location],
    ...[systemGuid, projectId, projectName]
  ]
  t.equal(devicesById.size, 1240)
  const mismatches = allDevices.filter((device) => {
    const listedDevice = devicesById.get(device.id)
    const codes = listedDevice?.subscriptions.map(({ offeringCode }) => offeringCode)
    const expected = `${fields(device as never)} ${codesOf(device.deviceUuid)}`
    return !listedDevice || `${fields(listedDevice)} ${codes}` !== expected
  })
  t.strictSame(mismatches, [])
  const [sample] = allDevices
  t.strictSame(await browser.json(path(`devices/${sample?.deviceUuid}`)), devicesById.get(sample?.id ?? ''))
  const lists = calls.filter(({ url }) => url.includes(`/organizations/${NOTABLE.northwind}/devices`))
  t.strictSame(lists.map(({ url }) => url.split('?')[1]).sort(), ['page=0&size=1000', 'page=1&size=1000'])
})

const usagePath = (deviceUuid = '') => path(`devices/${deviceUuid}/usage`)
const plans = (state.subscriptions.get(NOTABLE.northwind) ?? []).filter(
  ({ offeringCode }) => offeringCode === 'NDS'
)
const [plan] = plans
const problemOf = async (path: string) => (await (await browser.call(path)).json()) as Problem

t.test('answers 404 for a foreign device, and for a device without data services', async (t) => {
  const foreign = state.devices.of(NOTABLE.otherPartnersCustomer)[0]?.deviceUuid ?? ''
  for (const uuid of ['no-such-device', foreign])
    t.match(await problemOf(usagePath(uuid)), { status: 404 }, uuid)
  const withoutPlan = allDevices.find(
    ({ deviceUuid }) => !plans.some((item) => item.deviceUuid === deviceUuid)
  )
  const detail = /data-services subscription/
  t.match(await problemOf(usagePath(withoutPlan?.deviceUuid)), { status: 404, detail })
})

t.test('forwards a failure of the usage upstream', async (t) => {
  for (const [fault, status] of Object.entries({ garbage: 502, '404': 404 })) {
    faults.set('subscription-usage', fault)
    const problem = await problemOf(usagePath(plan?.deviceUuid))
    t.equal(problem.status, status, fault)
    t.notMatch(JSON.stringify(problem), /localhost|<h1>/)
  }
  faults.clear()
})

t.test('returns the usage by month or by year, depending on the age of the plan', async (t) => {
  const now = state.clock()
  const planOfAge = (from: number, to: number) =>
    plans.find(({ startDate }) => {
      const days = (now - Date.parse(startDate)) / 86_400_000
      return days > from && days < to
    })
  const cases: [sample: typeof plan, period: string, graph: boolean][] = [
    [planOfAge(0, 58), 'Monthly', false],
    [planOfAge(63, 390), 'Monthly', true],
    [planOfAge(400, 5000), 'Yearly', true]
  ]
  for (const [sample, period, graph] of cases) {
    if (!sample) return t.fail(`no plan has the period ${period} and graph ${graph}`)
    calls.length = 0
    const usage = await browser.json<Usage>(usagePath(sample.deviceUuid))
    const { planLimit, startDate, endDate } = sample
    t.match(usage, { period, graph, planLimit, startDate, endDate })
    const reads = calls.filter(({ url }) => url.includes('subscription-usage'))
    t.equal(reads.length, 1)
    t.match(reads[0]?.url, `duration=${period.toUpperCase()}`)
    t.match(reads[0]?.url, 'offeringCode=NDS')
    const sum = usage.points.reduce((total, { value }) => total + value, 0)
    t.ok(Math.abs(usage.used - sum) < 1e-5)
    t.ok(Math.abs((usage.percent ?? 0) - (sum / (sample.planLimit ?? 1)) * 100) < 1e-3)
  }
})

t.test('answers 503 for the usage while the subscriptions are unavailable', async (t) => {
  faults.set('subscription', 'garbage')
  t.teardown(() => faults.clear())
  const newPortal = await startPortal(t, { startedSandbox: portal.sandbox })
  const answer = await (await newPortal.as('customer.user')).call(usagePath(plan?.deviceUuid))
  t.equal(answer.status, 503)
})
