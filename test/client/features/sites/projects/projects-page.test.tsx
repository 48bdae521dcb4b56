import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import type { Device } from '#shared/answers/customers.ts'
import { DEVICES, devicePage, HERE, PROJECTS } from '../../../../support/client/customer.ts'
import { display, textsOf } from '../../../../support/client/dom.ts'
import {
  type Call,
  card,
  device,
  never,
  problem,
  projectList,
  user
} from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const devices = Array.from({ length: 32 }, (_, index) =>
  device(index + 1, index < 30 ? {} : { projectId: 'p-2', projectName: 'Garage' })
)

const answerWith =
  (all: readonly Device[], partial: string[] = []) =>
  (call: Call) => ({ ...devicePage(all, call), partial })

const answers = { [DEVICES]: answerWith(devices) }
const rowNames = (portal: Portal) =>
  textsOf(portal.getAllByRole('rowheader').map((cell) => within(cell).getByRole('link')))
const lastDeviceCall = (portal: Portal) => Object.fromEntries(portal.callsTo(DEVICES).at(-1)?.query ?? [])

t.test('shows placeholders while the customer loads', async (t) => {
  const portal = openPortal(t, HERE, { [PROJECTS]: never, [DEVICES]: never })
  await portal.findByText('Loading devices')
  portal.getByText('Loading projects')
  portal.getByRole('heading', { level: 1, name: 'Loading' })
})

t.test('shows an error with “Refresh” when the customer cannot be loaded', async (t) => {
  const portal = openPortal(t, HERE, { [PROJECTS]: problem(504), [DEVICES]: problem(504) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  Object.assign(portal.gateway.answers, answers, { [PROJECTS]: projectList() })
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByRole('heading', { level: 1, name: 'Northwind' })
})

t.test('shows an error in place of devices that cannot be loaded', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [DEVICES]: problem(500) })
  await portal.findByRole('heading', { name: 'Something went wrong' })
  portal.getByRole('heading', { name: 'Projects (2)' })
  portal.gateway.answers[DEVICES] = answerWith(devices)
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByText('AHU-1')
})

t.test('keeps the previous page with a warning when the next page fails', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  portal.gateway.answers[DEVICES] = problem(503)
  fireEvent.click(portal.getByRole('button', { name: 'Next page' }))
  await portal.findByText(/The devices below may be out of date/)
  portal.getByText('AHU-1')
  portal.gateway.answers[DEVICES] = answerWith(devices)
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByText('AHU-16')
  t.notOk(portal.queryByText(/out of date/))
})

t.test('shows the specified text for a customer without projects', async (t) => {
  const noProjects = projectList({ projects: [], totals: { projects: 0, devices: 0 } })
  const portal = openPortal(t, HERE, { [PROJECTS]: noProjects, [DEVICES]: answerWith([]) })
  await portal.findByText(
    'No data available. This customer has no projects yet, please create a new project to proceed.'
  )
  t.notOk(portal.queryByRole('heading', { name: 'Devices' }))
})

t.test('clears a search without matches', async (t) => {
  const portal = openPortal(t, `${HERE}?q=zebra`, answers)
  await portal.findByRole('heading', { name: 'No devices match “zebra”' })
  t.notOk(portal.queryByText(/Search can't use/))
  fireEvent.click(portal.getByRole('button', { name: 'Clear search' }))
  await portal.findByText('AHU-1')
})

t.test('names the characters that a search cannot use, and searches without them', async (t) => {
  const portal = openPortal(t, `${HERE}?q=${encodeURIComponent('AHU-(3)&')}`, answers)
  await portal.findByText("Search can't use these characters:")
  portal.getByText('( ) &')
  fireEvent.click(portal.getByRole('button', { name: 'Search without them' }))
  await portal.findByText('AHU-3')
  t.equal(portal.address(), `${HERE}?q=AHU-3`)
  t.equal(
    (portal.getByRole('searchbox', { name: 'Device, Host ID, Project, Location' }) as HTMLInputElement).value,
    'AHU-3'
  )
})

t.test('a search that has only unsearchable characters offers no search without them', async (t) => {
  const portal = openPortal(t, `${HERE}?q=${encodeURIComponent('& ?')}`, answers)
  await portal.findByText('& ?')
  t.notOk(portal.queryByRole('button', { name: 'Search without them' }))
})

const unreadDevices = devices.map(
  (each): Device => ({ ...each, subscriptions: [], partial: ['subscriptions'] })
)

t.test('reports subscriptions that could not be read, with “Retry”', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [DEVICES]: answerWith(unreadDevices, ['subscriptions']) })
  await portal.findByText('Subscriptions could not be read. Which services are active is not known.')
  const remote = portal.getByRole('link', { name: 'Remote for AHU-1' })
  t.equal(remote.getAttribute('aria-disabled'), 'true')
  portal.gateway.answers[DEVICES] = answerWith(devices)
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await waitFor(() => assert.ok(portal.queryByText(/could not be read/) === null))
})

t.test(
  'a filter by service does not say that no device matches while subscriptions are not read',
  async (t) => {
    const portal = openPortal(t, `${HERE}?service=Recover`, {
      ...answers,
      [DEVICES]: answerWith(unreadDevices, ['subscriptions'])
    })
    await portal.findByRole('heading', { name: 'Subscriptions could not be read' })
    t.notOk(portal.queryByText(/No devices/))
  }
)

t.test('shows all devices when the project no longer exists', async (t) => {
  const portal = openPortal(t, `${HERE}?project=p-77`, answers)
  await portal.findByText('AHU-1')
  await waitFor(() => assert.equal(portal.address(), HERE))
})

t.test('the first page shows fifteen devices in natural order of their names', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  t.same(rowNames(portal).slice(0, 2), ['AHU-1', 'AHU-2'])
  t.equal(rowNames(portal).length, 15)
  portal.getByText('2 projects, 32 devices')
  portal.getByText('1–15 of 32')
  portal.getByText('15 of 32 devices, sorted by Device ascending')
  t.equal(
    portal.getByRole('link', { name: 'AHU-1' }).getAttribute('href'),
    `${HERE}/devicedetails?deviceUuid=uuid-1`
  )
  t.same(lastDeviceCall(portal), { sort: 'deviceName', order: 'asc', size: '15', page: '0' })
})

t.test('a service links to its page (Remote in a new tab) or shows why it is unavailable', async (t) => {
  const twoDevices = [device(1), device(2, { subscriptions: [] })]
  const portal = openPortal(t, HERE, { [DEVICES]: answerWith(twoDevices) })
  const remote = await portal.findByRole('link', { name: 'Remote for AHU-1 (opens a new tab)' })
  t.equal(remote.getAttribute('href'), 'https://remote.example/guid-1')
  t.equal(remote.getAttribute('target'), '_blank')
  t.match(remote.getAttribute('rel'), 'noopener')
  t.equal(
    portal.getByRole('link', { name: 'Data Services for AHU-1' }).getAttribute('href'),
    `${HERE}/devicedetails/history?deviceUuid=uuid-1`
  )
  const disabledLink = portal.getByRole('link', { name: 'Recover for AHU-2' })
  t.equal(disabledLink.getAttribute('href'), null)
  t.equal(disabledLink.tabIndex, 0)
  const reason = document.getElementById(disabledLink.getAttribute('aria-describedby') ?? '')
  t.equal(reason?.textContent, 'Recover: No Recover subscription')
  fireEvent.focus(disabledLink)
  t.equal(reason?.style.display, 'block')
  fireEvent.keyDown(disabledLink, { key: 'Escape' })
  t.equal(reason?.style.display, 'none')
  t.notOk(portal.queryByRole('link', { name: /Alarms for/ }), 'only phones show this link')
})

t.test('shows a long name whole, above the host id', async (t) => {
  const deviceName = 'Cooling tower controls of the northern energy cent'
  const long = device(1, { deviceName })
  const portal = openPortal(t, HERE, { ...answers, [DEVICES]: answerWith([long]) })
  const link = await portal.findByRole('link', { name: deviceName })
  t.equal(link.textContent, deviceName)
  t.equal(portal.getByRole('rowheader').textContent?.includes(long.hostId), true)
})

t.test('a role at another organization cannot open services', async (t) => {
  const portal = openPortal(t, HERE, answers, { user: user('partner_admin', '/organizations/10') })
  const data = await portal.findByRole('link', { name: 'Data Services for AHU-1' })
  t.equal(data.getAttribute('aria-disabled'), 'true')
})

t.test('shows which subscription ends first; each icon has its own end date', async (t) => {
  const endsOn = (offeringCode: string, day: number) => ({
    offeringCode,
    startDate: '2026-01-01T00:00:00Z',
    endDate: `2026-03-${day}T00:00:00Z`
  })
  const portal = openPortal(t, HERE, {
    ...answers,
    [DEVICES]: answerWith([device(1, { subscriptions: [endsOn('Recover', 20), endsOn('Remote', 10)] })])
  })
  const nearestEnd = await portal.findByText('ends in 9 days')
  t.match(nearestEnd.parentElement?.textContent, /^Remote /)
  t.equal(portal.getAllByText(/ends in/).length, 1)
  const remote = portal.getByRole('link', { name: /^Remote for AHU-1/ })
  t.ok(remote.closest('li')?.classList.contains('warn'))
  portal.getByText('Recover: ends 20-Mar-2026')
  portal.getByText('Remote: ends 10-Mar-2026 (opens a new tab)')
})

t.test('the head of the devices sorts by the host id too, until that has a column of its own', async (t) => {
  const portal = openPortal(t, HERE, answers)
  const deviceHead = () => portal.getByRole('columnheader', { name: /^Device/ })
  await portal.findByText('AHU-1')
  t.notOk(portal.queryByRole('button', { name: 'Services' }), 'services have no order')
  fireEvent.click(within(deviceHead()).getByRole('button', { name: 'Host ID' }))
  await portal.findByText('15 of 32 devices, sorted by Host ID ascending')
  t.equal(portal.address(), `${HERE}?sort=hostId`)
  t.equal(deviceHead().getAttribute('aria-sort'), 'ascending')
  fireEvent.click(portal.getByRole('button', { name: /^Columns/ }))
  fireEvent.click(portal.getByRole('checkbox', { name: 'Host ID' }))
  t.equal(deviceHead().getAttribute('aria-sort'), null)
  t.equal(portal.getByRole('columnheader', { name: 'Host ID' }).getAttribute('aria-sort'), 'ascending')
  fireEvent.click(portal.getByRole('button', { name: 'Host ID' }))
  await portal.findByText('15 of 32 devices, sorted by Host ID descending')
})

t.test('the pager stops at both ends and makes one call per page', async (t) => {
  const portal = openPortal(t, HERE, answers)
  const button = (name: string) => portal.getByRole('button', { name })
  await portal.findByText('1–15 of 32')
  const callCount = portal.callsTo(DEVICES).length
  fireEvent.click(button('Previous page'))
  fireEvent.click(button('First page'))
  fireEvent.click(button('Next page'))
  await portal.findByText('16–30 of 32')
  t.equal(portal.callsTo(DEVICES).length, callCount + 1)
  fireEvent.click(button('Last page'))
  await portal.findByText('31–32 of 32')
  t.equal(button('Next page').getAttribute('aria-disabled'), 'true')
  fireEvent.click(button('Next page'))
  t.equal(portal.address(), `${HERE}?page=3`)
  fireEvent.click(button('First page'))
  await portal.findByText('1–15 of 32')
})

t.test('a single page has no pager buttons', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [DEVICES]: answerWith(devices.slice(0, 3)) })
  await portal.findByText('1–3 of 3')
  t.notOk(portal.queryByRole('button', { name: 'Next page' }))
  t.notOk(portal.queryByRole('button', { name: 'Skip this table' }))
})

t.test('the project list shows counts, filters devices and searches projects', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByRole('heading', { name: 'Projects (2)' })
  const list = within(portal.getByRole('region', { name: 'Projects' }))
  const names = () => textsOf(list.getAllByRole('link'))
  t.same(names(), ['All Projects32 devices', 'Tower30 devices', 'Garage2 devices'])
  t.equal(list.getByRole('link', { name: /All Projects/ }).getAttribute('aria-current'), 'true')
  fireEvent.click(list.getByRole('link', { name: /Garage/ }))
  await portal.findByText('1–2 of 2')
  t.equal(lastDeviceCall(portal).projectId, 'p-2')
  portal.getByRole('table', { name: 'Devices of Garage' })
  fireEvent.change(list.getByRole('searchbox', { name: 'Search Project' }), { target: { value: 'TOW' } })
  t.same(names(), ['Tower30 devices'])
  fireEvent.change(list.getByRole('searchbox'), { target: { value: 'zebra' } })
  t.notOk(list.queryByRole('link'))
  list.getByText('No project has this name.')
})

t.test('renders 100 of 220 projects; the button, scrolling and the search reach the rest', async (t) => {
  const projects = Array.from({ length: 220 }, (_, index) => ({
    id: `p-${index + 1}`,
    projectName: `Site ${index + 1}`,
    deviceCount: 0
  }))
  const portal = openPortal(t, `${HERE}?project=p-220`, {
    ...answers,
    [PROJECTS]: projectList({ projects, totals: { projects: 220, devices: 32 } })
  })
  await portal.findByText('Projects (220)')
  const list = within(portal.getByRole('region', { name: 'Projects' }))
  const names = () => list.getAllByRole('link').map((link) => link.textContent?.replace(/\d devices$/, ''))
  t.equal(names().length, 102, '“All Projects”, the chosen project and 100 other projects')
  t.same(names().slice(1, 3), ['Site 220', 'Site 1'])
  fireEvent.click(list.getByRole('button', { name: 'Show 100 more' }))
  t.equal(names().length, 202)
  t.match(document.activeElement?.textContent, /^Site 101/)
  act(() => {
    for (const report of display.watched) report(true)
  })
  t.equal(names().length, 221)
  t.notOk(list.queryByRole('button', { name: 'Show 100 more' }))
  fireEvent.change(list.getByRole('searchbox'), { target: { value: 'site 11' } })
  t.equal(names().length, 11)
})

t.test('a single project has no “All Projects” entry', async (t) => {
  const [only] = projectList().projects
  const oneProject = projectList({ projects: only ? [only] : [], totals: { projects: 1, devices: 30 } })
  const portal = openPortal(t, HERE, { ...answers, [PROJECTS]: oneProject })
  await portal.findByRole('heading', { name: 'Projects (1)' })
  t.notOk(portal.queryByText('All Projects'))
})

t.test('with the project list hidden, the project is a filter that can be removed', async (t) => {
  const portal = openPortal(t, `${HERE}?project=p-2`, answers)
  await portal.findByText('1–2 of 2')
  fireEvent.click(portal.getByRole('button', { name: 'Hide project list' }))
  t.notOk(portal.queryByRole('searchbox', { name: 'Search Project' }))
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter Garage' }))
  await portal.findByText('1–15 of 32')
  portal.getByRole('button', { name: 'Show project list' })
})

t.test('only people with several customers have a “Back to home” link', async (t) => {
  const portal = openPortal(t, HERE, answers)
  t.equal((await portal.findByRole('link', { name: 'Back to home' })).getAttribute('href'), '/')
  const otherPortal = openPortal(t, HERE, answers, { customers: { count: 1, only: card('9') } })
  await within(otherPortal.container).findByRole('heading', { level: 1, name: 'Northwind' })
  t.notOk(within(otherPortal.container).queryByRole('link', { name: 'Back to home' }))
})

t.test('remembers page and project between visits', async (t) => {
  localStorage.setItem('portal.devices.u-1.9', JSON.stringify({ project: 'p-1', page: 1 }))
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('16–30 of 30')
  t.equal(portal.address(), `${HERE}?project=p-1&page=2`)
  t.equal(portal.callsTo(DEVICES).length, 1)
  fireEvent.click(portal.getByRole('link', { name: /All Projects/ }))
  await portal.findByText('1–15 of 32')
  t.equal(portal.address(), HERE)
  t.same(JSON.parse(localStorage.getItem('portal.devices.u-1.9') ?? ''), { project: null, page: 0 })
})

t.test('the URL takes precedence over the last visit', async (t) => {
  localStorage.setItem('portal.devices.u-1.9', JSON.stringify({ project: 'p-1', page: 1 }))
  const portal = openPortal(t, `${HERE}?sort=hostId`, answers)
  await portal.findByText('1–15 of 32')
  t.equal(portal.address(), `${HERE}?sort=hostId`)
})
