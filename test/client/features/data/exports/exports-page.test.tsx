import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { exportWatch } from '#client/features/data/exports/export-watch.ts'
import { toasts } from '#client/ui/state/toasts.ts'
import { customer } from '../../../../support/client/customer.ts'
import { textsOf } from '../../../../support/client/dom.ts'
import { type Call, CUSTOMERS, card, customersOf, problem, user } from '../../../../support/client/gateway.ts'
import { chooseAction } from '../../../../support/client/gestures.ts'
import { pointModel, pointPage } from '../../../../support/client/points.ts'
import { openPortal } from '../../../../support/client/portal.tsx'
import { exportRecord, listOf } from '../../../../support/client/records.ts'

const EXPORTS = '/api/v1/egress/exports'

const exportsOf = (...exports: object[]) => listOf('exports', exports)

t.test('shows how long files are kept if an export has a file', async (t) => {
  for (const [list, facts] of [
    [exportsOf(exportRecord('1', { status: 'FAILED' }), exportRecord('2')), 'Files are kept for 7 days.'],
    [exportsOf(exportRecord('1', { status: 'EXPIRED' })), null],
    [exportsOf(exportRecord('1', { expiresDate: null })), null]
  ] as const) {
    const portal = openPortal(t, '/exports', { [EXPORTS]: list })
    await portal.findByText('Export 1')
    t.equal(portal.queryByText('Files are kept for 7 days.') !== null, facts !== null)
    portal.unmount()
  }
})

t.test('the range and the reason of a failure are in the row, the zone in the sheet too', async (t) => {
  const reason = 'A history could not be read'
  const failed = exportRecord('1', { status: 'FAILED', failureReason: reason, timeZone: 'Asia/Tokyo' })
  const portal = openPortal(t, '/exports', { [EXPORTS]: exportsOf(failed) })
  const nameButton = await portal.findByRole('button', { name: /^Details of Export 1/ })
  const [, row] = portal.getAllByRole('row')
  t.match(row?.textContent, '01-Mar-2026 to 01-Mar-2026')
  t.match(row?.textContent, reason)
  fireEvent.click(nameButton)
  const sheet = within(portal.getByRole('dialog', { name: 'Export 1' }))
  t.equal(sheet.getByText('Reason').nextElementSibling?.textContent, reason)
  t.equal(sheet.getByText('Time zone').nextElementSibling?.textContent, 'Asia/Tokyo')
  t.equal(sheet.getByText('Range').nextElementSibling?.textContent, '01-Mar-2026 to 01-Mar-2026')
})

t.test('the filter for one’s own exports sends the person’s name, and is in the address', async (t) => {
  const portal = openPortal(t, '/exports', { [EXPORTS]: exportsOf(exportRecord('1')) })
  await portal.findByText('Export 1')
  t.equal(portal.callsTo(EXPORTS).at(-1)?.query.has('createdBy'), false)
  fireEvent.change(portal.getByRole('combobox', { name: 'Requested by' }), { target: { value: 'me' } })
  await waitFor(() => assert.equal(portal.callsTo(EXPORTS).at(-1)?.query.get('createdBy'), 'Maria Ruiz'))
  t.equal(portal.address(), '/exports?owner=me')
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter Requested by me' }))
  t.equal(portal.address(), '/exports')
})

const messages = () => toasts.read().recent.map(({ text }) => text)

t.test('reads the list again when an export ends, in this tab or in another one', async (t) => {
  const statuses = { 1: 'RUNNING', 2: 'RUNNING' }
  const record = (id: 1 | 2) => exportRecord(String(id), { status: statuses[id], progress: 95 })
  const portal = openPortal(t, '/exports', {
    [EXPORTS]: () => exportsOf(record(1), record(2)),
    [`${EXPORTS}/1`]: () => {
      statuses[1] = 'READY'
      return record(1)
    },
    [`${EXPORTS}/2`]: () => record(2)
  })
  const isReady = (name: string) => {
    const row = within(portal.getByRole('row', { name: new RegExp(name) }))
    row.getByText('Ready')
    return row.getByRole('button', { name: /^Download/ }).getAttribute('aria-disabled') !== 'true'
  }
  await waitFor(() => assert.ok(isReady('Export 1')))
  portal.getByText('Running 95 %')

  statuses[2] = 'READY'
  const stored = JSON.parse(localStorage.getItem('portal.exports') ?? '')
  localStorage.setItem('portal.exports', JSON.stringify({ ...stored, waiting: [], ended: ['2', '1'] }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'portal.exports' }))
  await waitFor(() => assert.ok(isReady('Export 2')))
  t.strictSame(messages(), ['Export “Export 1” is ready.'], 'the other tab reports the other export')
  t.equal(portal.callsTo(`${EXPORTS}/1`).length, 1)
})

t.test('does not wait again for an ended export that the list still shows as running', async (t) => {
  const running = exportRecord('3', { status: 'RUNNING' })
  const portal = openPortal(t, '/exports', {
    [EXPORTS]: exportsOf(running),
    [`${EXPORTS}/3`]: exportRecord('3')
  })
  await waitFor(() => assert.ok(portal.callsTo(EXPORTS).length > 1))
  await portal.router.navigate('/exports?owner=me')
  await waitFor(() => assert.equal(portal.callsTo(EXPORTS).at(-1)?.query.get('createdBy'), 'Maria Ruiz'))
  t.strictSame(exportWatch.waiting('u-1'), [])
  t.equal(portal.callsTo(`${EXPORTS}/3`).length, 1)
  t.strictSame(messages(), ['Export “Export 3” is ready.'])
})

const atCustomers = (...roles: ['customer_admin' | 'customer_user', customerId: string][]) =>
  user('custom', '/organizations/1', {
    roleAssignments: [
      { id: 'r-1', role: 'custom', scope: '/organizations/1' },
      ...roles.map(([role, id]) => ({ id: `r-${id}`, role, scope: `/organizations/1/customers/${id}` }))
    ]
  })

t.test('a person with roles at customers chooses one, and has the actions of the role there', async (t) => {
  const portal = openPortal(
    t,
    '/exports',
    {
      [CUSTOMERS]: customersOf('9', '10', '11'),
      [EXPORTS]: ({ query }: Call) => {
        const customerId = query.get('customerId')
        return customerId ? exportsOf(exportRecord(customerId, { customerId })) : problem(403)
      }
    },
    { user: atCustomers(['customer_admin', '9'], ['customer_user', '10']) }
  )
  fireEvent.click(await portal.findByRole('combobox', { name: 'Customer' }))
  t.strictSame(textsOf(portal.getAllByRole('option')), ['Customer 9', 'Customer 10'])
  t.equal(portal.callsTo(EXPORTS).length, 0)
  fireEvent.click(portal.getByRole('option', { name: 'Customer 10' }))
  await portal.findByText('Export 10')
  t.notOk(portal.queryByRole('button', { name: 'Actions for Export 10' }))
  await portal.router.navigate('/exports?customerId=9')
  fireEvent.click(await portal.findByRole('button', { name: 'Actions for Export 9' }))
  t.strictSame(textsOf(portal.getAllByRole('menuitem')), ['Download', 'Run again', 'Delete'])
})

t.test('the message about a ready export leads to the export of its customer', async (t) => {
  let status = 'RUNNING'
  const record = () => exportRecord('4', { status })
  const portal = openPortal(
    t,
    '/exports?customerId=9',
    {
      [CUSTOMERS]: customersOf('9', '10'),
      [EXPORTS]: () => exportsOf(record()),
      [`${EXPORTS}/4`]: () => {
        status = 'READY'
        return record()
      }
    },
    { user: atCustomers(['customer_admin', '9'], ['customer_user', '10']) }
  )
  fireEvent.click(await portal.findByRole('link', { name: 'Show' }))
  await waitFor(() =>
    assert.equal(portal.address(), '/exports?q=Export+4&customerId=9&customerName=Northwind')
  )
  await portal.findByRole('button', { name: /^Details of Export 4/ })
  await portal.findByText('Customer: Northwind')
})

t.test('the exports of a person’s only customer show at once', async (t) => {
  const portal = openPortal(
    t,
    '/exports',
    { [EXPORTS]: exportsOf(exportRecord('1')) },
    { user: atCustomers(['customer_user', '9']), customers: { count: 1, only: card('9') } }
  )
  await portal.findByText('Export 1')
  const [{ query }] = portal.callsTo(EXPORTS) as [Call]
  t.strictSame([query.get('customerId'), query.get('organizationId')], ['9', null])
  t.notOk(portal.queryByRole('button', { name: 'New export' }))
})

t.test('a running export is stopped, and a conflict reports that the export has changed', async (t) => {
  const running = exportRecord('1', { status: 'RUNNING', progress: 5, createdBy: 'Somebody else' })
  const cancelCall = `${EXPORTS}/1/cancel`
  const portal = openPortal(t, '/exports', { [EXPORTS]: exportsOf(running), [cancelCall]: problem(409) })
  await chooseAction(portal, 'Export 1', 'Stop')
  const dialog = within(portal.getByRole('alertdialog', { name: 'Stop the export “Export 1”?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Stop export' }))
  t.match((await dialog.findByRole('alert')).textContent, /has changed meanwhile/)

  const cancelled = { ...running, status: 'CANCELLED' }
  portal.gateway.answers[EXPORTS] = exportsOf(cancelled)
  portal.gateway.answers[cancelCall] = cancelled
  fireEvent.click(dialog.getByRole('button', { name: 'Stop export' }))
  await portal.findByText('Export “Export 1” stopped.')
  await waitFor(() => assert.ok(!portal.queryByText('Running 5 %')))
})

t.test('a lost answer may have started, stopped or deleted an export', async (t) => {
  const running = exportRecord('1', { status: 'RUNNING', progress: 5 })
  const ready = exportRecord('2', {
    request: { selectedPoints: [{ systemGuid: 'guid-1', pointIds: ['t-1'] }] }
  })
  const portal = openPortal(t, '/exports', {
    ...customer({ tower: 1, garage: 0 }).answers,
    [EXPORTS]: ({ method }: Call) => (method === 'POST' ? problem(504) : exportsOf(running, ready)),
    [`${EXPORTS}/1/cancel`]: problem(504),
    [`${EXPORTS}/2`]: problem(504),
    '/api/v1/entitymodel/customers/9/pointNames': pointPage([pointModel(1)])
  })
  const reads = () => portal.callsTo(EXPORTS).filter(({ method }) => method === 'GET').length
  for (const [name, action, title, button] of [
    ['Export 1', 'Stop', 'Stop the export “Export 1”?', 'Stop export'],
    ['Export 2', 'Delete', 'Delete the export “Export 2”?', 'Delete export'],
    ['Export 2', 'Run again', 'New export', 'Start export']
  ] as const) {
    await chooseAction(portal, name, action)
    const dialog = within(
      portal.getByRole(action === 'Run again' ? 'dialog' : 'alertdialog', { name: title })
    )
    const readsBefore = reads()
    fireEvent.click(dialog.getByRole('button', { name: button }))
    t.match((await dialog.findByRole('alert')).textContent, /The change may have been made anyway\.$/)
    await waitFor(() => assert.equal(reads(), readsBefore + 1))
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  }
})

t.test('a download whose answer is lost mentions no change', async (t) => {
  const portal = openPortal(t, '/exports', {
    [EXPORTS]: exportsOf(exportRecord('1')),
    [`${EXPORTS}/1`]: problem(504)
  })
  await chooseAction(portal, 'Export 1', 'Download')
  const dialog = within(portal.getByRole('alertdialog', { name: 'Download “Export 1”?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Download' }))
  t.equal((await dialog.findByRole('alert')).textContent, 'Unable to get the details.')
})

t.test('the file of an expired export cannot be downloaded', async (t) => {
  const portal = openPortal(t, '/exports', { [EXPORTS]: exportsOf(exportRecord('1', { status: 'EXPIRED' })) })
  fireEvent.click(await portal.findByRole('button', { name: 'Actions for Export 1' }))
  t.equal(portal.getByRole('menuitem', { name: /Download/ }).getAttribute('aria-disabled'), 'true')
})

t.test('“Run again” names points beyond the first page of a device', async (t) => {
  const selectedPoints = [{ systemGuid: 'guid-1', pointIds: ['t-1001'] }]
  const portal = openPortal(t, '/exports', {
    ...customer({ tower: 1, garage: 0 }).answers,
    [EXPORTS]: exportsOf(exportRecord('1', { request: { selectedPoints } })),
    '/api/v1/entitymodel/customers/9/pointNames': ({ query }: Call) => {
      const number = Number(query.get('page'))
      return pointPage([pointModel(1000 * number + 1)], { number, totalPages: 2, totalElements: 1001 })
    }
  })
  await chooseAction(portal, 'Export 1', 'Run again')
  const points = within(await portal.findByRole('list', { name: 'Chosen points' }))
  await points.findByText('AHU-1 · Point 1001')
  t.pass()
})

t.test('“Run again” fills in the points of the export, with the names of device and point', async (t) => {
  const selectedPoints = [{ systemGuid: 'guid-1', pointIds: ['t-1', 't-2'] }]
  const expired = exportRecord('1', { status: 'EXPIRED', request: { selectedPoints } })
  const portal = openPortal(t, '/exports', {
    ...customer({ tower: 1, garage: 0 }).answers,
    [EXPORTS]: exportsOf(expired),
    '/api/v1/entitymodel/customers/9/pointNames': pointPage([pointModel(1), pointModel(2)])
  })
  await chooseAction(portal, 'Export 1', 'Run again')
  const dialog = within(portal.getByRole('dialog', { name: 'New export' }))
  t.equal(dialog.getByRole('button', { name: 'Start export' }).getAttribute('aria-disabled'), 'false')
  const points = within(dialog.getByRole('list', { name: 'Chosen points' }))
  await points.findByText('AHU-1 · Point 2')
  t.strictSame(textsOf(points.getAllByRole('listitem')), ['AHU-1 · Point 1', 'AHU-1 · Point 2'])
})

t.test('the points of one device are not offered as those of another', async (t) => {
  const portal = openPortal(t, '/exports', {
    ...customer({ tower: 2, garage: 0 }).answers,
    [EXPORTS]: exportsOf(exportRecord('1', { status: 'EXPIRED', request: { selectedPoints: [] } })),
    '/api/v1/entitymodel/customers/9/pointNames': ({ body }: Call) =>
      (body as { systemGuid: string }).systemGuid === 'guid-1' ? pointPage([pointModel(1)]) : problem(502)
  })
  await chooseAction(portal, 'Export 1', 'Run again')
  const dialog = within(portal.getByRole('dialog', { name: 'New export' }))
  const chooseDevice = async (name: string) => {
    const choice = await dialog.findByRole('combobox', { name: 'Device' })
    fireEvent.focus(choice)
    fireEvent.click(choice)
    fireEvent.click(await dialog.findByRole('option', { name: new RegExp(`^${name}`) }))
  }
  await chooseDevice('AHU-1')
  await dialog.findByRole('checkbox', { name: /^Point 1/ })
  await chooseDevice('AHU-2')
  await dialog.findByRole('alert')
  t.notOk(dialog.queryByRole('checkbox', { name: /^Point 1/ }))
})

t.test('the form of an export asks before any change is lost', async (t) => {
  const portal = openPortal(t, '/exports', {
    ...customer({ tower: 1, garage: 0 }).answers,
    [EXPORTS]: exportsOf(exportRecord('1', { status: 'EXPIRED', request: { selectedPoints: [] } }))
  })
  await chooseAction(portal, 'Export 1', 'Run again')
  const dialog = within(portal.getByRole('dialog', { name: 'New export' }))
  fireEvent.change(dialog.getByRole('combobox', { name: 'Format' }), { target: { value: 'JSON' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
  dialog.getByRole('alertdialog', { name: 'Discard your changes?' })
})
