// Saved reports: the states of the list, and the actions of each role.
import '../../../support/client/dom.ts'
import { fireEvent, within } from '@testing-library/react'
import t from 'tap'
import { type Action, ROLES, rolesAllowing } from '#shared/permissions.ts'
import { setDisplay } from '../../../support/client/dom.ts'
import {
  type Answers,
  bootstrap,
  card,
  device,
  NOW,
  problem,
  projectList,
  user
} from '../../../support/client/gateway.ts'
import { openPortal } from '../../../support/client/portal.tsx'

// uPlot dispatches an event of this class when it loads.
Object.assign(globalThis, { CustomEvent: window.CustomEvent })

const CUSTOMERS = '/api/portal/v1/organizations/1/customers'
const REPORTS = '/api/v1/charts-and-reports/9/reports'
const BOOTSTRAP = '/api/portal/v1/bootstrap'

const report = (number: number, rest: object = {}) => ({
  reportId: `r-${number}`,
  reportName: `Report ${number}`,
  reportDetails: { selectedDateFilter: 'Last Month', selectedPoints: [{ device: 'uuid-1', point: 'c-1' }] },
  startTime: null,
  endTime: null,
  createdBy: 'Maria Ruiz',
  createdDate: NOW,
  lastModifiedDate: NOW,
  ...rest
})
const listOf = (reports: object[]) => ({
  _embedded: { reports },
  page: { number: 0, size: 100, totalPages: 1, totalElements: reports.length }
})
const customersOf = (...ids: string[]) => ({
  items: ids.map((id) => card(id)),
  page: { number: 0, size: 1000, totalPages: 1, totalElements: ids.length }
})
const answers: Answers = {
  [CUSTOMERS]: customersOf('9'),
  [REPORTS]: listOf([report(1), report(2, { createdBy: 'Somebody else' })])
}
const PARTNERS = ROLES.filter(({ name }) => name !== 'global_admin').map(({ name }) => name)
const as = (role: (typeof PARTNERS)[number]) => bootstrap({ user: user(role, '/organizations/1') })

t.test('reports that cannot be loaded: an error with Refresh', async (t) => {
  const portal = openPortal(t, '/reports', { ...answers, [REPORTS]: problem(503) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[REPORTS] = answers[REPORTS]
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByRole('link', { name: 'Report 1' })
  portal.getByText('2 reports')
})

for (const [role, buttons] of [
  ['partner_admin', 2],
  ['partner_user', 0]
] as const)
  t.test(`the empty state, and what ${role} may create`, async (t) => {
    const portal = openPortal(t, '/reports', { ...answers, [BOOTSTRAP]: as(role), [REPORTS]: listOf([]) })
    await portal.findByText('Chart some points and choose Save as report.')
    t.equal(portal.queryAllByRole('button', { name: 'New report' }).length, buttons)
  })

t.test('filters without a match can be cleared', async (t) => {
  const portal = openPortal(t, '/reports?owner=me&kind=fixed', answers)
  await portal.findByRole('heading', { name: 'No reports match' })
  portal.getByText('0 reports')
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter Range: Fixed range' }))
  await portal.findByRole('link', { name: 'Report 1' })
  t.equal(portal.queryByRole('link', { name: 'Report 2' }), null)
  t.equal(portal.address(), '/reports?owner=me')
})

for (const role of PARTNERS)
  t.test(`what ${role} may do with reports`, async (t) => {
    const may = (action: Action) => rolesAllowing(action).includes(role)
    const portal = openPortal(t, '/reports', { ...answers, [BOOTSTRAP]: as(role) })
    await portal.findByRole('link', { name: 'Report 1' })
    t.equal(portal.queryByRole('button', { name: 'New report' }) !== null, may('reports:create'))
    fireEvent.click(portal.getByRole('button', { name: 'Actions for Report 1' }))
    t.same(
      portal.getAllByRole('menuitem').map((item) => item.textContent),
      [
        'Open',
        ...(may('reports:create') ? ['Duplicate', 'Rename'] : []),
        ...(may('reports:delete') ? ['Delete'] : [])
      ]
    )
  })

for (const role of PARTNERS)
  t.test(`what ${role} may do with a history`, async (t) => {
    const may = (action: Action) => rolesAllowing(action).includes(role)
    const portal = openPortal(t, '/customers/9/devicedetails/history?deviceUuid=uuid-1', {
      '/api/portal/v1/customers/9/projects': projectList(),
      '/api/portal/v1/customers/9/devices': {
        items: [device(1)],
        page: { number: 0, size: 20, totalPages: 1, totalElements: 1 },
        partial: []
      },
      '/api/portal/v1/customers/9/devices/uuid-1': device(1),
      '/api/v1/entitymodel/customers/9/pointNames': {
        page: { number: 0, size: 25, totalPages: 0, totalElements: 0 }
      },
      [BOOTSTRAP]: as(role)
    })
    await portal.findByRole('heading', { name: may('data:query') ? /^Choose up to 10/ : /does not include/ })
    if (may('data:query')) await portal.findByRole('button', { name: 'Share' })
    t.equal(portal.queryByRole('button', { name: 'Export' }) !== null, may('data:export'))
    t.equal(portal.queryByRole('button', { name: 'Save as report' }) !== null, may('reports:create'))
  })

t.test('New report waits for the customers', async (t) => {
  let answer: (list: object) => void = () => {}
  const portal = openPortal(t, '/reports', {
    ...answers,
    [CUSTOMERS]: () => new Promise((resolve) => (answer = resolve))
  })
  const button = await portal.findByRole('button', { name: 'New report' })
  t.equal(button.getAttribute('aria-disabled'), 'true')
  fireEvent.click(button)
  t.equal(portal.queryByRole('dialog'), null)
  answer(customersOf('9', '8'))
  portal.gateway.answers['/api/v1/charts-and-reports/8/reports'] = listOf([])
  await portal.findByRole('link', { name: 'Report 1' })
  t.equal(portal.getByRole('button', { name: 'New report' }), button, 'the same one')
  fireEvent.click(button)
  portal.getByRole('dialog', { name: 'New report' })
})

t.test('a changed report is updated in place, no report is read again', async (t) => {
  const portal = openPortal(t, '/reports', {
    ...answers,
    '/api/v1/charts-and-reports/9/report/r-1': report(1, { reportName: 'Boilers' })
  })
  await portal.findByRole('link', { name: 'Report 1' })
  fireEvent.click(portal.getByRole('button', { name: 'Actions for Report 1' }))
  fireEvent.click(portal.getByRole('menuitem', { name: 'Rename' }))
  fireEvent.change(portal.getByRole('textbox', { name: 'Report name' }), { target: { value: 'Boilers' } })
  fireEvent.click(portal.getByRole('button', { name: 'Rename' }))
  await portal.findByRole('link', { name: 'Boilers' })
  t.equal(portal.queryByRole('link', { name: 'Report 1' }), null)
  t.equal(portal.callsTo(REPORTS).length, 1)
})

t.test('on a small screen filters apply from a sheet', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, '/reports?kind=relative', answers)
  await portal.findByRole('link', { name: 'Report 2' })
  t.equal(portal.queryByRole('button', { name: 'Owner' }), null)
  const open = () => {
    fireEvent.click(portal.getByRole('button', { name: /^Filter and sort/ }))
    return within(portal.getByRole('dialog', { name: 'Filter and sort' }))
  }
  t.equal(portal.getByRole('button', { name: /^Filter and sort/ }).textContent, 'Filter and sort1 chosen')

  let sheet = open()
  fireEvent.click(sheet.getByRole('button', { name: 'Owner' }))
  fireEvent.click(sheet.getByRole('checkbox', { name: 'Me' }))
  t.equal(portal.address(), '/reports?kind=relative', 'nothing yet')
  fireEvent.click(sheet.getByRole('button', { name: 'Close' }))
  t.equal(portal.queryByRole('dialog'), null)
  t.equal(portal.address(), '/reports?kind=relative', 'closing takes none of it')

  sheet = open()
  fireEvent.click(sheet.getByRole('button', { name: 'Owner' }))
  t.notOk((sheet.getByRole('checkbox', { name: 'Me' }) as HTMLInputElement).checked)
  fireEvent.click(sheet.getByRole('checkbox', { name: 'Me' }))
  fireEvent.change(sheet.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'reportName asc' } })
  fireEvent.click(sheet.getByRole('button', { name: 'Apply' }))
  t.equal(portal.queryByRole('dialog'), null)
  t.equal(portal.address(), '/reports?kind=relative&owner=me&sort=reportName&order=asc')
  t.equal(portal.queryByRole('link', { name: 'Report 2' }), null)

  sheet = open()
  fireEvent.click(sheet.getByRole('button', { name: 'Clear filters' }))
  fireEvent.keyDown(sheet.getByRole('heading', { name: 'Filter and sort' }), { key: 'Enter' })
  t.equal(portal.address(), '/reports?sort=reportName&order=asc', 'what is sorted by is no filter')
  await portal.findByRole('link', { name: 'Report 2' })
})

t.test('Escape closes the boxes of a filter, not its sheet', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, '/reports', answers)
  await portal.findByRole('link', { name: 'Report 1' })
  fireEvent.click(portal.getByRole('button', { name: 'Filter and sort' }))
  const sheet = within(portal.getByRole('dialog', { name: 'Filter and sort' }))
  fireEvent.click(sheet.getByRole('button', { name: 'Owner' }))
  const closed = fireEvent.keyDown(sheet.getByRole('checkbox', { name: 'Me' }), { key: 'Escape' })
  t.notOk(closed, 'a browser would close the dialog')
  t.equal(sheet.queryByRole('checkbox', { name: 'Me' }), null)
})

t.test('remembers the chosen columns; name and actions always show', async (t) => {
  const headings = (portal: { getAllByRole: (role: string) => HTMLElement[] }) =>
    portal.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const first = openPortal(t, '/reports', answers)
  await first.findByRole('link', { name: 'Report 1' })
  fireEvent.click(first.getByRole('button', { name: /^Columns/ }))
  const offered = within(first.getByRole('group')).getAllByRole('checkbox')
  t.equal(offered.length, 5)
  fireEvent.click(first.getByRole('checkbox', { name: 'Customer' }))
  fireEvent.click(first.getByRole('checkbox', { name: 'Range' }))
  t.strictSame(headings(first).slice(0, -1), ['Name', 'Points', 'Created by', 'Modified'])
  t.match(headings(first).at(-1), /^Actions/)
  fireEvent.click(first.getByRole('checkbox', { name: 'Range' }))
  t.ok(headings(first).includes('Range'))
  first.unmount()

  const again = openPortal(t, '/reports', answers)
  await again.findByRole('link', { name: 'Report 1' })
  t.notOk(headings(again).includes('Customer'), 'at the next visit too')
})
