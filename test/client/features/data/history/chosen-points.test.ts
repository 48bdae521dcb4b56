// The names of points that are not loaded.
import '../../../../support/client/dom.ts'
import { fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { customer, DEVICES } from '#test/support/client/customer.ts'
import { type Answer, bootstrap, type Call, device, never, pageOf } from '#test/support/client/gateway.ts'
import { openPortal } from '#test/support/client/portal.tsx'

const CLOUD_ID = '5e9a1b36-77aa-4d2c-8a0e-3c1f6f0f2b11'

const openHistory = (t: Test, points: Answer, saveReport: Answer = {}) =>
  openPortal(t, `/customers/9/devicedetails/history?deviceUuid=uuid-1&points=uuid-1~${CLOUD_ID}`, {
    ...customer().answers,
    '/api/portal/v1/bootstrap': bootstrap({}),
    [`${DEVICES}/uuid-1`]: device(1),
    '/api/v1/entitymodel/customers/9/pointNames': points,
    '/api/v1/charts-and-reports/9/report': saveReport,
    '/api/v1/charts-and-reports/9/report/r-1': never
  })

t.test('a point that is still loading has a number instead of its id', async (t) => {
  const portal = openHistory(t, never)
  await portal.findByText('Point 1')
  portal.getByRole('button', { name: 'Remove Point 1' })
  t.notOk(portal.queryByText(CLOUD_ID, { exact: false }))
})

t.test('a deleted point has a number instead of its id, and a report saves no name for it', async (t) => {
  let saved: unknown
  const saveReport = ({ body }: Call) => {
    saved = body
    return { reportId: 'r-1' }
  }
  const portal = openHistory(t, { _embedded: { pointModels: [] }, page: pageOf(0) }, saveReport)
  await portal.findByText('This point is no longer there')
  portal.getByText('Point 1')
  t.notOk(portal.queryByText(CLOUD_ID, { exact: false }))
  fireEvent.click(portal.getByRole('button', { name: 'Save as report' }))
  fireEvent.change(await portal.findByLabelText('Report name'), { target: { value: 'Air' } })
  fireEvent.click(portal.getByRole('button', { name: 'Save' }))
  await waitFor(() => saved ?? Promise.reject(new Error('not saved yet')))
  t.match(saved, { reportDetails: { selectedPoints: [{ device: 'uuid-1', point: CLOUD_ID }] } })
  t.notOk(JSON.stringify(saved).includes('pointName'))
})
