// The card with the data usage of the searched devices.
import '../../../../support/client/dom.ts'
import { fireEvent, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { USAGE_WARNING, USAGE_WITHOUT_GRAPH, usageExceeded, usageOf } from '#server/usage-metrics.ts'
import type { Usage } from '#shared/answers/portal.ts'
import { type RealRole, ROLES, rolesAllowing } from '#shared/permissions.ts'
import { customer, DEVICES } from '../../../../support/client/customer.ts'
import { type Answers, device, NOW, never, problem, user } from '../../../../support/client/gateway.ts'
import { pointPage } from '../../../../support/client/points.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const HERE = '/customers/9/dataservice?devices=uuid-1'
const USAGE = (number: number) => `${DEVICES}/uuid-${number}/usage`
const plan = (startDate: string, planLimit?: number) => ({
  startDate,
  endDate: '2028-01-01T00:00:00.000Z',
  ...(planLimit === undefined ? {} : { planLimit })
})
const usage = (gigabytes: number, startDate = '2026-01-10T00:00:00.000Z', limit?: number): Usage =>
  usageOf(plan(startDate, limit), [{ time: '2026-02-01T00:00:00.000Z', value: gigabytes }], Date.parse(NOW))

const answers: Answers = {
  ...customer().answers,
  [USAGE(1)]: usage(5, undefined, 25)
}
const openCard = async (t: Test, answer: unknown, address = HERE) => {
  const portal = openPortal(t, address, { ...answers, [USAGE(1)]: answer })
  const card = within(await portal.findByRole('region', { name: 'Data usage of AHU-1' }))
  return { portal, card }
}

t.test('shows an error with “Retry” when usage cannot be loaded', async (t) => {
  const { portal, card } = await openCard(t, problem(503))
  const alert = await card.findByRole('alert')
  t.match(alert.textContent, /^Network Connectivity Failed\. Unable to get the details\./)
  portal.gateway.answers[USAGE(1)] = answers[USAGE(1)]
  fireEvent.click(card.getByRole('button', { name: 'Retry' }))
  await card.findByRole('meter', { name: 'Usage of AHU-1' })
})

t.test('reports subscriptions that could not be read, with “Retry”', async (t) => {
  const unread = device(1, { subscriptions: [], partial: ['subscriptions'] })
  const portal = openPortal(t, HERE, { ...answers, [`${DEVICES}/uuid-1`]: unread })
  const card = within(await portal.findByRole('region', { name: 'Data usage of AHU-1' }))
  t.match((await card.findByRole('alert')).textContent, /^Subscriptions could not be read\./)
  t.equal(portal.callsTo(USAGE(1)).length, 0)
  portal.gateway.answers[`${DEVICES}/uuid-1`] = device(1)
  fireEvent.click(card.getByRole('button', { name: 'Retry' }))
  await card.findByRole('meter', { name: 'Usage of AHU-1' })
})

t.test('shows that usage is loading', async (t) => {
  const { card } = await openCard(t, never)
  await card.findByText('Loading usage')
})

for (const [gigabytes, message] of [
  [19.97, null],
  [20, USAGE_WARNING],
  [25, USAGE_WARNING],
  [39.6, usageExceeded('14.6')]
] as const)
  t.test(`${gigabytes} of 25 GB show ${message?.title ?? 'no message'}`, async (t) => {
    const { card } = await openCard(t, usage(gigabytes, undefined, 25))
    const meter = await card.findByRole('meter', { name: 'Usage of AHU-1' })
    t.match(meter.getAttribute('aria-valuetext'), / of 25 GB used/)
    const title = card.queryByText(/^Usage (?:Warning|Limit Exceeded)$/)
    t.equal(title?.textContent, message?.title)
    if (message) card.getByText(new RegExp(message.text))
  })

t.test('shows the usage of a plan without a limit', async (t) => {
  const { card } = await openCard(t, usage(5))
  await card.findByText('5 GB used. The limit of the plan is not known.')
  t.notOk(card.queryByRole('meter'))
})

for (const [startDate, word] of [
  ['2026-01-10T00:00:00.000Z', null],
  ['2025-12-31T00:00:00.000Z', 'monthly'],
  ['2025-01-01T00:00:00.000Z', 'yearly']
] as const)
  t.test(`a plan from ${startDate} shows ${word ? `${word} usage as a graph` : 'a banner'}`, async (t) => {
    const { card } = await openCard(t, usage(5, startDate, 25))
    await card.findByRole('meter')
    t.equal(card.queryByText(USAGE_WITHOUT_GRAPH) !== null, word === null)
    if (word === null) return t.notOk(card.queryByRole('button'))
    fireEvent.click(card.getByRole('button', { name: `Show ${word} usage of AHU-1` }))
    await card.findByRole('columnheader', { name: word === 'yearly' ? 'Month' : 'Day' })
    card.getByRole('cell', { name: '5.00' })
  })

t.test('a device without the service makes no call', async (t) => {
  const endedNds = { offeringCode: 'NDS', startDate: '2025-01-01T00:00:00Z', endDate: '2026-02-01T12:00:00Z' }
  const portal = openPortal(t, HERE, {
    ...answers,
    [`${DEVICES}/uuid-1`]: device(1, { subscriptions: [endedNds] })
  })
  await portal.findByText('Subscription ended 01-Feb-2026.')
  t.equal(portal.callsTo(USAGE(1)).length, 0)
})

t.test('each chosen device has a card; without devices a hint shows', async (t) => {
  const portal = openPortal(t, '/customers/9/dataservice?devices=uuid-1,uuid-2', {
    ...answers,
    [USAGE(2)]: usage(30, undefined, 25)
  })
  await portal.findByRole('meter', { name: 'Usage of AHU-1' })
  const otherCard = within(portal.getByRole('region', { name: 'Data usage of AHU-2' }))
  await otherCard.findByText('Usage Limit Exceeded')
  const emptyPage = openPortal(t, '/customers/9/dataservice?devices=none', answers)
  await emptyPage.findByText('Choose a device to see its data usage.')
})

t.test('a closed card stays closed and makes no call', async (t) => {
  const { portal } = await openCard(t, usage(5, undefined, 25))
  fireEvent.click(portal.getByRole('button', { name: 'Hide data usage' }))
  t.notOk(portal.queryByRole('region', { name: 'Data usage of AHU-1' }))
  t.equal(localStorage.getItem('portal.usage-card'), 'false')
  portal.unmount()
  const nextVisit = openPortal(t, HERE, answers)
  await nextVisit.findByRole('button', { name: 'Show data usage' })
  t.equal(nextVisit.callsTo(USAGE(1)).length, 0)
})

for (const { name: role } of ROLES.filter(({ name }) => name !== 'global_admin')) {
  const sees = rolesAllowing('data:query').includes(role as RealRole)
  t.test(`${role} ${sees ? 'sees' : 'does not see'} the usage`, async (t) => {
    const portal = openPortal(t, HERE, answers, { user: user(role, '/organizations/1') })
    await portal.findByRole('heading', { level: 1, name: 'Data Service' })
    await portal.findByText('Find points across devices')
    if (sees) await portal.findByRole('heading', { name: 'Data usage' })
    else t.notOk(portal.queryByRole('heading', { name: 'Data usage' }))
    t.pass()
  })
}

t.test('a search whose text is not encoded shows its text', async (t) => {
  const portal = openPortal(t, `${HERE}&terms=100%25`, {
    ...answers,
    ...Object.fromEntries(
      ['pointNames', 'tagNames', 'tagValues'].map((name) => [
        `/api/v1/entitymodel/customers/9/${name}`,
        pointPage([])
      ])
    )
  })
  await portal.findByText('100%')
  t.pass()
})
