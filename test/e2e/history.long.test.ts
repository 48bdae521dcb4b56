import type { Page } from 'playwright-core'
import t from 'tap'
import { chartColor } from '#client/ui/chart/chart-colors.ts'
import { EQUIPMENT_OF } from '#test/sandbox/simulation/equipment.ts'
import { browserTest, choose, says } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, historyPath, NORTHWIND, pointOf } from '../support/browser/data-screens.ts'
import { contentOf } from '../support/browser/downloads.ts'
import { goTo } from '../support/browser/walk.ts'
import { eventually } from '../support/eventually.ts'

const { portal, open } = await browserTest(t)
const device = deviceOf(portal, 'airHandler')
const POINTS = ['Supply Air Temp', 'Return Air Temp', 'Supply Fan Command']
/** 18 % of 255. */
const BAND_ALPHA = 46
const ONE_CHART = '1 point in °C'
const TWO_CHARTS = ['2 points in °C', 'Supply Fan Command']

/** Waits until the charts of these names are drawn and all points are loaded. */
async function waitForCharts(page: Page, ...names: string[]) {
  for (const name of names)
    await page
      .getByRole('figure', { name: `Chart of ${name}, ` })
      .locator('.u-over')
      .waitFor()
  await calm(page)
}

/** Zooms with `act` and waits until the chart is redrawn: a worker draws after the address changed. */
async function zoomAndWait(page: Page, act: () => Promise<unknown>) {
  const imageOf = () =>
    page
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const imageBefore = await imageOf()
  await act()
  await page.waitForURL(/zoom=\d+_\d+/)
  await eventually(async () => (await imageOf()) !== imageBefore)
}

const SAMPLE_MS = 900_000
const DAY_MS = 86_400_000

const serveWithoutGaps = (page: Page) =>
  page.route('**/api/v1/egress/telemetry', (route) => {
    const { pointIds, startTime, endTime } = route.request().postDataJSON()
    const firstSample = Math.ceil(Date.parse(startTime) / SAMPLE_MS)
    const count = Math.ceil(Date.parse(endTime) / SAMPLE_MS) - firstSample
    const historyRecords = Array.from({ length: count }, (_, index) => ({
      timestamp: new Date((firstSample + index) * SAMPLE_MS).toISOString(),
      value: 20 + ((firstSample + index) % 5)
    }))
    return route.fulfill({
      json: { systemGuid: device.systemGuid, pointDetails: [{ pointId: pointIds[0], historyRecords }] }
    })
  })

const cursorReadout = (page: Page) => page.locator('.chart-cursor').first()

t.test('arrow keys reach every value of a chart, and the table has the same values', async (t) => {
  const { page } = await open(
    'customer.user',
    historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours&live=0')
  )
  await waitForCharts(page, ONE_CHART)
  await page.getByRole('figure', { name: /^Chart of 1 point in °C/ }).focus()
  await page.keyboard.press('Home')
  const announcements: string[] = []
  for (let steps = 0; steps < 200; steps++) {
    const text = (await cursorReadout(page).textContent()) ?? ''
    if (text === announcements.at(-1)) break
    announcements.push(text)
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
    const nextButton = page
      .getByRole('navigation', { name: 'Pages of data' })
      .getByRole('button', { name: 'Next page' })
    if ((await nextButton.count()) === 0 || (await nextButton.getAttribute('aria-disabled')) === 'true') break
    const firstRow = await cells.first().innerText()
    await nextButton.click()
    await page.waitForFunction(
      (text) => document.querySelector('tbody tr')?.textContent !== text,
      firstRow.replace('\t', '')
    )
  }
  t.ok(announcements.length > 60, `${announcements.length} samples`)
  t.strictSame(announcements, rows)
  await page.getByRole('figure').focus()
  await page.keyboard.press('End')
  const lastAnnouncement = (await cursorReadout(page).textContent()) ?? ''
  await page.getByRole('status').filter({ hasText: lastAnnouncement }).waitFor()
})

t.test('keys zoom, move, select a range, show all and leave the chart', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  await serveWithoutGaps(page)
  await goTo(page, historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours'))
  await waitForCharts(page, ONE_CHART)
  const figure = page.getByRole('figure').first()
  await figure.focus()
  await zoomAndWait(page, () => page.keyboard.press('+'))
  const zoomedUrl = page.url()
  await page.keyboard.press('PageUp')
  await page.waitForURL((url) => url.href !== zoomedUrl && url.searchParams.has('zoom'))
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

/** Answers with a record each quarter of an hour, with the value of `valueAt`, or each day for the points in `daily`. */
const serveValues = (page: Page, valueAt: (ms: number) => number, daily: readonly string[] = []) =>
  page.route('**/api/v1/egress/telemetry', (route) => {
    const { pointIds, startTime, endTime } = route.request().postDataJSON()
    const pointDetails = pointIds.map((pointId: string) => {
      const stepMs = daily.includes(pointId) ? DAY_MS : SAMPLE_MS
      const firstMs = Math.ceil(Date.parse(startTime) / stepMs) * stepMs
      const count = Math.ceil((Date.parse(endTime) - firstMs) / stepMs)
      const timeAt = (at: number) => firstMs + at * stepMs
      const historyRecords = Array.from({ length: Math.max(count, 0) }, (_, at) => ({
        timestamp: new Date(timeAt(at)).toISOString(),
        value: valueAt(timeAt(at))
      }))
      return { pointId, historyRecords }
    })
    return route.fulfill({ json: { systemGuid: device.systemGuid, pointDetails } })
  })

t.test('a drag zooms, a drag with Shift moves, and a double click shows all', async (t) => {
  const { page } = await open(
    'customer.user',
    historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours')
  )
  await waitForCharts(page, ONE_CHART)
  const box = await page.locator('.u-over').first().boundingBox()
  if (!box) throw new Error('no chart to drag over')
  const drag = async (from: number, to: number) => {
    await page.mouse.move(box.x + box.width * from, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * ((from + to) / 2), box.y + 42)
    await page.mouse.move(box.x + box.width * to, box.y + 44)
    await page.mouse.up()
  }
  await zoomAndWait(page, () => drag(0.25, 0.5))
  const zoomOf = () => (new URL(page.url()).searchParams.get('zoom') ?? '').split('_').map(Number)
  const [from = 0, to = 0] = zoomOf()
  t.ok(Math.abs((to - from) / 86_400_000 - 0.25) < 0.02, 'zooms to a quarter of the day')
  await page.keyboard.down('Shift')
  await drag(0.8, 0.3)
  await page.keyboard.up('Shift')
  await page.waitForFunction((before) => !location.search.includes(`zoom=${before}`), from)
  const [movedFrom = 0, movedTo = 0] = zoomOf()
  t.ok(Math.abs(movedTo - movedFrom - (to - from)) < 5_000, 'the range is as long as before')
  t.ok(movedFrom > from)
  await page.locator('.u-over').first().dblclick()
  await page.waitForURL((url) => !url.searchParams.has('zoom'))
})

t.test('a picture of the chart is wide enough for paper, on a phone too', async (t) => {
  const { page } = await open('customer.user', historyPath(device, POINTS, '&range=Yesterday'), {
    width: 390
  })
  await waitForCharts(page, ...TWO_CHARTS)
  const download = page.waitForEvent('download')
  await choose(page, 'Export', /^Picture/)
  const file = await contentOf(await download)
  t.equal(file.subarray(1, 4).toString(), 'PNG')
  t.ok(file.length > 10_000)
  // The PNG header has the width at byte 16.
  t.ok(file.readUInt32BE(16) >= 1600, `${file.readUInt32BE(16)} pixels wide`)
  await page.locator('.picture-place').waitFor({ state: 'detached' })
})

t.test('charts and pictures whose code is missing, as after a new version, say so on the page', async (t) => {
  const { page } = await open('customer.user', '/')
  await page.route('**/drawing-worker-*', (route) => route.fulfill({ status: 404 }))
  await page.goto(historyPath(device, POINTS, '&range=Yesterday'))
  const failure = page.getByRole('alert').filter({ hasText: 'The chart could not be drawn.' })
  await failure.waitFor()
  await page.unroute('**/drawing-worker-*')
  await failure.getByRole('button', { name: 'Retry' }).click()
  await waitForCharts(page, ...TWO_CHARTS)
  t.equal(await failure.count(), 0)

  await page.route('**/chart-picture-*', (route) => route.fulfill({ status: 404 }))
  await says(page, 'The file could not be created.', () => choose(page, 'Export', /^Picture/))
  await waitForCharts(page, ...TWO_CHARTS)
})

async function pointAt(page: Page, share: number) {
  // A chart that is drawn again has no box for a moment.
  const box = await eventually(() => page.locator('.u-over').first().boundingBox())
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2)
}
const tooltip = (page: Page) => page.locator('.chart-tooltip')

t.test(
  'the tooltip names every series at the cursor; a click isolates a series, a second click shows all',
  async (t) => {
    const { page, errors } = await open(
      'customer.user',
      historyPath(device, POINTS, '&range=Last+24+Hours&zone=Europe%2FStockholm')
    )
    await waitForCharts(page, ...TWO_CHARTS)
    await pointAt(page, 0.5)
    t.match(await tooltip(page).locator('.tooltip-time').innerText(), /\d\d:\d\d\s+CES?T \(UTC\+\d\)$/)
    const names = () => tooltip(page).locator('th').allInnerTexts()
    t.strictSame((await names()).sort(), POINTS.toSorted())
    const [first, second] = await tooltip(page).locator('.tooltip-value strong').allInnerTexts()
    t.ok(Number(first) >= Number(second), `${first} before ${second}`)
    t.equal((await names()).at(-1), 'Supply Fan Command', 'lists points with states last')
    const isolateButton = page
      .getByRole('table', { name: /^Summary/ })
      .getByRole('button', { name: /^2\s*Return Air Temp$/ })
    await isolateButton.click()
    await page.getByRole('figure', { name: /1 point in °C/ }).waitFor()
    t.match(page.url(), /hidden=1%2C3/)
    await isolateButton.click()
    await page.getByRole('figure', { name: /2 points in °C/ }).waitFor()
    t.strictSame(errors, [])
  }
)

t.test('panels show their values at one cursor; Ctrl adds a line; an axis is set by hand', async (t) => {
  const names = [
    'Supply Air Temp',
    'Return Air Temp',
    'Supply Static Pressure',
    'Heating Valve',
    'Operating Mode'
  ]
  const { page, errors } = await open('customer.user', historyPath(device, names, '&range=Last+24+Hours'))
  await waitForCharts(page, '3 points in °C and Pa', '1 point in %', 'Operating Mode')
  const panel = (name: string) => page.locator('.chart-panel', { hasText: name })
  await pointAt(page, 0.5)
  const row = tooltip(page).locator('tr', { hasText: 'Heating Valve' })
  const tooltipValue = await row.locator('.tooltip-value strong').innerText()
  t.match(tooltipValue, /^\d+\.\d$/)
  t.equal(await panel('Heating Valve').locator('.legend-name strong').innerText(), tooltipValue)
  const lines = await page
    .locator('.u-cursor-x')
    .evaluateAll((elements) => elements.map(({ style }) => style.transform))
  t.equal(new Set(lines).size, 1, 'the cursor is at the same place in all panels')
  const legend = panel('Operating Mode').getByRole('list', { name: 'States of Operating Mode' })
  const shares = (await legend.locator('small').allInnerTexts()).map((text) =>
    Number.parseInt(text.replace('<', ''), 10)
  )
  t.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) <= shares.length)
  await legend.getByRole('button').first().click()
  t.equal(await legend.getByRole('button').first().getAttribute('aria-pressed'), 'true')

  const seriesButton = (name: string) => page.locator('.panel-head').getByRole('button', { name })
  await seriesButton('Supply Air Temp').click()
  await page.waitForURL(/hidden=2%2C3%2C4%2C5/)
  await seriesButton('Return Air Temp').click({ modifiers: ['Control'] })
  await page.waitForURL(/hidden=3%2C4%2C5/)
  await waitForCharts(page, '2 points in °C')

  const imageBefore = await page.locator('canvas').first().screenshot()
  await page.getByRole('button', { name: 'Axis of °C' }).click()
  await page.getByLabel('From (°C)').fill('0')
  await page.getByLabel('To (°C)').fill('50')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/axes=/)
  await eventually(async () => !imageBefore.equals(await page.locator('canvas').first().screenshot()))
  t.match(page.url(), /axes=%C2%B0C%7E0%7E50/, 'the unit is encoded once')
  await page.getByText('Logarithmic').click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('A logarithmic axis needs values above 0.').waitFor()
  await page.getByLabel('From (°C)').fill('1')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/%7Elog/)
  t.strictSame(errors, [])
})

t.test('after a zoom the tooltip and all legends show the time that is now under the pointer', async (t) => {
  const { page } = await open('customer.user', historyPath(device, POINTS, '&range=Last+24+Hours&zone=UTC'))
  await waitForCharts(page, ...TWO_CHARTS)
  const box = await page.locator('.u-over').first().boundingBox()
  if (!box) throw new Error('no chart to drag over')
  const xAt = (share: number) => box.x + box.width * share
  await page.mouse.move(xAt(0.1), box.y + 40)
  await page.mouse.down()
  await page.mouse.move(xAt(0.2), box.y + 42)
  await page.mouse.move(xAt(0.3), box.y + 44)
  await zoomAndWait(page, () => page.mouse.up())
  const [from = 0, to = 0] = (new URL(page.url()).searchParams.get('zoom') ?? '').split('_').map(Number)
  const expectedMs = from + 0.3 * (to - from)
  await eventually(async () => {
    const text = await tooltip(page).locator('.tooltip-time strong').innerText()
    return Math.abs(Date.parse(`${text} UTC`) - expectedMs) <= SAMPLE_MS
  })
  const values = await tooltip(page).locator('.tooltip-value strong').allInnerTexts()
  const legendValues = await page.locator('.panel-head .legend-name strong').allInnerTexts()
  t.same(legendValues.toSorted(), values.toSorted())
})

t.test('hiding a line moves no name, also of another unit', async (t) => {
  const { page } = await open('customer.user', historyPath(device, POINTS, '&range=Last+24+Hours'))
  await waitForCharts(page, ...TWO_CHARTS)
  const names = () => page.locator('.panel-head .legend-name > span:nth-child(2)').allInnerTexts()
  t.same(await names(), POINTS)
  const second = page.locator('.panel-head').getByRole('button', { name: 'Return Air Temp' })
  const before = await second.boundingBox()
  await second.click()
  await page.waitForURL(/hidden=1%2C3/)
  await waitForCharts(page, ONE_CHART)
  t.same(await names(), POINTS)
  t.equal(await page.locator('.panel-head .legend-name[data-hidden]').count(), 2)
  const after = await second.boundingBox()
  t.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 1e9)) < 2, 'the name stays at its height')
})

t.test('each point has a chart of its own, with one cursor and one time axis', async (t) => {
  const { page } = await open('customer.user', historyPath(device, POINTS, '&range=Last+24+Hours'))
  await waitForCharts(page, ...TWO_CHARTS)
  await page.getByRole('button', { name: 'One chart for each point' }).click()
  await waitForCharts(page, ...POINTS)
  t.match(page.url(), /separate=1/)
  await pointAt(page, 0.5)
  t.equal(await tooltip(page).locator('th').count(), 3)
  const cursors = await page
    .locator('.u-cursor-x')
    .evaluateAll((elements) => elements.map(({ style }) => style.transform))
  t.equal(new Set(cursors).size, 1)
})

/**
 * Heights of the rows of the first chart in which at least `share` of the pixels have this colour: 0 at the top of the plot,
 * 1 at its bottom.
 */
const heightsOfColor = (page: Page, color: string, { alpha = 255, share = 0.3 } = {}) =>
  page.evaluate(
    ({ color, alpha, share }) => {
      const plot = document.querySelector<HTMLElement>('.u-over')
      const context = document.querySelector('canvas')?.getContext('2d')
      const sample = document.createElement('canvas').getContext('2d')
      if (!plot || !context || !sample) throw new Error('no chart')
      sample.fillStyle = color
      sample.fillRect(0, 0, 1, 1)
      const wanted = sample.getImageData(0, 0, 1, 1).data
      const { offsetLeft, offsetTop, clientWidth, clientHeight } = plot
      const hasColor = (pixel: Uint8ClampedArray) =>
        pixel[3] === alpha &&
        [0, 1, 2].every((part) => Math.abs((pixel[part] ?? 0) - (wanted[part] ?? 0)) <= 3)
      const heights: number[] = []
      for (let row = 0; row < clientHeight; row++) {
        const { data } = context.getImageData(offsetLeft, offsetTop + row, clientWidth, 1)
        let count = 0
        for (let at = 0; at < data.length; at += 4) if (hasColor(data.subarray(at, at + 4))) count += 1
        if (count >= share * clientWidth) heights.push((row + 0.5) / clientHeight)
      }
      return heights
    },
    { color, alpha, share }
  )

const axisFrom0To = (max: number) => `&axes=${encodeURIComponent(`°C~0~${max}`)}`

t.test('an alarm limit is drawn at its value', async (t) => {
  const definition = EQUIPMENT_OF[device.equipment].alarms.find(({ source }) => source === 'Supply Air Temp')
  if (!definition?.limit) throw new Error('no limit of the supply air')
  const startMs = Date.now() - 3_600_000
  portal.sandbox.state.addedAlarms.push({
    ...{ uuid: 'limited', device, definition, acknowledgedMs: null, seed: 1 },
    ...{ startMs, endMs: startMs + 60_000 }
  })
  const query = `&range=Last+24+Hours&live=0${axisFrom0To(2 * definition.limit.value)}`
  const { page } = await open('customer.user', historyPath(device, ['Supply Air Temp'], query))
  await waitForCharts(page, ONE_CHART)
  const danger = await page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--danger').trim()
  )
  await eventually(async () => (await heightsOfColor(page, danger)).length > 0)
  const heights = await heightsOfColor(page, danger)
  t.equal(heights.length, 1, 'one line')
  t.ok(Math.abs((heights[0] ?? 0) - 0.5) < 0.01, `at half of the axis: ${heights[0]}`)
})

t.test('averages have a band from the lowest to the highest value, and a note at their chart', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  const dailyPoint = pointOf(device, 'Heating Valve').telemetryId
  await serveValues(page, (ms) => 20 + ((ms / SAMPLE_MS) % 5), [dailyPoint])
  const names = ['Supply Air Temp', 'Heating Valve']
  const toMs = Date.parse('2026-01-01T00:00Z')
  const year = `&from=${toMs - 365 * DAY_MS}&to=${toMs}&zone=UTC&separate=1${axisFrom0To(40)}`
  await goTo(page, historyPath(device, names, year))
  await waitForCharts(page, ...names)
  const heights = await heightsOfColor(page, chartColor(0, 'light'), { alpha: BAND_ALPHA, share: 0.5 })
  t.ok(Math.abs(Math.min(...heights) - 16 / 40) < 0.01, `begins at 24 °C: ${Math.min(...heights)}`)
  t.ok(Math.abs(Math.max(...heights) - 20 / 40) < 0.01, `ends at 20 °C: ${Math.max(...heights)}`)
  await pointAt(page, 0.5)
  t.match(
    await tooltip(page).locator('tr', { hasText: 'Supply Air Temp' }).innerText(),
    /22\.0 °C\s+\(20\.0–24\.0\)/
  )
  const notesOf = (name: string) => page.locator('.chart-panel', { hasText: name }).locator('.chart-note')
  t.equal(await notesOf('Supply Air Temp').innerText(), 'Line: average of 24 h. Band: min to max.')
  t.equal(await notesOf('Heating Valve').count(), 0, 'one record a day is drawn as it is')
})

t.test('Compare shows the difference from the previous period at the same time', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // Yesterday is 3 degrees warmer than the day before, and both become warmer by the hour.
  await serveValues(page, (ms) => (ms < todayMs - DAY_MS ? 10 : 13) + (ms % DAY_MS) / 3_600_000)
  await goTo(page, historyPath(device, ['Supply Air Temp'], '&range=Yesterday&zone=UTC'))
  await waitForCharts(page, ONE_CHART)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.waitForURL(/compare=1/)
  await page.locator('.panel-head', { hasText: 'Supply Air Temp' }).waitFor()
  await calm(page)
  const row = tooltip(page).locator('tr', { hasText: 'Supply Air Temp' })
  for (const share of [0.25, 0.5]) {
    await pointAt(page, share)
    await eventually(async () => (await row.innerText()).includes('+3.0'))
    const value = Number(await row.locator('.tooltip-value strong').innerText())
    t.ok(Math.abs(value - (13 + 24 * share)) <= 0.3, `${value} at ${share}`)
  }
  const previousRow = page
    .getByRole('table', { name: /^Summary/ })
    .getByRole('row', { name: /Previous period/ })
  t.match(await previousRow.innerText(), /33\.8/)
})

/** Counts in `paints` how often a chart is drawn: drawing begins with clearing the canvas. */
const countPaints = (page: Page) =>
  page.evaluate(`{
    const { clearRect } = CanvasRenderingContext2D.prototype
    window.paints = 0
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      window.paints += 1
      clearRect.apply(this, box)
    }
  }`)

t.test('a live chart adds new records, says when they are late, and can be stopped', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history`, { clock: true })
  let [answers, fails, value] = [0, false, 20]
  await page.route('**/api/v1/egress/telemetry', (route) => {
    answers += 1
    if (fails) return route.fulfill({ status: 503, json: {} })
    const { pointIds, startTime, endTime } = route.request().postDataJSON()
    const [startMs, endMs] = [Date.parse(startTime), Date.parse(endTime)]
    const count = Math.floor((endMs - 1) / SAMPLE_MS) - Math.floor((startMs - 1) / SAMPLE_MS)
    const regular = Array.from({ length: count }, (_, at) => ({
      timestamp: new Date((Math.ceil(startMs / SAMPLE_MS) + at) * SAMPLE_MS).toISOString(),
      value: 20 + (at % 3)
    }))
    const newest = { timestamp: new Date(endMs - 1000).toISOString(), value }
    const historyRecords = value === 20 ? regular : [...regular, newest]
    return route.fulfill({
      json: { systemGuid: device.systemGuid, pointDetails: [{ pointId: pointIds[0], historyRecords }] }
    })
  })
  await goTo(page, historyPath(device, ['Supply Air Temp'], '&range=Last+24+Hours'))
  await waitForCharts(page, ONE_CHART)
  const legendValue = page.locator('.panel-head .legend-name strong')
  t.match(await legendValue.innerText(), /^2\d\.\d$/)
  await countPaints(page)
  value = 37
  await page.clock.runFor(11_000)
  await legendValue.filter({ hasText: '37.0' }).waitFor()
  await calm(page)
  t.equal(await page.evaluate('paints'), 1, 'new records paint the chart once')
  const live = page.locator('.live-switch')
  t.match(await live.getAttribute('title'), /Newest record \d+ s old/)
  fails = true
  await page.clock.runFor(11_000)
  await live.filter({ hasText: 'Delayed' }).waitFor()
  fails = false
  await page.clock.runFor(21_000)
  await live.filter({ hasText: 'Live' }).waitFor()
  await live.click()
  await page.waitForURL(/live=0/)
  await calm(page)
  const answersBefore = answers
  await page.clock.runFor(60_000)
  t.equal(answers, answersBefore, 'a stopped chart asks for nothing')
})

t.test('the bar of the range fits one line at 1440 pixels, and links are large enough', async (t) => {
  const { page } = await open('customer.user', historyPath(device, POINTS, '&range=Last+24+Hours'))
  await waitForCharts(page, ...TWO_CHARTS)
  const bar = page.getByRole('region', { name: 'Time range' })
  const heightOfBar = async () => (await bar.boundingBox())?.height ?? 99
  t.ok((await heightOfBar()) <= 44, `the bar is ${await heightOfBar()} pixels high`)
  await page.getByRole('button', { name: 'Previous range' }).click()
  await page.getByRole('button', { name: 'Refresh' }).waitFor()
  t.ok((await heightOfBar()) <= 44, `with an earlier range, the bar is ${await heightOfBar()} pixels high`)
  const cutEnds = await bar
    .locator('.range-ends input:not(.date-picker)')
    .evaluateAll((inputs) => inputs.filter((input) => input.scrollWidth > input.clientWidth).length)
  t.equal(cutEnds, 0, 'both ends of the range are whole')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  t.equal(await zone.inputValue(), 'UTC')
  t.equal(await zone.getAttribute('title'), 'UTC (this browser)')
  const link = await page.locator('.facts a').boundingBox()
  t.ok((link?.height ?? 0) >= 24 && (link?.width ?? 0) >= 24, `${link?.width} × ${link?.height}`)
})

const SIX_POINTS = [...POINTS, 'Heating Valve', 'Operating Mode', 'Supply Fan Speed']

t.test('a tooltip of many lines is a narrow column inside the charts, beside the cursor', async (t) => {
  const { page } = await open('customer.user', historyPath(device, SIX_POINTS, '&range=Last+7+Days'))
  await waitForCharts(page, 'Operating Mode')
  for (const share of [0.05, 0.5, 0.95]) {
    await pointAt(page, share)
    const box = await tooltip(page).boundingBox()
    const charts = await page.locator('.history-chart').boundingBox()
    if (!box || !charts) throw new Error('no tooltip')
    t.ok(box.height < 260, `${box.height} pixels high`)
    t.ok(box.width < 0.4 * charts.width, `${box.width} of ${charts.width} pixels wide`)
    const cursorX = (await page.locator('.u-cursor-x').first().boundingBox())?.x ?? 0
    t.ok(box.x > cursorX || box.x + box.width < cursorX, `beside the cursor at ${share}`)
    t.ok(box.x >= charts.x && box.x + box.width <= charts.x + charts.width + 1, `inside at ${share}`)
  }
})

t.test('a touch screen of 1024 px shows both ends of the range whole', async (t) => {
  const { page } = await open(
    'customer.user',
    historyPath(device, ['Supply Air Temp'], '&range=Last+7+Days'),
    {
      width: 1024,
      touch: true
    }
  )
  const ends = page.locator('.range-ends input:first-child')
  await ends.first().waitFor()
  t.same(await ends.evaluateAll((inputs) => inputs.map((input) => input.scrollWidth > input.clientWidth)), [
    false,
    false
  ])
})

t.test(
  'a card of a state in the summary of a phone shows its shares whole, and its details the changes',
  async (t) => {
    const { page } = await open('customer.user', historyPath(device, SIX_POINTS, '&range=Last+7+Days'), {
      width: 390,
      touch: true
    })
    const cards = page.getByRole('list', { name: 'Summary' }).locator('.row-card')
    await eventually(async () => (await cards.count()) === SIX_POINTS.length)
    const cutTexts = await cards
      .locator('.row-card-facts')
      .evaluateAll((facts) =>
        facts.flatMap((fact) => (fact.scrollWidth > fact.clientWidth ? (fact.textContent ?? '') : []))
      )
    t.strictSame(cutTexts, [])
    await page.getByRole('button', { name: 'Details of Operating Mode' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^\d+ changes?$/)
      .waitFor()
  }
)

t.test('the summary breaks no name and cuts no button, with lines and states', async (t) => {
  const { page } = await open('customer.user', historyPath(device, SIX_POINTS, '&range=Last+7+Days'))
  await waitForCharts(page, 'Operating Mode')
  const names = page.locator('.legend .legend-name > span:nth-child(2)')
  const heights = await names.evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().height)
  )
  t.equal(heights.length, SIX_POINTS.length)
  t.ok(Math.max(...heights) <= 24, `each name on one line: ${heights}`)
  const stateCells = await page
    .locator('.legend td.column-now strong')
    .evaluateAll((elements) => elements.map((element) => element.getClientRects().length))
  t.same(stateCells, [1, 1], 'the name of a present state is on one line')
  const card = await page.locator('.history-main').boundingBox()
  for (const button of await page
    .locator('.legend')
    .getByRole('button', { name: /^Remove/ })
    .all()) {
    const box = await button.boundingBox()
    t.ok((box?.x ?? 1e9) + (box?.width ?? 0) <= (card?.x ?? 0) + (card?.width ?? 0))
  }
})

t.test('a phone shows the chart first, and two whole names a line', async (t) => {
  const names = [...POINTS.slice(0, 2), 'Supply Air Temp Setpoint', 'Supply Fan Command']
  const { page } = await open('customer.user', historyPath(device, names, '&range=Last+24+Hours'), {
    width: 390,
    touch: true
  })
  await waitForCharts(page, '3 points in °C', 'Supply Fan Command')
  const plot = await page.locator('.u-over').first().boundingBox()
  const legendNames = page.locator('.panel-head .legend-name')
  const [first, second] = await Promise.all([0, 1].map((at) => legendNames.nth(at).boundingBox()))
  t.ok((plot?.y ?? 1e9) < (first?.y ?? 0), 'the chart is above its legend')
  t.equal(first?.y, second?.y)
  t.ok((first?.height ?? 0) >= 44)
  const cutNames = await legendNames
    .locator('> span:nth-child(2)')
    .evaluateAll((names) => names.filter((name) => name.scrollHeight > name.clientHeight + 1).length)
  t.equal(cutNames, 0)
  const link = await page.locator('.facts a').boundingBox()
  t.ok((link?.height ?? 0) >= 44 && (link?.width ?? 0) >= 44, `the link to the device: ${link?.height} px`)
})

t.test('a phone breaks a range over two years between its ends', async (t) => {
  const query = '&from=2025-11-28T10:00:00Z&to=2026-11-28T10:00:00Z'
  const { page } = await open('customer.user', historyPath(device, ['Supply Air Temp'], query), {
    width: 390,
    touch: true
  })
  const ends = page.locator('.range-line small > span')
  await ends.first().waitFor()
  t.same(await ends.evaluateAll((spans) => spans.map((span) => span.getClientRects().length)), [1, 1])
})

t.test('the history of an unknown device shows “Page Not Found”', async () => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails/history?deviceUuid=none`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
})

t.test('the details of an alarm chart its point, and the linked history marks the alarm', async (t) => {
  const raisedMs = Date.now() - 6 * 3_600_000
  const definition = EQUIPMENT_OF[device.equipment].alarms.find(({ source }) => source === 'Supply Air Temp')
  if (!definition) throw new Error('no alarm of the supply air')
  // The seed data may contain the same alarm.
  const message = 'Above its high limit in this test'
  const alarm = {
    ...{ uuid: 'charted', device, definition: { ...definition, message }, acknowledgedMs: null, seed: 1 },
    startMs: raisedMs,
    endMs: raisedMs + 3_600_000
  }
  portal.sandbox.state.addedAlarms.push(alarm)
  const { page, errors } = await open('customer.user', `${NORTHWIND}/devicedetails/history`)
  await serveWithoutGaps(page)
  await goTo(page, `${NORTHWIND}/alarms?show=all&alarm=charted`)
  const drawer = page.getByRole('complementary', { name: 'Supply Air Temp' })
  await drawer.getByRole('figure', { name: /^Chart of 1 point in °C/ }).waitFor()
  await drawer.getByRole('link', { name: 'Open history' }).click()
  await page.waitForURL(/alarm=charted/)
  await waitForCharts(page, ONE_CHART)
  const alarmText = tooltip(page).getByText(new RegExp(`${message}, raised \\d\\d:\\d\\d`))
  // The alarm lasted one hour; the chart adds an hour on each side.
  await pointAt(page, 0.5)
  await alarmText.waitFor()
  for (const share of [0.25, 0.75]) {
    await pointAt(page, share)
    await alarmText.waitFor({ state: 'detached' })
  }
  t.strictSame(errors, [])
})
