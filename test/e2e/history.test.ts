import type { Page } from 'playwright-core'
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { startBrowser } from './browser.ts'
import { deviceOf, devicePath, historyPath, NORTHWIND, personsOf, pointOf } from './support/data-screens.ts'
import { contentOf } from './support/downloads.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const device = deviceOf(portal, 'airHandler')
const THREE = ['Supply Air Temp', 'Return Air Temp', 'Supply Fan Command']

const open = personsOf(browser, portal)

const loaded = (page: Page) =>
  page
    .getByRole('figure', { name: /^Chart of/ })
    .first()
    .waitFor()
const summaryOf = (page: Page) => page.getByRole('table', { name: /^Summary/ }).innerText()
/** The address is there before the chart has been drawn by it. */
const drawnZoomed = (page: Page) =>
  page.getByRole('button', { name: 'Show all' }).and(page.locator(':not([aria-disabled="true"])')).waitFor()
const live = (page: Page) => page.locator('.chart-cursor').first()

/** Counts what a person does with a pointer. */
const COUNT_CLICKS = `addEventListener('pointerdown', () => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1)), true)`

t.test(
  'three points are charted for last month and shared in nine clicks; the link shows the same elsewhere',
  async (t) => {
    const { page, context, errors } = await open('customer.admin', devicePath(device))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.addInitScript(COUNT_CLICKS)
    await page.reload()
    await page.getByRole('searchbox', { name: 'Search points' }).fill('Air Temp')
    for (const name of ['Supply Air Temp', 'Return Air Temp', 'Exhaust Air Temp'])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
    await page.getByRole('button', { name: 'Add to chart (3/10)' }).click()
    const range = page.getByRole('combobox', { name: 'Range' })
    await range.click()
    await range.press('Escape')
    // Opening the list is one click, choosing from it another; the list itself is not part of the page.
    await range.selectOption('Last Month')
    await loaded(page)
    await page.getByRole('table', { name: /^Summary/ }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByText('Link copied.').waitFor()
    const clicks = Number(await page.evaluate(() => sessionStorage.getItem('clicks'))) + 1
    t.ok(clicks <= 9, `${clicks} clicks`)
    const link = await page.evaluate(() => navigator.clipboard.readText())
    t.strictSame(errors, [])

    const other = await open('partner.user', link.replace(portal.url, ''))
    await loaded(other.page)
    t.equal(await summaryOf(other.page), await summaryOf(page))
    const label = (at: Page) => at.getByRole('figure', { name: /^Chart of/ }).getAttribute('aria-label')
    t.equal(await label(other.page), await label(page))
    t.equal(await other.page.getByRole('combobox', { name: 'Range' }).inputValue(), 'Last Month')
  }
)

t.test('every value is reached by the keyboard and read out; the table has the same', async (t) => {
  const { page } = await open(
    'customer.user',
    historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours')
  )
  await loaded(page)
  await page.getByRole('figure', { name: /^Chart of 1 point in °C/ }).focus()
  await page.keyboard.press('Home')
  const heard: string[] = []
  for (let steps = 0; steps < 200; steps++) {
    const text = (await live(page).textContent()) ?? ''
    if (text === heard.at(-1)) break
    heard.push(text)
    await page.keyboard.press('ArrowRight')
  }
  await page.getByRole('tab', { name: 'Data' }).click()
  const rows: string[] = []
  for (;;) {
    const cells = page.getByRole('table', { name: /^Records/ }).locator('tbody tr')
    await cells.first().waitFor()
    for (const row of await cells.allInnerTexts()) {
      const [time, value] = row.split('\t').map((cell) => cell.trim())
      rows.push(`1 Supply Air Temp, ${time}, ${value}`)
    }
    const next = page
      .getByRole('navigation', { name: 'Pages of data' })
      .getByRole('button', { name: 'Next page' })
    if ((await next.count()) === 0 || (await next.getAttribute('aria-disabled')) === 'true') break
    const before = await cells.first().innerText()
    await next.click()
    await page.waitForFunction(
      (text) => document.querySelector('tbody tr')?.textContent !== text,
      before.replace('\t', '')
    )
  }
  t.ok(heard.length > 60, `${heard.length} samples`)
  t.strictSame(heard, rows)
  await page.getByRole('figure').focus()
  await page.keyboard.press('End')
  const said = (await live(page).textContent()) ?? ''
  await page.getByRole('status').filter({ hasText: said }).waitFor()
})

t.test('by keys alone: zoom, move, mark a range, show all, leave', async (t) => {
  const { page } = await open(
    'customer.user',
    historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours')
  )
  await loaded(page)
  const figure = page.getByRole('figure').first()
  await figure.focus()
  await page.keyboard.press('+')
  await page.waitForURL(/zoom=\d+_\d+/)
  const zoomed = page.url()
  await drawnZoomed(page)
  await page.keyboard.press('PageUp')
  await page.waitForURL((url) => url.href !== zoomed && url.searchParams.has('zoom'))
  await page.keyboard.press('0')
  await page.waitForURL((url) => !url.searchParams.has('zoom'))
  await page.keyboard.press('Home')
  await page.keyboard.press(' ')
  await page.getByText('Range begun').first().waitFor()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press(' ')
  await page.waitForURL(/zoom=\d+_\d+/)
  const [from, to] = (new URL(page.url()).searchParams.get('zoom') ?? '').split('_').map(Number)
  t.ok(Math.abs((to ?? 0) - (from ?? 0) - 10 * 900_000) < 4 * 900_000, 'about ten samples long')
  await page.keyboard.press('Escape')
  t.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.waitForURL((url) => !url.searchParams.has('zoom'))
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.waitForURL(/zoom=/)
})

t.test('a drag zooms, and a drag with Shift moves', async (t) => {
  const { page } = await open(
    'customer.user',
    historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours')
  )
  await loaded(page)
  const box = await page.locator('.u-over').first().boundingBox()
  if (!box) throw new Error('nothing to drag over')
  const drag = async (from: number, to: number) => {
    await page.mouse.move(box.x + box.width * from, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * ((from + to) / 2), box.y + 42)
    await page.mouse.move(box.x + box.width * to, box.y + 44)
    await page.mouse.up()
  }
  await drag(0.25, 0.5)
  await page.waitForURL(/zoom=/)
  await drawnZoomed(page)
  const zoomOf = () => (new URL(page.url()).searchParams.get('zoom') ?? '').split('_').map(Number)
  const [from = 0, to = 0] = zoomOf()
  t.ok(Math.abs((to - from) / 86_400_000 - 0.25) < 0.02, 'a quarter of the day')
  await page.keyboard.down('Shift')
  await drag(0.8, 0.3)
  await page.keyboard.up('Shift')
  await page.waitForFunction((before) => !location.search.includes(`zoom=${before}`), from)
  const [movedFrom = 0, movedTo = 0] = zoomOf()
  t.ok(Math.abs(movedTo - movedFrom - (to - from)) < 5_000, 'as long as before')
  t.ok(movedFrom > from)
})

t.test('loading is cancelled by the person, said so, and taken up again', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  portal.sandbox.faults.set('egress', 'timeout')
  await page.goto(historyPath(device, THREE))
  await page.getByText(/^Loading 1 of 3/).waitFor()
  await page.getByRole('button', { name: 'Cancel loading Return Air Temp' }).click()
  await page.getByText('Operation is manually cancelled by user.').waitFor()
  t.equal(await page.getByText('Operation is manually cancelled by user.').count(), 1, 'one of them only')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.waitForFunction(() => document.querySelectorAll('small.chosen-problem').length === 3)
  portal.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Load again' }).first().click()
  await loaded(page)
  t.equal(await page.getByText('Operation is manually cancelled by user.').count(), 2)
})

t.test('a point that fails says so by itself and is tried again; the others show', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  const { telemetryId } = pointOf(device, 'Return Air Temp')
  await page.route('**/api/v1/egress/telemetry', (route) =>
    route.request().postData()?.includes(telemetryId) ? route.fulfill({ status: 503 }) : route.fallback()
  )
  await page.goto(historyPath(device, THREE))
  await page.getByText('Network Connectivity Failed.').waitFor()
  await loaded(page)
  await page.unroute('**/api/v1/egress/telemetry')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('figure', { name: /2 points in °C/ }).waitFor()
  t.pass()
})

const DAY = 86_400_000
const today = Math.floor(Date.now() / DAY) * DAY
const at = (hour: number) => new Date(today - 2 * DAY + hour * 3_600_000).toISOString()
const CUSTOM = `&range=Custom+Range&from=${at(0)}&to=${at(24)}&zone=UTC`
const odd: [name: string, records: unknown[], said: RegExp | null, samples: string | null][] = [
  ['no record', [], /No records for this point in the range/, null],
  ['one record', [{ timestamp: at(3), value: 21 }], null, '1'],
  [
    'unsorted and double records',
    [
      { timestamp: at(5), value: 3 },
      { timestamp: at(1), value: 1 },
      { timestamp: at(5), value: 4 }
    ],
    /came out of order[\s\S]*1 record of a time/,
    '2'
  ],
  [
    'records that are no numbers',
    [
      { timestamp: at(1), value: 'NaN' },
      { timestamp: at(2), value: null },
      { timestamp: at(3), value: 2 }
    ],
    /2 records without a number/,
    '1'
  ],
  [
    'the largest numbers',
    [
      { timestamp: at(1), value: 1e308 },
      { timestamp: at(2), value: -1e308 },
      { timestamp: at(3), value: 1e308 }
    ],
    null,
    '3'
  ],
  [
    'records of another year',
    [{ timestamp: '2001-01-01T00:00:00Z', value: 1 }],
    /1 record outside of the range/,
    null
  ]
]

t.test('records that are odd are put right, and said', async (t) => {
  const { page, errors } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  const { telemetryId } = pointOf(device, 'Supply Air Temp')
  let records: unknown[] = []
  await page.route('**/api/v1/egress/telemetry', (route) =>
    route.fulfill({
      json: {
        systemGuid: device.systemGuid,
        pointDetails: [{ pointId: telemetryId, historyRecords: records }]
      }
    })
  )
  for (const [name, given, said, samples] of odd) {
    records = given
    await page.goto(historyPath(device, ['Supply Air Temp'], CUSTOM))
    if (said) {
      const findings = page.getByRole('list', { name: 'About the records' })
      await findings.waitFor()
      t.match(await findings.innerText(), said, name)
    }
    if (samples === null) continue
    await loaded(page)
    const cells = await page
      .getByRole('table', { name: /^Summary/ })
      .locator('tbody td')
      .allInnerTexts()
    t.equal(cells[0], samples, name)
  }
  t.strictSame(errors, [])
})

t.test('an eleventh point of an address is left out and said; no further one can be ticked', async (t) => {
  const names = [
    ...[
      'Supply Air Temp',
      'Supply Air Temp Setpoint',
      'Return Air Temp',
      'Mixed Air Temp',
      'Exhaust Air Temp'
    ],
    ...['Return Air Humidity', 'Humidity Setpoint', 'Supply Static Pressure', 'Static Pressure Setpoint'],
    ...['Supply Air Flow', 'Filter Differential Pressure']
  ]
  const { page } = await open('customer.user', historyPath(device, names, '&range=Today'))
  await page.getByText(/The address names 11 points/).waitFor()
  await page.getByRole('heading', { name: 'Selected (10/10)' }).waitFor()
  const box = page.getByRole('checkbox', { name: /^Battery Voltage/ })
  await box.waitFor()
  t.equal(await box.getAttribute('aria-disabled'), 'true')
  t.match(await page.locator('label', { has: box }).innerText(), /10 points at most/)
})

t.test('pickers, table and file tell the time in the zone that is chosen', async (t) => {
  const { page } = await open(
    'customer.user',
    historyPath(device, ['Supply Air Temp'], '&range=Yesterday&tab=data&zone=Asia%2FKolkata')
  )
  await loaded(page)
  const field = page.getByLabel('From')
  t.match(await field.inputValue(), /T00:00$/)
  const first = page
    .getByRole('table', { name: /^Records/ })
    .getByRole('rowheader')
    .first()
  t.match(await first.innerText(), / 00:00$/)
  const ends = new URL(page.url()).searchParams
  t.equal(ends.get('zone'), 'Asia/Kolkata')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /^CSV/ }).click()
  const text = (await contentOf(await download)).toString()
  const [head = '', ...lines] = text.trim().split('\r\n')
  t.match(head, /Time \(Asia\/Kolkata\),Time \(UTC\),AHU-2: Supply Air Temp \(°C\)/)
  t.match(lines[0], /^\d\d-\w{3}-\d{4} 00:00:00,\d{4}-\d\d-\d\dT18:30:00\.000Z,\d/)
  const shown = await page.getByText(/1–50 of \d+/).innerText()
  t.equal(String(lines.length), /of (\d+)/.exec(shown)?.[1], 'as many rows as the table')
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('UTC')
  await page.getByRole('option', { name: /^UTC/ }).first().click()
  await page.waitForFunction(() => !location.search.includes('zone='))
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
  t.match(await first.innerText(), / 00:00$/, 'yesterday begins with that zone')
})

t.test('a picture is what is drawn', async (t) => {
  const { page } = await open('customer.user', historyPath(device, THREE, '&range=Yesterday'))
  await loaded(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /^Picture/ }).click()
  const file = await contentOf(await download)
  t.equal(file.subarray(1, 4).toString(), 'PNG')
  t.ok(file.length > 10_000)
})

t.test('another range clears what was loaded, and a hidden point stays in the list', async (t) => {
  const { page } = await open('customer.user', historyPath(device, THREE, '&range=Yesterday'))
  await loaded(page)
  await page.getByRole('button', { name: 'Show Supply Fan Command' }).click()
  await page.getByRole('figure', { name: /Supply Fan Command/ }).waitFor({ state: 'detached' })
  t.match(page.url(), /hidden=3/)
  portal.sandbox.faults.set('egress', 'timeout')
  await page.getByRole('combobox', { name: 'Range' }).selectOption('Last 7 Days')
  await page.getByRole('figure').first().waitFor({ state: 'detached' })
  t.equal(await page.getByRole('table').count(), 0)
  portal.sandbox.faults.clear()
})
