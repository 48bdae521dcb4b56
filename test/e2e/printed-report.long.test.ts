// A saved report and any history as pages to hand over: complete on every sheet, with the numbers of the screen.
import type { Page } from 'playwright-core'
import t from 'tap'
import type { ReportData } from '#shared/answers/report-data.ts'
import { historyOf } from '#test/sandbox/simulation/histories.ts'
import { browserTest } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, historyPath, NORTHWIND, pointOf } from '../support/browser/data-screens.ts'
import { cutWords, print, printedTools, SHEETS } from '../support/browser/paper.ts'
import { optionalProgram } from '../support/machine.ts'

const OCTOBER = { fromMs: Date.parse('2026-10-01T00:00+02:00'), toMs: Date.parse('2026-11-01T00:00+01:00') }
const POINTS = [
  'Supply Air Temp',
  'Supply Air Temp Setpoint',
  'Return Air Temp',
  'Mixed Air Temp',
  'Return Air Humidity',
  'Supply Fan Speed',
  'Heating Valve',
  'Supply Fan Command',
  'Filter Dirty',
  'Operating Mode'
]

if (optionalProgram(t, 'pdftotext')) {
  const { portal, open } = await browserTest(t)
  const device = deviceOf(portal, 'airHandler')

  function addReport(selectedDateFilter: string): string {
    const { state } = portal.sandbox
    const id = state.nextId('r')
    const selectedPoints = POINTS.map((name) => ({
      device: device.deviceUuid,
      point: pointOf(device, name).cloudId
    }))
    state.reports.add({
      id,
      reportName: 'Monthly climate',
      customerId: device.customerId,
      reportDetails: { selectedDateFilter, selectedPoints },
      startTime: null,
      endTime: null,
      createdBy: 'Paula Andersson',
      createdDate: '2026-10-01T00:00:00.000Z',
      lastModifiedDate: '2026-10-01T00:00:00.000Z'
    })
    return `${NORTHWIND}/devicedetails/history?reportId=${id}`
  }

  portal.sandbox.state.addedAlarms.push({
    uuid: `${device.deviceUuid.slice(0, 24)}000000000042`,
    device,
    definition: {
      source: 'Supply Air Temp',
      state: 'offnormal',
      alarmClass: 'HVAC',
      priority: 90,
      message: 'Supply air is too warm'
    },
    startMs: Date.parse('2026-10-14T05:31+02:00'),
    endMs: Date.parse('2026-10-14T07:02+02:00'),
    acknowledgedMs: null,
    seed: 1
  })

  const october = '&from=2026-09-30T22:00Z&to=2026-10-31T23:00Z&zone=Europe/Berlin'
  const whenReady = (page: Page) => page.locator('.paper[aria-busy="false"]').waitFor()

  t.test('prints a report of ten points and a month whole on every paper', async (t) => {
    const { page } = await open('partner.admin', `${addReport('Last Month')}${october}&view=paper&compare=1`)
    await whenReady(page)
    await calm(page)
    for (const sheet of SHEETS) {
      const pages = await print(page, sheet)
      const text = pages.map((one) => one.text).join(' ')
      for (const words of [
        'Monthly climate',
        'Northwind Hospitals',
        'Meridian Building Controls',
        /Printed .* by Paula Andersson/,
        'Period 01-Oct-2026 00:00 to 01-Nov-2026 00:00',
        'Europe/Berlin, CEST (UTC+2), CET (UTC+1)',
        'Compared with 01-Sep-2026 00:00 to 01-Oct-2026 00:00',
        device.deviceName,
        ...POINTS,
        'Min Max Average Before Change Last Records',
        'Time in state',
        'Supply air is too warm',
        /records? with a fault status/,
        /No records for 1 h 30 min, 04-Oct-2026 17:30/,
        'reportId=',
        `Page ${pages.length} of ${pages.length}`
      ])
        t.match(text, words, `${sheet.format} ${sheet.landscape}`)
      for (const tool of ['Compare with Nothing', 'Share', 'Skip to content']) t.notMatch(text, tool)
      t.strictSame(cutWords(pages), [])
      t.strictSame(headingsAtEnd(pages.map((one) => one.text)), [])
    }
    await page.emulateMedia({ media: 'print' })
    t.strictSame(await page.evaluate(printedTools), [])
    t.equal(await page.locator('.paper button:visible, .paper select:visible').count(), 0)
  })

  /** The charts and sections that a page's end separates from what they name. */
  const headingsAtEnd = (pages: readonly string[]) =>
    pages.filter((text) => /(Summary|Alarms in this period|Notes)( Page \d+ of \d+)?$/.test(text.trim()))

  /** The cells of each point in a table, by the point's name. */
  const cellsOf = async (page: Page, table: string) =>
    page.locator(table).evaluateAll((tables, names) => {
      const rows = tables.flatMap((one) => Array.from(one.querySelectorAll('tbody tr')))
      const texts = (row: Element) =>
        Array.from(row.querySelectorAll('th, td'), (cell) =>
          (cell as HTMLElement).innerText.replace(/\s+/g, ' ')
        )
      return Object.fromEntries(
        names.flatMap((name) => {
          const own = rows.map(texts).find(([head]) => head?.replace(/^\d+ /, '').startsWith(name))
          return own ? [[name, own.slice(1)]] : []
        })
      )
    }, POINTS)

  for (const [name, from, to] of [
    ['the end of summer time', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['the beginning of summer time', '2026-03-28T23:00Z', '2026-03-29T22:00Z']
  ] as const)
    t.test(`has the numbers of the screen and of the records at ${name}`, async (t) => {
      const names = ['Supply Air Temp', 'Supply Air Temp Setpoint', 'Supply Fan Command']
      const path = historyPath(device, names, `&from=${from}&to=${to}&zone=Europe/Berlin`)
      const { page } = await open('customer.user', path)
      await page.locator('.legend table').nth(1).waitFor()
      await calm(page)
      const shown = await cellsOf(page, '.legend table')
      await page.getByRole('link', { name: 'Print' }).click()
      await whenReady(page)
      const printed = await cellsOf(page, '.paper table')
      const stateOf = (text = '') => text.replace(/,? (?=(Off|On) )/g, ' ').replace(/ \d+ starts?$/, '')
      for (const point of names) {
        const [onScreen, onPaper] = [shown[point] ?? [], printed[point] ?? []]
        if (point === 'Supply Fan Command') t.equal(onPaper[0], stateOf(onScreen[1]), point)
        else {
          // The screen has the unit, the last value, extremes with their times without the year, and the average.
          const [, last, min, max, average] = onScreen
          const withoutYear = (text = '') => text.replace(/-\d{4} /, ' ').replace(/ \d\d-\w{3} /, ' ')
          t.strictSame(
            [onPaper[0], onPaper[1]].map(withoutYear),
            [min, max].map((text = '') => text.replace(/ \d\d-\w{3} /, ' ')),
            `extremes of ${point}`
          )
          t.equal(`${onPaper[2]} of ${onPaper[4]}`, average, point)
          t.equal(onPaper[3], last, point)
        }
      }
      const records = historyOf(
        portal.sandbox.state.pointWrites,
        pointOf(device, 'Supply Air Temp'),
        Date.parse(from),
        Date.parse(to)
      ).filter(({ status }) => status === undefined)
      const values = records.map(({ value }) => Number(value))
      const [min, max, average, , count] = printed['Supply Air Temp'] ?? []
      t.equal(Number(count), values.length)
      t.equal(Number.parseFloat(min ?? ''), Math.min(...values))
      t.equal(Number.parseFloat(max ?? ''), Math.max(...values))
      t.ok(
        Math.abs(Number(average) - values.reduce((sum, value) => sum + value, 0) / values.length) <= 0.0501
      )
    })

  t.test('services get the numbers of the printed report', async (t) => {
    const { page } = await open('partner.admin', `${addReport('Last Month')}${october}&view=paper&compare=1`)
    await whenReady(page)
    const printed = await cellsOf(page, '.paper table')
    const reportId = new URL(page.url()).searchParams.get('reportId')
    const { points, summary } = await page.evaluate(async (path) => {
      const answer = await fetch(path, { headers: { accept: 'application/json', 'x-portal-csrf': '1' } })
      return (await answer.json()) as Required<ReportData>
    }, `/api/portal/v1/customers/${device.customerId}/reports/${reportId}/data?interval=summary&compare=before&timeZone=Europe/Berlin&from=2026-10-01&to=2026-11-01`)
    for (const [index, { pointName, kind }] of points.entries()) {
      const { average, change, records, before, states, changes } = summary[index] ?? {}
      const cells = printed[pointName] ?? []
      if (kind !== 'Numeric') {
        const [longest] = (states ?? []).toSorted((a, b) => b.seconds - a.seconds)
        t.match(cells[0], `${longest?.text} `, pointName)
        t.match(cells[0], `(${Math.round(100 * (longest?.share ?? 0))} %)`)
        t.equal(Number.parseInt(cells[3] ?? '', 10), changes)
        continue
      }
      const [, , averageText = '', beforeText = '', changeText = '', , recordsText = ''] = cells
      const isShown = (text: string, value: number | null | undefined) => {
        const digits = text.split('.')[1]?.length ?? 0
        return (
          Math.abs(Number(text.replace('−', '-').replace('±', '')) - Number(value)) <= 0.501 / 10 ** digits
        )
      }
      t.ok(isShown(averageText, average), `${pointName}: ${averageText}, ${average}`)
      t.ok(isShown(changeText, change), `${pointName}: ${changeText}, ${change}`)
      t.ok(isShown(beforeText.split(' of ')[0] ?? '', before?.average), `${pointName} before`)
      t.equal(recordsText, records?.toLocaleString('en'))
      t.match(beforeText, `of ${before?.records.toLocaleString('en')}`)
    }
  })

  t.test('says where the period before has no records, and has no change then', async (t) => {
    const path = historyPath(device, ['Supply Air Temp'], `${october}&view=paper&compare=year`)
    const { page } = await open('customer.user', NORTHWIND)
    await page.route('**/api/v1/egress/telemetry', (route) => {
      const { pointIds, startTime } = route.request().postDataJSON()
      if (Date.parse(startTime) >= OCTOBER.fromMs - 86_400_000) return route.continue()
      return route.fulfill({
        json: { systemGuid: device.systemGuid, pointDetails: [{ pointId: pointIds[0], historyRecords: [] }] }
      })
    })
    await page.goto(new URL(path, page.url()).href)
    await whenReady(page)
    const { 'Supply Air Temp': cells = [] } = await cellsOf(page, '.paper table')
    t.strictSame(cells.slice(3, 5), ['– of 0', '–'])
    t.match(await page.locator('.paper').innerText(), 'Period before: No records.')
  })

  t.test('last month stays last month in the address that is printed and shared', async (t) => {
    const { page } = await open('partner.admin', `${addReport('Last Month')}&view=paper&compare=1`)
    await whenReady(page)
    const periodOf = () => page.locator('.paper-facts').innerText()
    const period = await periodOf()
    const address = await page.locator('.paper-address').innerText()
    t.match(address, /reportId=.*from=.*to=.*zone=/)
    t.notMatch(address, /points=|range=/)
    await page.goto(address)
    await page.clock.setSystemTime(Date.now() + 70 * 86_400_000)
    await page.reload()
    await whenReady(page)
    t.equal(await periodOf(), period)
    await page.getByRole('link', { name: 'History' }).click()
    await page.locator('.legend table').first().waitFor()
    t.match(page.url(), /from=.*to=/)
  })

  t.test('prints a report from the list of reports, compared with the period before', async (t) => {
    addReport('Last Month')
    const { page } = await open('partner.admin', '/reports?q=Monthly')
    await page.getByRole('button', { name: 'Actions for Monthly climate' }).first().click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await whenReady(page)
    t.match(await page.locator('.paper-facts').innerText(), 'Compared with')
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-was-printed', '')
    })
    await page.getByRole('button', { name: 'Print' }).click()
    t.equal(await page.locator('html[data-was-printed]').count(), 1)
  })
}
