// The devices of a customer over a running gateway: all of them, as its upstreams tell them, odd ones included.
import t, { type Test } from 'tap'
import type { CustomerTree, Device, DevicePage, Problem, ProjectList } from '#shared/entities.ts'
import type { Usage } from '#shared/usage.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn, startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../support/controlled-upstream.ts'

const path = (rest: string) => `/api/portal/v1/customers/${NOTABLE.northwind}/${rest}`

const portal = await startPortal(t)
const { state, calls, faults } = portal.sandbox
const browser = await portal.as('customer.user')

const pageOf = (query: string) => browser.json<DevicePage>(path(`devices?${query}`))

const projectNames = new Map(
  state.projects.of(NOTABLE.northwind).map(({ id, projectName }) => [id, projectName])
)
const all = state.devices.of(NOTABLE.northwind).map((device) => ({
  ...device,
  projectName: projectNames.get(device.projectId) ?? ''
}))

async function everyPage(query: string, size: number): Promise<Device[]> {
  const found: Device[] = []
  for (let number = 0; ; number += 1) {
    const { items, page } = await pageOf(`${query}&size=${size}&page=${number}`)
    found.push(...items)
    if (number + 1 >= page.totalPages) return found
  }
}

t.test('lists each device on one page, with its project and services', async (t) => {
  const found = new Map((await everyPage('', 997)).map((device) => [device.id, device]))
  const subscriptions = state.subscriptions.get(NOTABLE.northwind) ?? []
  const codesOf = (uuid: string) =>
    subscriptions.filter(({ deviceUuid }) => deviceUuid === uuid).map(({ offeringCode }) => offeringCode)
  const fields = ({ id, deviceName, hostId, location, systemGuid, projectId, projectName }: Device) => [
    ...[id, deviceName, hostId, location],
    ...[systemGuid, projectId, projectName]
  ]
  t.equal(found.size, 1240)
  const wrong = all.filter((device) => {
    const given = found.get(device.id)
    const codes = given?.subscriptions.map(({ offeringCode }) => offeringCode)
    return (
      !given ||
      `${fields(given)}` !== `${fields(device as never)}` ||
      `${codes}` !== `${codesOf(device.deviceUuid)}`
    )
  })
  t.strictSame(wrong, [])
  const [some] = all
  t.strictSame(await browser.json(path(`devices/${some?.deviceUuid}`)), found.get(some?.id ?? ''))
  const lists = calls.filter(({ url }) => url.includes(`/organizations/${NOTABLE.northwind}/devices`))
  t.strictSame(lists.map(({ url }) => url.split('?')[1]).sort(), ['page=0&size=1000', 'page=1&size=1000'])
})

t.test('applies search, order and project together', async (t) => {
  const [project] = state.projects.of(NOTABLE.northwind)
  const ofProject = all.filter(({ projectId }) => projectId === project?.id)
  const form = (text: string) => text.replaceAll(' ', '').toLowerCase()
  const word = ofProject[0]?.deviceName.slice(0, 3) ?? ''
  const names = ofProject
    .filter((one) =>
      form(`${one.deviceName}*${one.hostId}*${one.projectName}*${one.location}`).includes(form(word))
    )
    .map(({ deviceName }) => deviceName)
  const query = `projectId=${project?.id}&q=${encodeURIComponent(` ${word.toUpperCase()}`)}`
  const found = await everyPage(`${query}&sort=deviceName&order=desc`, 50)
  t.ok(names.length > 0)
  t.strictSame(
    found.map(({ deviceName }) => deviceName),
    names.sort(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare).reverse()
  )
  for (const unknown of ['none', state.projects.of(NOTABLE.otherPartnersCustomer)[0]?.id ?? ''])
    t.equal((await pageOf(`projectId=${unknown}`)).page.totalElements, 0, unknown)
  t.equal((await browser.call(path('devices?projectId='))).status, 400, 'an empty id is none')
})

const usagePath = (deviceUuid = '') => path(`devices/${deviceUuid}/usage`)
const ofNds = (state.subscriptions.get(NOTABLE.northwind) ?? []).filter(
  ({ offeringCode }) => offeringCode === 'NDS'
)
const [plan] = ofNds
const problemOf = async (path: string) => (await (await browser.call(path)).json()) as Problem

t.test('answers 404 for a foreign device and for one without data services', async (t) => {
  const foreign = state.devices.of(NOTABLE.otherPartnersCustomer)[0]?.deviceUuid ?? ''
  for (const uuid of ['no-such-device', foreign])
    t.match(await problemOf(usagePath(uuid)), { status: 404 }, uuid)
  const without = all.find(({ deviceUuid }) => !ofNds.some((held) => held.deviceUuid === deviceUuid))
  const detail = /data-services subscription/
  t.match(await problemOf(usagePath(without?.deviceUuid)), { status: 404, detail })
})

t.test('passes a failure of the usage upstream on', async (t) => {
  for (const [fault, status] of Object.entries({ garbage: 502, '404': 404, '500': 502, '503': 503 })) {
    faults.set('subscription-usage', fault)
    const problem = await problemOf(usagePath(plan?.deviceUuid))
    t.equal(problem.status, status, fault)
    t.notMatch(JSON.stringify(problem), /localhost|<h1>/)
  }
  faults.clear()
})

t.test('compares the usage with plans of every age', async (t) => {
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
    const { planLimit, startDate, endDate } = held
    t.match(usage, { period, graph, planLimit, startDate, endDate })
    const asked = calls.filter(({ url }) => url.includes('subscription-usage'))
    t.equal(asked.length, 1)
    t.match(asked[0]?.url, `duration=${period.toUpperCase()}`)
    t.match(asked[0]?.url, 'offeringCode=NDS')
    const sum = usage.points.reduce((total, { value }) => total + value, 0)
    t.ok(Math.abs(usage.used - sum) < 1e-5)
    t.ok(Math.abs((usage.percent ?? 0) - (sum / (held.planLimit ?? 1)) * 100) < 1e-3)
  }
})

const device = (id: string, more: object = {}) => ({
  ...{ id, deviceUuid: `u-${id}`, deviceName: `Device ${id}`, hostId: `H-${id}` },
  ...{ location: 'Roof', projectName: 'East', systemGuid: `g-${id}` },
  ...more
})
const listOf = (rel: string, items: unknown) => ({ _embedded: { [rel]: items } })

async function scene(t: Test) {
  const lists: Record<'projects' | 'devices' | 'subscription' | 'usage', unknown> = {
    projects: listOf('projects', [{ id: 'p', projectName: 'East' }]),
    devices: listOf('devices', [device('a')]),
    subscription: [],
    usage: {}
  }
  const upstream = await startControlledUpstream(t, portal.sandbox)
  upstream.rule = ({ target }) => {
    if (target.includes('/metrics-detail')) return { status: 200, body: lists.usage }
    const [, list] = /\/(projects|devices|subscription)(?:\?|\/customers)/.exec(target) ?? []
    return list ? { status: 200, body: lists[list as keyof typeof lists] } : undefined
  }
  const { url } = await startPortal(t, {
    startedSandbox: portal.sandbox,
    env: { UPSTREAM_URL: upstream.url }
  })
  const { json, call } = await signIn(url, portal.sandbox, 'customer.user').then((person) => ({
    json: <T>(rest: string) => person.json<T>(path(rest)),
    call: (rest: string) => person.call(path(rest))
  }))
  return { lists, json, call }
}

t.test('answers 502 when the upstream sends no list of devices, and keeps nothing', async (t) => {
  const { lists, call } = await scene(t)
  const whole = lists.devices
  for (const body of ['<h1>', [], 7, listOf('devices', 'none'), listOf('devices', { a: 1 })]) {
    lists.devices = body
    t.equal((await call('tree')).status, 502, JSON.stringify(body))
  }
  lists.devices = whole
  t.equal((await call('tree')).status, 200)
})

t.test('names subscriptions as missing when the upstream sends no list', async (t) => {
  for (const body of ['<h1>', {}]) {
    const { lists, json } = await scene(t)
    lists.subscription = body
    t.match(await json('devices'), { items: { length: 1 }, partial: ['subscriptions'] }, `${body}`)
  }
})

t.test('shows odd devices and projects as far as they can be read', async (t) => {
  const { lists, json } = await scene(t)
  const items = [
    device('unknown-project', { projectName: 'Nowhere' }),
    device('nameless-project', { projectName: '' }),
    device('numbers', { deviceName: 7, hostId: {}, location: [], systemGuid: null }),
    ...[{ id: 12 }, {}, null, 'text'],
    device('by-name', { deviceName: undefined, name: 'Other field' }),
    device('long', { deviceName: 'x'.repeat(256) }),
    device('too-long', { deviceName: 'x'.repeat(257) }),
    device('marks', { deviceName: '<b>"\\u0000 \ud83c' })
  ]
  lists.devices = listOf('devices', items)
  lists.projects = listOf('projects', [{ id: 'p1' }, { projectName: 'East' }, { id: 'p3' }, null])
  const odd = { offeringCode: 'NDS', startDate: 'never', endDate: 12, planLimit: '5' }
  lists.subscription = [null, 7, { deviceUuid: 'u-numbers', ...odd }, { deviceUuid: 'u-gone', ...odd }]
  const { unassigned, projects, partial } = await json<CustomerTree>('tree')
  t.strictSame(partial, [])
  t.equal(projects.length, 4)
  const shown = [...projects.flatMap(({ devices }) => devices), ...unassigned]
  t.equal(shown.length, items.length, 'even those without any field')
  const subscriptions = [{ offeringCode: 'NDS', startDate: 'never', endDate: '' }]
  t.match(
    shown.find(({ id }) => id === 'numbers'),
    { deviceName: '', hostId: '', location: '', subscriptions }
  )
  t.match(
    shown.find(({ id }) => id === 'by-name'),
    { deviceName: 'Other field' }
  )
  for (const name of ['unknown-project', 'nameless-project'])
    t.ok(
      unassigned.some(({ id }) => id === name),
      name
    )
  t.equal((await json<ProjectList>('projects')).totals.devices, items.length)
  t.equal((await json<DevicePage>('devices?sort=location&q=xxx')).items.length, 1)
  t.equal((await json<DevicePage>('devices?service=NDS')).items.length, 0, 'without dates it is not active')
})

t.test('reports odd usage as a failure, and missing subscriptions as 503', async (t) => {
  const { lists, json, call } = await scene(t)
  lists.subscription = [
    { deviceUuid: 'u-a', offeringCode: 'NDS', startDate: '2026-01-01', endDate: '2099-01-01' }
  ]
  lists.usage = []
  t.equal((await call('devices/u-a/usage')).status, 502)
  for (const [body, used] of [
    [{}, 0],
    [{ yesterday: 5, '2026-01-01T00:00:00Z': 1e300 }, 1e9]
  ] as const) {
    lists.usage = body
    t.match(await json('devices/u-a/usage'), { used })
  }
  const { lists: others, call: ask } = await scene(t)
  others.subscription = '<h1>'
  t.equal((await ask('devices/u-a/usage')).status, 503)
})
