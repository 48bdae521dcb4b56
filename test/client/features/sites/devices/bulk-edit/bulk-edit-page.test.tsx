import '../../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { customer, DEVICES, HERE, MANAGEMENT } from '../../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../../support/client/dom.ts'
import { problem, user } from '../../../../../support/client/gateway.ts'
import { holdTimeouts } from '../../../../../support/client/held-timeouts.ts'
import { openPortal, type Portal } from '../../../../../support/client/portal.tsx'
import { savedFiles } from '../../../../../support/client/saved-files.ts'

const PAGE = `${HERE}/editdevices`
const changesIn = (portal: Portal) => portal.gateway.calls.filter(({ method }) => method === 'PATCH')
const press = async (portal: Portal, name: string | RegExp) =>
  fireEvent.click(await portal.findByRole('button', { name }))
const heading = (portal: Portal, name: string | RegExp) => portal.findByRole('heading', { level: 2, name })

const lastOf = async (files: Map<string, Blob>) => (await [...files.values()].at(-1)?.text()) ?? ''

async function savedFile(portal: Portal, files: Map<string, Blob>): Promise<string> {
  const button = await portal.findByRole('button', { name: 'Save file' })
  await waitFor(() => assert.equal(button.getAttribute('aria-disabled'), 'false'))
  fireEvent.click(button)
  await waitFor(() => assert.equal(files.size, 1))
  return lastOf(files)
}

async function bring(portal: Portal, text: BlobPart) {
  const files = [new File([text], 'devices.csv')]
  fireEvent.change(await portal.findByLabelText('The changed file'), { target: { files } })
}

t.test('a person who may not edit devices has no command, and no page', async (t) => {
  const reader = user('customer_user', '/organizations/1/customers/9')
  const portal = openPortal(t, HERE, customer().answers, { user: reader })
  await portal.findByText('AHU-1')
  t.notOk(portal.queryByRole('link', { name: 'Edit as CSV' }))
  fireEvent.click(portal.getByRole('checkbox', { name: 'Select AHU-1' }))
  t.notOk(portal.queryByRole('link', { name: 'Edit as CSV' }))
  await portal.router.navigate(PAGE)
  await portal.findByText('Your role does not include editing devices of this customer.')
  t.ok(!portal.queryByLabelText('The changed file'))
})

t.test('a file that cannot be compared says why, and the same file can be chosen again', async (t) => {
  const portal = openPortal(t, PAGE, customer().answers)
  await bring(portal, 'Name\nAHU-1')
  await portal.findByText(
    /The file lacks columns: Device UUID, Location, Project, Version\..*Nothing was changed\./
  )
  await bring(portal, '')
  await portal.findByText(/The file is empty\./)
})

t.test('devices that cannot be read leave the file unread, and say so', async (t) => {
  const state = customer()
  const files = savedFiles(t)
  const portal = openPortal(t, PAGE, state.answers)
  const text = await savedFile(portal, files)
  state.refusals.set('GET /api/portal/v1/customers/9/devices', () => problem(503))
  await bring(portal, text)
  await portal.findByText(/Nothing was changed\./)
  t.ok(portal.getByLabelText('The changed file'))
})

t.test('the command keeps the filters of the list, and the file has only matching devices', async (t) => {
  const files = savedFiles(t)
  const portal = openPortal(t, `${HERE}?project=p-1&sort=location&order=desc`, customer().answers)
  fireEvent.click(await portal.findByRole('link', { name: 'Edit as CSV' }))
  await waitFor(() => assert.equal(portal.address(), `${PAGE}?project=p-1&sort=location&order=desc`))
  await portal.findByText(/3 devices that match the filters of the list\./)
  const lines = (await savedFile(portal, files)).split('\r\n')
  t.match(lines[0], 'Device UUID,Name,Location,Project,Version')
  t.match(lines[1], /^uuid-3,AHU-3,Level 3,Tower,v[0-9a-z]{7}$/)
  t.equal(lines.length, 5)
  const back = portal.getByRole('link', { name: 'Back to the devices' })
  t.equal(back.getAttribute('href'), `${HERE}?project=p-1&sort=location&order=desc`)
})

t.test('the file of a selection has only the selected devices', async (t) => {
  const files = savedFiles(t)
  const portal = openPortal(t, HERE, customer().answers)
  for (const name of ['AHU-1', 'AHU-4'])
    fireEvent.click(await portal.findByRole('checkbox', { name: `Select ${name}` }))
  const bar = within(portal.getByRole('region', { name: 'Selected devices' }))
  fireEvent.click(bar.getByRole('link', { name: 'Edit as CSV' }))
  await portal.findByText(/2 devices that you selected in the list\./)
  const lines = (await savedFile(portal, files)).split('\r\n')
  t.same(
    lines.slice(1, -1).map((line) => line.split(',')[0]),
    ['uuid-1', 'uuid-4']
  )
})

t.test('an unchanged file has no differences, and nothing to apply', async (t) => {
  const files = savedFiles(t)
  const portal = openPortal(t, PAGE, customer().answers)
  await bring(portal, await savedFile(portal, files))
  await heading(portal, 'The file has no differences')
  t.ok(!portal.queryByRole('button', { name: /^Apply/ }))
  fireEvent.click(portal.getAllByRole('link', { name: 'Back to the devices' }).at(-1) as HTMLElement)
  await waitFor(() => assert.equal(portal.address(), HERE))
})

t.test('warns about letters if the encoding of the file is a guess', async (t) => {
  const files = savedFiles(t)
  const portal = openPortal(t, PAGE, customer().answers)
  const text = (await savedFile(portal, files)).replace('Level 1', 'Küche')
  await bring(portal, new Uint8Array(Buffer.from(text, 'latin1')))
  await portal.findByText(/The file is not UTF-8: check letters such as “ü”/)
  portal.getByText('Küche')
})

t.test('shows the differences, asks before they are lost, applies them, retries and undoes', async (t) => {
  const files = savedFiles(t)
  const state = customer()
  const portal = openPortal(t, PAGE, state.answers)
  const text = await savedFile(portal, files)
  await bring(
    portal,
    text
      .replace('AHU-1', 'Pump 1')
      .replace('Level 2', 'Roof')
      .replace('Level 3', '')
      .replace('Garage', 'Tower')
  )
  const title = await heading(portal, '3 changes, 1 row refused, 0 unchanged')
  await waitFor(() => assert.ok(document.activeElement === title))
  const rowsShown = () => textsOf(within(portal.getByRole('table')).getAllByRole('row')).slice(1)
  t.same(rowsShown(), [
    '2Old: AHU-1  New: Pump 1Level 1Tower',
    '3AHU-2Old: Level 2  New: RoofTower',
    '5AHU-4Level 4Old: Garage  New: Tower'
  ])
  fireEvent.click(portal.getByRole('tab', { name: /^Refused/ }))
  t.same(rowsShown(), ['4AHU-3Old: Level 3  New: (empty)TowerRefused Location: Enter a location.'])

  fireEvent.click(portal.getAllByRole('link', { name: 'Back to the devices' })[0] as HTMLElement)
  const question = within(
    await portal.findByRole('alertdialog', { name: 'Leave without applying the changes?' })
  )
  fireEvent.click(question.getByRole('button', { name: 'Stay' }))

  state.refusals.set(`PATCH ${MANAGEMENT}/devices/d-2`, () => problem(409))
  await press(portal, 'Apply 3 changes')
  await heading(portal, '2 devices changed, 1 not changed')
  fireEvent.click(portal.getByRole('tab', { name: /^Not changed/ }))
  t.match(rowsShown(), [/^3AHU-2.*Not changed Data Conflict found\./])
  await press(portal, 'Save results as CSV')
  t.match(await lastOf(files), '2,uuid-1,AHU-1,Pump 1,Level 1,Level 1,Tower,Tower,Changed\r\n')
  state.refusals.clear()
  await press(portal, 'Retry 1')
  await heading(portal, '3 devices changed')
  t.same(
    state.devices.map(({ deviceName, location, projectId }) => [deviceName, location, projectId]),
    [
      ['Pump 1', 'Level 1', 'p-1'],
      ['AHU-2', 'Roof', 'p-1'],
      ['AHU-3', 'Level 3', 'p-1'],
      ['AHU-4', 'Level 4', 'p-1']
    ]
  )
  t.same(
    changesIn(portal).map(({ body }) => body),
    [{ deviceName: 'Pump 1' }, { location: 'Roof' }, { project: '/projects/p-1' }, { location: 'Roof' }]
  )
  await press(portal, 'Save undo file')
  t.match(await lastOf(files), /\r\nuuid-4,AHU-4,Level 4,Garage,v[0-9a-z]{7}\r\n/)

  await press(portal, 'Undo 3 changes')
  await heading(portal, 'Undo: 3 changes, 0 rows refused, 0 unchanged')
  await press(portal, 'Apply 3 changes')
  await heading(portal, 'Undo: 3 devices changed')
  t.same(state.devices, customer().devices)
})

t.test('stops before the next devices, and says which have not changed', async (t) => {
  const files = savedFiles(t)
  const state = customer({ tower: 9, garage: 0 })
  const portal = openPortal(t, PAGE, state.answers)
  await bring(portal, (await savedFile(portal, files)).replaceAll('Level', 'Floor'))
  await heading(portal, '9 changes, 0 rows refused, 0 unchanged')
  const answers: (() => void)[] = []
  for (const { id } of state.devices)
    portal.gateway.answers[`${MANAGEMENT}/devices/${id}`] = () =>
      new Promise((resolve) => answers.push(() => resolve({})))
  await press(portal, 'Apply 9 changes')
  await waitFor(() => assert.equal(answers.length, 4))
  await portal.findByRole('progressbar', { name: 'Changes that are done' })
  assert.ok(document.activeElement === portal.getByRole('button', { name: 'Stop' }))
  await portal.router.navigate(HERE)
  const question = within(await portal.findByRole('alertdialog', { name: 'Stop and leave?' }))
  question.getByText(/9 devices will stay as before\./)
  fireEvent.click(question.getByRole('button', { name: 'Stay' }))
  await press(portal, 'Stop')
  for (const answer of answers) answer()
  await heading(portal, '4 devices changed, 5 not changed')
  t.equal(changesIn(portal).length, 4)
  fireEvent.click(portal.getByRole('tab', { name: /^Not changed/ }))
  t.equal(portal.getAllByText(/You stopped before its turn\./).length, 5)
  portal.getByRole('button', { name: 'Retry 5' })
  // The undo file has all changes, also those that are not made.
  await press(portal, 'Save undo file')
  t.equal((await lastOf(files)).trimEnd().split('\r\n').length, 10)
})

t.test('the previous values are kept before the first change, and offered after a reload', async (t) => {
  const files = savedFiles(t)
  const state = customer()
  const portal = openPortal(t, PAGE, state.answers)
  const text = await savedFile(portal, files)
  t.notOk(portal.queryByRole('region', { name: 'Previous values' }))
  await bring(portal, text.replace('AHU-1', 'Pump 1').replace('AHU-2', 'Pump 2'))
  // The tab is closed while the first change is under way.
  portal.gateway.answers[`${MANAGEMENT}/devices/d-2`] = () => new Promise(() => {})
  await press(portal, 'Apply 2 changes')
  await waitFor(() => assert.equal(changesIn(portal).length, 2))
  await waitFor(() => assert.equal(state.devices[0]?.deviceName, 'Pump 1'))
  portal.unmount()

  const reopened = openPortal(t, PAGE, state.answers)
  const offer = within(await reopened.findByRole('region', { name: 'Previous values' }))
  offer.getByText(/^devices\.csv changed up to 2 devices at/)
  fireEvent.click(offer.getByRole('button', { name: 'Compare with the previous values' }))
  await heading(reopened, 'Undo: 1 change, 0 rows refused, 1 unchanged')
  await press(reopened, 'Apply 1 change')
  await heading(reopened, 'Undo: 1 device changed')
  t.same(state.devices, customer().devices)
  await press(reopened, 'Choose another file')
  await reopened.findByLabelText('The changed file')
  t.notOk(reopened.queryByRole('region', { name: 'Previous values' }), 'nothing is left to undo')
})

t.test('says so if the browser has no room for the previous values', async (t) => {
  const files = savedFiles(t)
  const portal = openPortal(t, PAGE, customer().answers)
  await bring(portal, (await savedFile(portal, files)).replace('AHU-1', 'Pump 1'))
  t.intercept(Object.getPrototypeOf(window.localStorage), 'setItem', {
    value() {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await press(portal, 'Apply 1 change')
  await portal.findByText(/This browser has no room for the previous values\./)
})

t.test(
  'a change whose answer is lost counts as done once the device has it, and else is not known',
  async (t) => {
    const files = savedFiles(t)
    const state = customer()
    const portal = openPortal(t, PAGE, state.answers)
    const text = await savedFile(portal, files)
    await bring(portal, text.replace('AHU-1', 'Pump 1').replace('AHU-2', 'Pump 2').replace('AHU-3', 'Pump 3'))
    const [first] = state.devices
    portal.gateway.answers[`${MANAGEMENT}/devices/d-1`] = () => {
      if (first) state.devices[0] = { ...first, deviceName: 'Pump 1' }
      return problem(504)
    }
    portal.gateway.answers[`${MANAGEMENT}/devices/d-2`] = problem(504)
    portal.gateway.answers[`${MANAGEMENT}/devices/d-3`] = problem(504)
    portal.gateway.answers[`${DEVICES}/uuid-3`] = problem(503)
    const readings = holdTimeouts(t, [1_000, 4_000])
    await press(portal, 'Apply 3 changes')
    await readings.end(3)
    // One device has its change, and the others are read once more.
    await readings.end(2)
    await heading(portal, '1 device changed, 1 not changed, 1 not known')
    fireEvent.click(portal.getByRole('tab', { name: /^Not changed/ }))
    portal.getByText('Not known')
    portal.getByText(/Read again, the device had its previous values\./)
  }
)

t.test('on a phone each row is a card with its differences', async (t) => {
  setDisplay({ wide: false })
  const files = savedFiles(t)
  const portal = openPortal(t, PAGE, customer().answers)
  await bring(portal, (await savedFile(portal, files)).replace('Level 1', 'Roof'))
  await heading(portal, '1 change, 0 rows refused, 3 unchanged')
  const [card] = within(portal.getByRole('list', { name: 'Rows' })).getAllByRole('listitem')
  t.match(card?.textContent, /AHU-1.*Location: Old: Level 1 {2}New: Roof/)
})
