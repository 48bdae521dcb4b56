import t, { type Test } from 'tap'
import { element } from '#client/first-list/element.ts'
import { drawCustomers, drawDevices } from '#client/first-list/first-list.ts'
import type { AttentionList } from '#shared/attention.ts'
import type { Bootstrap, Device, DevicePage } from '#shared/entities.ts'
import { setDisplay } from '../../support/client/dom.ts'
import { bootstrap, card, device, projectList, user } from '../../support/client/gateway.ts'

const NO_COUNTS = {
  servicesEnded: null,
  plansExceeded: null,
  alarms: null,
  servicesEnding: null,
  plansWarning: null,
  withoutBackup: null
}
const CUSTOMERS: AttentionList = { items: [{ ...card('9'), counts: NO_COUNTS, partial: [] }], partial: [] }
function devicePage(items: Device[], partial: DevicePage['partial'] = []): DevicePage {
  const page = { number: 0, size: 15, totalPages: 1, totalElements: items.length }
  return { items, page, partial }
}
const answer = (body: unknown, status = 200) => Promise.resolve(Response.json(body, { status }))

interface Visit {
  /** How long the page took. */
  tookMs?: number
  address?: string
  phone?: boolean
  stored?: Record<string, unknown>
}

/** A page whose code is on its way, as somebody comes to it. */
function come(t: Test, { tookMs = 300, address = '/', phone = false, stored = {} }: Visit = {}) {
  t.intercept(performance, 'getEntriesByType', {
    value: () => [{ requestStart: 5, responseEnd: 5 + tookMs }]
  })
  window.history.replaceState(null, '', address)
  setDisplay({ wide: !phone })
  document.documentElement.dataset.layout = phone ? 'mobile' : 'desktop'
  localStorage.clear()
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, JSON.stringify(value))
  document.body.replaceChildren(element('div', { id: 'root' }))
  t.teardown(() => {
    window.history.replaceState(null, '', '/')
    setDisplay({ wide: true })
    localStorage.clear()
  })
}

/** The links of what shows, after the page's own way home. */
const linksShown = () =>
  [...document.querySelectorAll('#first-list main a')].map((link) => link.getAttribute('href'))

const customersFor = (boot: Bootstrap, list: unknown = CUSTOMERS, status = 200) =>
  drawCustomers(boot, answer(list, status)).catch(() => {})
const devicesFor = (boot: Bootstrap, page: DevicePage = devicePage([device(1)])) =>
  drawDevices(boot, answer(projectList()), answer(page)).catch(() => {})

t.test('customers show on a slow line', async (t) => {
  come(t)
  await customersFor(bootstrap())
  t.same(linksShown(), ['/customers/9'])
})

const CUSTOMERS_LEFT_OUT: [why: string, visit: Visit, boot?: Bootstrap, list?: unknown, status?: number][] = [
  ['the line is fast', { tookMs: 299 }],
  ['the address says another view', { address: '/?show=attention' }],
  ['a banner comes above them', {}, bootstrap({ banner: 'Maintenance tonight' })],
  [
    'a phone shows the layout of a desk',
    { phone: true },
    bootstrap({ flags: { ...bootstrap().flags, enableMobileResponsive: false } })
  ],
  ['there are none', {}, bootstrap(), { items: [], partial: [] }],
  ['they are refused', {}, bootstrap(), { title: 'Not allowed' }, 403]
]
for (const [why, visit, boot = bootstrap(), list, status] of CUSTOMERS_LEFT_OUT)
  t.test(`no customers show where ${why}`, async (t) => {
    come(t, visit)
    await customersFor(boot, list, status)
    t.same(linksShown(), [])
  })

t.test('an answer that the page has taken is its own', async (t) => {
  come(t)
  const taken = Response.json(CUSTOMERS)
  await taken.json()
  await drawCustomers(bootstrap(), Promise.resolve(taken)).catch(() => {})
  t.same(linksShown(), [])
})

const ADDRESS = '/customers/9'
t.test('devices show on a slow line, with their projects', async (t) => {
  come(t, { address: ADDRESS })
  await devicesFor(bootstrap())
  const links = linksShown()
  t.ok(links.includes('/customers/9?project=p-1'))
  t.ok(links.includes('/customers/9/devicedetails?deviceUuid=uuid-1'))
})

t.test('what this browser remembers of how they are shown holds', async (t) => {
  come(t, {
    address: ADDRESS,
    stored: { 'portal.density': 'comfortable', 'portal.projects-collapsed': true }
  })
  await devicesFor(bootstrap())
  t.ok(document.querySelector('.devices.comfortable'))
  t.notOk(linksShown().includes('/customers/9?project=p-1'))
})

const DEVICES_LEFT_OUT: [why: string, visit: Visit, boot?: Bootstrap, page?: DevicePage][] = [
  ['the line is fast', { tookMs: 299 }],
  ['a phone lists them as cards', { phone: true }],
  ['columns were chosen', { stored: { 'portal.columns.devices': 'hostId,-location' } }],
  ['another page was left last', { stored: { 'portal.devices.u-1.9': { project: null, page: 1 } } }],
  ['a project was left last', { stored: { 'portal.devices.u-1.9': { project: 'p-1', page: 0 } } }],
  [
    'a global admin is under an integrator',
    {},
    bootstrap({ user: user('global_admin', '/', { userType: 'INTERNAL' }) })
  ],
  ['there are none', {}, bootstrap(), devicePage([])],
  ['not all is known of them', {}, bootstrap(), devicePage([device(1)], ['subscriptions'])]
]
for (const [why, visit, boot = bootstrap(), page] of DEVICES_LEFT_OUT)
  t.test(`no devices show where ${why}`, async (t) => {
    come(t, { address: ADDRESS, ...visit })
    await devicesFor(boot, page)
    t.same(linksShown(), [])
  })
