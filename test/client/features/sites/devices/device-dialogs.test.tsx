import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import type { Usage } from '#shared/answers/portal.ts'
import { customer, DEVICES, HERE } from '../../../../support/client/customer.ts'
import { textsOf } from '../../../../support/client/dom.ts'
import { type Answers, never, problem } from '../../../../support/client/gateway.ts'
import { chooseAction } from '../../../../support/client/gestures.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const LOOK_UP = (code: string) => `/api/v2/devicemanagement/reregistration/${code}/deviceUuid/uuid-1`
const REREGISTER = '/api/v2/devicemanagement/reregistration'
const USAGE = '/api/portal/v1/customers/9/devices/uuid-1/usage'

const license = (number: number) => ({
  licenseId: `lic-${number}`,
  niagaraLicenseId: `Niagara-${number}`,
  customerName: 'Northwind',
  features: { subscriptions: [{ offeringCode: 'NDS' }] }
})

async function openDialog(portal: Portal, item: string) {
  await chooseAction(portal, 'AHU-1', item)
  return within(await portal.findByRole('dialog', { name: item }))
}

async function openReregistration(t: Test, answers: Answers) {
  const portal = openPortal(t, HERE, { ...customer().answers, ...answers })
  const dialog = await openDialog(portal, 'Re-registration')
  const field = dialog.getByRole('textbox', { name: 'Registration code' }) as HTMLInputElement
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  const doneButton = dialog.getByRole('button', { name: 'Done' })
  return { portal, dialog, field, type, doneButton }
}

t.test('a code of 7 or 9 characters is not looked up', async (t) => {
  const answers = { [LOOK_UP('ABCD2345')]: { licenses: [license(1)] } }
  const { portal, dialog, type, doneButton } = await openReregistration(t, answers)
  const lookUps = () => portal.gateway.calls.filter(({ path }) => path.includes('/reregistration/')).length
  for (const code of ['', 'ABCD234', 'ABCD23456', 'ABCD234!']) {
    type(code)
    fireEvent.click(doneButton)
    t.equal(doneButton.getAttribute('aria-disabled'), 'true', `'${code}'`)
  }
  type('ABCD23456')
  dialog.getByText('A code has 8 letters or digits.')
  t.equal(lookUps(), 0)
  type('abcd-2345')
  await dialog.findByRole('radio')
  t.equal(lookUps(), 1)
})

t.test('selects a single license; “Done” registers with that license', async (t) => {
  const answers = { [LOOK_UP('ABCD2345')]: { licenses: [license(1)] }, [REREGISTER]: {} }
  const { portal, dialog, type, doneButton, field } = await openReregistration(t, answers)
  type(' abcd 2345 ')
  t.equal(field.value, 'ABCD2345')
  const radio = (await dialog.findByRole('radio')) as HTMLInputElement
  t.ok(radio.checked)
  dialog.getByText('The only license, Niagara-1, is selected.')
  fireEvent.click(doneButton)
  await portal.findByText('Device re-registered.')
  t.notOk(portal.queryByRole('dialog'))
  const call = portal.callsTo(REREGISTER)[0]
  t.same(call?.body, { userCode: 'ABCD2345', deviceUuid: 'uuid-1', licenseId: 'lic-1' })
  t.equal(call?.headers.get('x-customer-id'), '9')
})

t.test('the dialog counts down the time of the code, as the registration page does', async (t) => {
  const { portal, dialog } = await openReregistration(t, {})
  const time = dialog.getByText(/^Valid for (?:15:00|14:5\d)\.$/)
  const firstTime = time.textContent
  await waitFor(() => assert.notEqual(time.textContent, firstTime))
  portal.unmount()
  const page = openPortal(t, '/registerdevice', {})
  await page.findByText(/^Valid for (?:15:00|14:5\d)\.$/)
  t.pass()
})

t.test('several licenses need a choice, and another code clears the choice', async (t) => {
  const { portal, dialog, type, doneButton } = await openReregistration(t, {
    [LOOK_UP('ABCD2345')]: { licenses: [license(1), license(2)] },
    [LOOK_UP('ABCD2346')]: { licenses: [license(3), license(4)] },
    [REREGISTER]: {}
  })
  type('ABCD2345')
  const radios = await dialog.findAllByRole('radio')
  t.equal(doneButton.getAttribute('aria-disabled'), 'true')
  fireEvent.click(radios[1] as HTMLElement)
  await waitFor(() => assert.equal(doneButton.getAttribute('aria-disabled'), 'false'))
  type('ABCD2346')
  await dialog.findByText('Niagara-4')
  t.equal(doneButton.getAttribute('aria-disabled'), 'true')
  fireEvent.click(dialog.getAllByRole('radio')[0] as HTMLElement)
  fireEvent.click(doneButton)
  await portal.findByText('Device re-registered.')
  t.match(portal.callsTo(REREGISTER)[0]?.body, { licenseId: 'lic-3' })
})

t.test('shows the specified texts if no license is found and after a failure', async (t) => {
  const { portal, dialog, type, doneButton } = await openReregistration(t, {
    [LOOK_UP('NONE2345')]: { licenses: [] },
    [LOOK_UP('FAIL2345')]: problem(500),
    [LOOK_UP('GONE2345')]: problem(404)
  })
  type('NONE2345')
  await dialog.findByText('No license information found. Please contact the sales team to purchase a license')
  type('FAIL2345')
  await dialog.findByText('Sorry, not able to fetch license information right now, Please try again.')
  type('GONE2345')
  await dialog.findByText(/Please try again\. The code may be unknown, used or expired\./)
  t.equal(doneButton.getAttribute('aria-disabled'), 'true')
  portal.gateway.answers[LOOK_UP('GONE2345')] = { licenses: [license(1)] }
  fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  await dialog.findByRole('radio')
})

t.test('a failed re-registration shows a message in the dialog and keeps the code', async (t) => {
  const answers = { [LOOK_UP('ABCD2345')]: { licenses: [license(1)] }, [REREGISTER]: problem(500) }
  const { portal, dialog, type, doneButton, field } = await openReregistration(t, answers)
  type('ABCD2345')
  await dialog.findByRole('radio')
  fireEvent.click(doneButton)
  await dialog.findByText('Device re-registration failed!')
  dialog.getByText(/Failed to re-register device\. Please, try again after sometime/)
  t.equal(field.value, 'ABCD2345')
  portal.gateway.answers[REREGISTER] = {}
  fireEvent.click(doneButton)
  await portal.findByText('Device re-registered.')
})

t.test('a lost answer to a re-registration does not claim that nothing happened', async (t) => {
  const answers = { [LOOK_UP('ABCD2345')]: { licenses: [license(1)] }, [REREGISTER]: problem(504) }
  const { portal, dialog, type, doneButton } = await openReregistration(t, answers)
  const reads = portal.callsTo(DEVICES).length
  type('ABCD2345')
  await dialog.findByRole('radio')
  fireEvent.click(doneButton)
  await dialog.findByText(
    /Failed to re-register device\. Please, try again after sometime\. The device may have been re-registered anyway\.$/
  )
  await waitFor(() => assert.equal(portal.callsTo(DEVICES).length, reads + 1))
  t.pass()
})

const usage = (rest: Partial<Usage> = {}): Usage => ({
  planLimit: 25,
  startDate: '2026-01-10T00:00:00.000Z',
  endDate: '2027-01-10T00:00:00.000Z',
  used: 5,
  percent: 20,
  level: 'ok',
  over: 0,
  bar: { fill: 13.33, baseline: 66.5 },
  title: null,
  text: null,
  period: 'Monthly',
  graph: false,
  banner:
    "Due to the short subscription duration (less than two months), we can't plot the graph and the usage is shown in the metrics bar.",
  points: [],
  ...rest
})

async function openUsage(t: Test, answer: unknown) {
  const portal = openPortal(t, HERE, { ...customer().answers, [USAGE]: answer })
  return { portal, dialog: await openDialog(portal, 'Usage Metrics') }
}

t.test('shows that usage is loading', async (t) => {
  const { dialog } = await openUsage(t, never)
  dialog.getByText('Loading usage')
})

t.test('shows an error with “Refresh” when usage cannot be loaded', async (t) => {
  const { portal, dialog } = await openUsage(t, problem(504))
  await dialog.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[USAGE] = usage()
  fireEvent.click(dialog.getByRole('button', { name: 'Refresh' }))
  await dialog.findByRole('meter')
})

t.test('a short subscription shows the bar, and a banner instead of the graph', async (t) => {
  const { dialog } = await openUsage(t, usage())
  const meter = await dialog.findByRole('meter', { name: 'Usage of the plan' })
  t.equal(meter.getAttribute('aria-valuetext'), '5 of 25 GB used, 20 %')
  t.equal((meter.querySelector('.usage-fill') as HTMLElement).style.width, '13.33%')
  t.equal((meter.querySelector('.usage-limit') as HTMLElement).style.left, '66.5%')
  dialog.getByText(/^Due to the short subscription duration/)
  t.notOk(dialog.queryByText('Usage Warning'))
  t.notOk(dialog.queryByRole('table'))
})

t.test('usage above the limit shows the excess', async (t) => {
  const text = 'Your usage has exceeded the plan limit by 28 GB'
  const excess = { percent: 212, level: 'exceeded', title: 'Usage Limit Exceeded', text } as const
  const { dialog } = await openUsage(t, usage(excess))
  await dialog.findByText(new RegExp(text))
  t.equal(dialog.getByRole('meter').getAttribute('aria-valuenow'), '150')
})

t.test('usage without a known limit shows no bar', async (t) => {
  const { dialog } = await openUsage(t, usage({ planLimit: null, percent: null }))
  await dialog.findByText('Not known')
  t.notOk(dialog.queryByRole('meter'))
})

t.test('a table lists the values of the graph with month names', async (t) => {
  const points = [
    { time: '2026-01-01T00:00:00.000Z', value: 1.25 },
    { time: '2026-02-01T00:00:00.000Z', value: 0.5 }
  ]
  const { dialog } = await openUsage(t, usage({ graph: true, banner: null, period: 'Yearly', points }))
  await dialog.findByRole('heading', { name: 'Yearly usage' })
  t.same(textsOf(document.querySelectorAll('.usage-table tbody tr > *')), [
    ...['Jan-2026', '1.25'],
    ...['Feb-2026', '0.500']
  ])
})
