import type { Page } from 'playwright-core'
import t from 'tap'
import { ALARMS_OF } from '#test/sandbox/simulation/alarm-definitions.ts'
import { startPortal } from '#test/support/portal.ts'
import { startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import {
  deviceOf,
  devicePath,
  historyPath,
  NORTHWIND,
  personsOf,
  pointOf
} from '../support/browser/data-screens.ts'
import { contentOf } from '../support/browser/downloads.ts'
import { goTo } from '../support/browser/walk.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const device = deviceOf(portal, 'airHandler')
const THREE = ['Supply Air Temp', 'Return Air Temp', 'Supply Fan Command']
const ONE_CHART = '1 point in °C'
const TWO_CHARTS = ['2 points in °C', 'Supply Fan Command']

const open = personsOf(browser, portal)

/** Charts of these names can be operated, and nothing is on its way any more: points come one by one. */
async function charted(page: Page, ...names: string[]) {
  for (const name of names)
    await page
      .getByRole('figure', { name: `Chart of ${name}, ` })
      .locator('.u-over')
      .waitFor()
  await calm(page)
}
const summaryOf = (page: Page) => page.getByRole('table', { name: /^Summary/ }).innerText()

/** The address is there before a worker has drawn the chart by it, and what is done with the chart goes by what is drawn. */
async function zoomedBy(page: Page, act: () => Promise<unknown>) {
  const drawn = () =>
    page
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const before = await drawn()
  await act()
  await page.waitForURL(/zoom=\d+_\d+/)
  await eventually(async () => (await drawn()) !== before)
}

const SAMPLE_MS = 900_000

/** Records as of a device that has never been away: of the sample devices each is, for hours, on some day or other. */
const withoutGaps = (page: Page) =>
  page.route('**/api/v1/egress/telemetry', (route) => {
    const { pointIds, startTime, endTime } = route.request().postDataJSON()
    const first = Math.ceil(Date.parse(startTime) / SAMPLE_MS)
    const count = Math.ceil(Date.parse(endTime) / SAMPLE_MS) - first
    const historyRecords = Array.from({ length: count }, (_, index) => ({
      timestamp: new Date((first + index) * SAMPLE_MS).toISOString(),
      value: 20 + ((first + index) % 5)
    }))
    return route.fulfill({
      json: { systemGuid: device.systemGuid, pointDetails: [{ pointId: pointIds[0], historyRecords }] }
    })
  })

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
    // A click on a row that the search moves would be one more.
    await page.waitForURL(/q=Air/)
    await calm(page)
    for (const name of ['Supply Air Temp', 'Return Air Temp', 'Exhaust Air Temp'])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
    await page.getByRole('button', { name: 'Add to chart (3/10)' }).click()
    const range = page.getByRole('combobox', { name: 'Range' })
    await range.click()
    await range.press('Escape')
    // Opening the list is one click, choosing from it another; the list itself is not part of the page.
    await range.selectOption('Last Month')
    await charted(page, '3 points in °C')
    await page.getByRole('table', { name: /^Summary/ }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByText('Link copied.').waitFor()
    const clicks = Number(await page.evaluate(() => sessionStorage.getItem('clicks'))) + 1
    t.ok(clicks <= 9, `${clicks} clicks`)
    const link = await page.evaluate(() => navigator.clipboard.readText())
    t.strictSame(errors, [])

    const other = await open('partner.user', link.replace(portal.url, ''))
    await charted(other.page, '3 points in °C')
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
  await charted(page, ONE_CHART)
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
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  await withoutGaps(page)
  await goTo(page, historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours'))
  await charted(page, ONE_CHART)
  const figure = page.getByRole('figure').first()
  await figure.focus()
  await zoomedBy(page, () => page.keyboard.press('+'))
  const zoomed = page.url()
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
  t.ok(Math.abs((to ?? 0) - (from ?? 0) - 10 * SAMPLE_MS) < 4 * SAMPLE_MS, 'about ten samples long')
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
  await charted(page, ONE_CHART)
  const box = await page.locator('.u-over').first().boundingBox()
  if (!box) throw new Error('nothing to drag over')
  const drag = async (from: number, to: number) => {
    await page.mouse.move(box.x + box.width * from, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * ((from + to) / 2), box.y + 42)
    await page.mouse.move(box.x + box.width * to, box.y + 44)
    await page.mouse.up()
  }
  await zoomedBy(page, () => drag(0.25, 0.5))
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
  await goTo(page, historyPath(device, THREE))
  await page.getByText(/^Loading 1 of 3/).waitFor()
  await page.getByRole('button', { name: 'Cancel loading Return Air Temp' }).click()
  await page.getByText('Operation is manually cancelled by user.').waitFor()
  t.equal(await page.getByText('Operation is manually cancelled by user.').count(), 1, 'one of them only')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.waitForFunction(() => document.querySelectorAll('small.chosen-problem').length === 3)
  portal.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Load again' }).first().click()
  await charted(page, ONE_CHART)
  t.equal(await page.getByText('Operation is manually cancelled by user.').count(), 2)
})

t.test('a point that fails says so by itself and is tried again; the others show', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  const { telemetryId } = pointOf(device, 'Return Air Temp')
  await page.route('**/api/v1/egress/telemetry', (route) =>
    route.request().postData()?.includes(telemetryId) ? route.fulfill({ status: 503 }) : route.fallback()
  )
  await goTo(page, historyPath(device, THREE))
  await page.getByText('Network Connectivity Failed.').waitFor()
  await charted(page, ONE_CHART)
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
    await charted(page, ONE_CHART)
    const cells = await page
      .getByRole('table', { name: /^Summary/ })
      .locator('tbody td')
      .allInnerTexts()
    t.equal(/of ([\d,]+)$/.exec(cells[4] ?? '')?.[1], samples, name)
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
  // Whoever opens the panel has it open from then on, in all tests that follow.
  const { page } = await open('partner.user', historyPath(device, names, '&range=Today'))
  await page.getByText(/The address names 11 points/).waitFor()
  await page.getByRole('button', { name: 'Points (10/10)' }).click()
  await page.getByRole('heading', { name: 'Selected (10/10)' }).waitFor()
  const box = page.getByRole('checkbox', { name: /^Battery Voltage/ })
  await box.waitFor()
  t.equal(await box.getAttribute('aria-disabled'), 'true')
  t.match(await page.locator('label', { has: box }).innerText(), /10 points at most/)
})

t.test('pickers, table and file tell the time in the zone that is chosen', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  await withoutGaps(page)
  await goTo(page, historyPath(device, ['Supply Air Temp'], '&range=Yesterday&tab=data&zone=Asia%2FKolkata'))
  await charted(page, ONE_CHART)
  const field = page.getByRole('textbox', { name: 'From' })
  t.match(await field.inputValue(), /^\d\d-\w{3}-\d{4} 00:00$/)
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
  const shown = await page
    .getByRole('navigation', { name: 'Pages of data' })
    .getByText(/^1–50 of \d+$/)
    .innerText()
  t.equal(String(lines.length), /of (\d+)/.exec(shown)?.[1], 'as many rows as the table')
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('UTC')
  await page.getByRole('option', { name: /^UTC/ }).first().click()
  await page.waitForFunction(() => !location.search.includes('zone='))
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
  await charted(page, ONE_CHART)
  t.match(await first.innerText(), / 00:00$/, 'yesterday begins with that zone')
  const begin = await field.inputValue()
  await field.fill('yesterday')
  await field.press('Enter')
  await page.getByText('Enter a day and time, as in 01-Jun-2026 14:05.').waitFor()
  t.equal(await field.inputValue(), 'yesterday')
  await field.fill(begin.replace('00:00', '6:30'))
  await field.press('Enter')
  await page.waitForURL(/from=/)
  t.equal(await field.inputValue(), begin.replace('00:00', '06:30'))
})

t.test('a picture is what is drawn, wide enough for paper on a phone as well', async (t) => {
  const { page } = await open('customer.user', historyPath(device, THREE, '&range=Yesterday'), { width: 390 })
  await charted(page, ...TWO_CHARTS)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /^Picture/ }).click()
  const file = await contentOf(await download)
  t.equal(file.subarray(1, 4).toString(), 'PNG')
  t.ok(file.length > 10_000)
  // The header of a PNG: its width is the first of its facts.
  t.ok(file.readUInt32BE(16) >= 1600, `${file.readUInt32BE(16)} pixels wide`)
  await page.locator('.picture-place').waitFor({ state: 'detached' })
})

t.test('another range clears what was loaded, and a hidden point stays in the list', async (t) => {
  const { page } = await open('customer.user', historyPath(device, THREE, '&range=Yesterday'))
  await charted(page, ...TWO_CHARTS)
  await page.getByRole('button', { name: 'Show Supply Fan Command' }).click()
  await page.getByRole('figure', { name: /Supply Fan Command/ }).waitFor({ state: 'detached' })
  t.match(page.url(), /hidden=3/)
  portal.sandbox.faults.set('egress', 'timeout')
  await page.getByRole('combobox', { name: 'Range' }).selectOption('Last 7 Days')
  await page.getByRole('figure').first().waitFor({ state: 'detached' })
  t.equal(await page.getByRole('table').count(), 0)
  portal.sandbox.faults.clear()
})

/** To a share of the width of the first chart. */
async function pointAt(page: Page, share: number) {
  const box = await page.locator('.u-over').first().boundingBox()
  if (!box) throw new Error('no chart to point at')
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2)
}
const tooltip = (page: Page) => page.locator('.chart-tooltip')

t.test(
  'the tooltip has every series at the cursor, the highest first; a click isolates, two reset',
  async (t) => {
    const { page, errors } = await open(
      'customer.user',
      historyPath(device, THREE, '&range=Last+24+Hours&zone=Europe%2FStockholm')
    )
    await charted(page, ...TWO_CHARTS)
    await pointAt(page, 0.5)
    t.match(await tooltip(page).locator('.tooltip-time').innerText(), /\d\d:\d\d\s+CES?T \(UTC\+\d\)$/)
    const names = () => tooltip(page).locator('th').allInnerTexts()
    t.strictSame((await names()).sort(), THREE.toSorted())
    const [first, second] = await tooltip(page).locator('.tooltip-value strong').allInnerTexts()
    t.ok(Number(first) >= Number(second), `${first} before ${second}`)
    t.equal((await names()).at(-1), 'Supply Fan Command', 'states last')
    const byMouse = await tooltip(page).textContent()
    await page.getByRole('figure', { name: /in °C/ }).focus()
    await page.keyboard.press('Home')
    await page.waitForFunction(
      (text) => document.querySelector('.chart-tooltip')?.textContent !== text,
      byMouse
    )
    await page.keyboard.press('Escape')
    await tooltip(page).waitFor({ state: 'detached' })

    const only = page
      .getByRole('table', { name: /^Summary/ })
      .getByRole('button', { name: /^2\s*Return Air Temp$/ })
    await only.click()
    await page.getByRole('figure', { name: /1 point in °C/ }).waitFor()
    t.match(page.url(), /hidden=1%2C3/)
    await only.click()
    await page.getByRole('figure', { name: /2 points in °C/ }).waitFor()

    await zoomedBy(page, () => page.getByRole('button', { name: 'Zoom in' }).click())
    await page.locator('.u-over').first().dblclick()
    await page.waitForURL((url) => !url.searchParams.has('zoom'))
    t.strictSame(errors, [])
  }
)

t.test('a state without a record in the range shows the one before it, and for how long', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  const { telemetryId } = pointOf(device, 'Supply Fan Command')
  await page.route('**/api/v1/egress/telemetry', (route) => {
    const { startTime } = route.request().postDataJSON()
    const before = Date.parse(startTime) < today - 3 * DAY
    const historyRecords = before ? [{ timestamp: at(-30), value: true }] : []
    return route.fulfill({ json: { pointDetails: [{ pointId: telemetryId, historyRecords }] } })
  })
  await goTo(page, historyPath(device, ['Supply Fan Command'], CUSTOM))
  await page.getByRole('figure', { name: /^Chart of Supply Fan Command/ }).waitFor()
  const row = page.getByRole('table', { name: 'States in view' }).locator('tbody tr')
  t.match(await row.innerText(), /On\s+On 24 h\s+0 starts/)
  t.equal(await page.getByText('No records').count(), 0)
})

t.test('a long range is averages in their band, and the earlier period is told beside it', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  await withoutGaps(page)
  const season = `&range=Custom+Range&from=${at(-90 * 24)}&to=${at(0)}&zone=UTC&compare=1`
  await goTo(page, historyPath(device, ['Supply Air Temp'], season))
  await page.getByText(/^Line: average of .+\. Band: min to max\.$/).waitFor()
  await page
    .getByRole('table', { name: /^Summary/ })
    .getByText('Previous period')
    .waitFor()
  await charted(page, ONE_CHART)
  await pointAt(page, 0.5)
  t.match(await tooltip(page).locator('small').innerText(), /^[\d.]+–[\d.]+ · [+−±]\d/)
})

t.test('an alarm is charted in its drawer, and marked in the history that it leads to', async (t) => {
  const begun = Date.now() - 6 * 3_600_000
  const definition = ALARMS_OF[device.equipment].find(({ source }) => source === 'Supply Air Temp')
  if (!definition) throw new Error('no alarm of the supply air')
  // There are hours in which the device has such an alarm of its own.
  const message = 'Above its high limit in this test'
  const alarm = {
    ...{ uuid: 'charted', device, definition: { ...definition, message }, acknowledgedMs: null, seed: 1 },
    startMs: begun,
    endMs: begun + 3_600_000
  }
  portal.sandbox.state.addedAlarms.add(alarm)
  const { page, errors } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  await withoutGaps(page)
  await goTo(page, `${NORTHWIND}/alarms?show=all&alarm=charted`)
  const drawer = page.getByRole('complementary', { name: 'Supply Air Temp' })
  await drawer.getByRole('figure', { name: /^Chart of 1 point in °C/ }).waitFor()
  await drawer.getByRole('link', { name: 'Open history' }).click()
  await page.waitForURL(/alarm=charted/)
  await charted(page, ONE_CHART)
  const told = tooltip(page).getByText(new RegExp(`${message}, raised \\d\\d:\\d\\d`))
  await pointAt(page, 0.75)
  await told.waitFor()
  await pointAt(page, 0.25)
  await told.waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

t.test('on a phone the chart is as wide as the screen, and a finger reads it', async (t) => {
  const { page } = await open('customer.user', historyPath(device, THREE, '&range=Last+24+Hours'), {
    width: 390
  })
  await charted(page, ...TWO_CHARTS)
  const card = await page.locator('.history-main').boundingBox()
  t.equal(Math.round(card?.width ?? 0), 390)
  t.ok((card?.y ?? 900) < 300, 'it comes first')
  const box = await page.locator('.u-over').first().boundingBox()
  if (!box) throw new Error('no chart to touch')
  const at = { pointerType: 'touch', pointerId: 1, clientX: box.x + 90, clientY: box.y + 40, bubbles: true }
  await page.locator('.u-over').first().dispatchEvent('pointerdown', at)
  await tooltip(page).waitFor()
  await page.getByRole('button', { name: /^Last 24 Hours/ }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Range' }).selectOption('Yesterday')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: /^Yesterday/ }).waitFor()
})

t.test('points are ticked one after the other, and keep their colours when one goes', async (t) => {
  const { page } = await open('customer.user', historyPath(device, [], '&range=Today'))
  for (const name of ['Cooling Valve', 'Exhaust Air Temp', 'Filter Dirty'])
    await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('heading', { name: 'Selected (3/10)' }).waitFor()
  await page
    .getByRole('table', { name: /^Summary/ })
    .getByRole('button', { name: 'Remove Cooling Valve' })
    .click()
  await page.waitForURL(/colors=2%2C3/)
  await page.getByRole('checkbox', { name: /^CPU Usage/ }).click()
  await page.waitForURL(/colors=2%2C3%2C1/)
  const names = page.locator('.chosen li')
  // Until a point is known, its identifier stands there.
  await names.filter({ hasText: 'CPU Usage' }).waitFor()
  t.match(await names.allInnerTexts(), [/^2\s+Exhaust/, /^3\s+Filter Dirty/, /^1\s+CPU/])
})
