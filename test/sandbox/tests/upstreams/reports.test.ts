import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE, NOTABLE_DEVICES } from '../../seed.ts'
import { callAs } from '../call-as.ts'

let now = Date.parse('2026-03-11T12:00:00Z')
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
const { state } = sandbox
const call = await callAs(sandbox, 'customer.admin')
const BASE = `/api/v1/charts-and-reports/${NOTABLE.northwind}`
const report = {
  reportName: "Night manager's view, no. 2",
  reportDetails: {
    selectedDateFilter: 'Custom Range',
    selectedPoints: [{ device: NOTABLE_DEVICES.chiller, point: 'p-1' }]
  },
  startTime: '2026-03-01T00:00:00.000Z',
  endTime: '2026-03-10T00:00:00.000Z'
}

t.test('reports are listed 15 a page, the latest change first, and found by keyword', async (t) => {
  const { body } = await call('GET', `${BASE}/reports`)
  t.match(body.page, { size: 15, totalElements: 9 })
  const list = body._embedded.reports
  const dates = list.map((one: { lastModifiedDate: string }) => one.lastModifiedDate)
  t.same(dates, [...dates].sort().reverse())
  t.match(list[0], {
    reportId: /^r-/,
    customerId: NOTABLE.northwind,
    customerName: 'Northwind Hospitals',
    reportDetails: { selectedDateFilter: /./, selectedPoints: [{ device: /./, point: /./ }] },
    createdBy: /./
  })
  const uuids = new Set(state.devices.of(NOTABLE.northwind).map((one) => one.deviceUuid))
  t.ok(uuids.has(list[0].reportDetails.selectedPoints[0].device))
  t.equal((await call('GET', `${BASE}/reports?keyword=chilled`)).body.page.totalElements, 1)
})

t.test('a report is saved, read, changed and deleted, and the log knows', async (t) => {
  const before = state.audit.length
  const made = await call('POST', `${BASE}/report`, report)
  t.match(made, { status: 201, body: { ...report, reportId: /./, createdBy: 'Carla Almeida' } })
  const path = `${BASE}/report/${made.body.reportId}`
  now += 60_000
  const patched = await call('PATCH', path, { reportName: 'Day view' })
  t.match(patched, { status: 200, body: { ...report, reportName: 'Day view' } })
  t.ok(patched.body.lastModifiedDate > made.body.lastModifiedDate)
  t.same((await call('GET', path)).body, patched.body)
  const elsewhere = path.replace(NOTABLE.northwind, NOTABLE.multi[0])
  t.equal((await call('GET', elsewhere)).status, 404, 'not at another customer')
  t.equal((await call('DELETE', path)).status, 204)
  t.equal((await call('DELETE', path)).status, 404)
  const actions = state.audit.slice(before).map((entry) => entry.action)
  t.same(actions, ['REPORT_CREATED', 'REPORT_UPDATED', 'REPORT_DELETED'])
})

t.test('a relative range has no times, and what is malformed is refused', async (t) => {
  const { startTime: _start, endTime: _end, ...relative } = report
  t.match(await call('POST', `${BASE}/report`, relative), { status: 201, body: { startTime: null } })
  const before = state.reports.size
  for (const change of [
    { reportName: '' },
    { reportName: 'a/b' },
    { reportDetails: undefined },
    { reportDetails: { selectedDateFilter: 'Today', selectedPoints: [{ device: 'd' }] } },
    { reportDetails: { selectedPoints: [] } },
    { startTime: 'long ago' }
  ])
    t.equal(
      (await call('POST', `${BASE}/report`, { ...report, ...change })).status,
      400,
      JSON.stringify(change)
    )
  t.equal(state.reports.size, before)
})
