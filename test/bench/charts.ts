// Measures the history charts in Chromium: from a choice to the painted chart, the cursor over many records, and new records.
import type { CDPSession, Page } from 'playwright-core'
import { openAs, startBrowser } from '#test/support/browser/browser.ts'
import { deviceOf, historyPath, NORTHWIND } from '#test/support/browser/data-screens.ts'
import { eventually } from '#test/support/eventually.ts'
import { startPortal } from '#test/support/portal.ts'
import { median, quantile, table } from './figures.ts'
import type { Bench, Benchmark } from './frame.ts'

const POINTS = [
  'Supply Air Temp',
  'Supply Air Temp Setpoint',
  'Return Air Temp',
  'Mixed Air Temp',
  'Exhaust Air Temp',
  'Return Air Humidity',
  'Return Air CO2',
  'Supply Static Pressure',
  'Heating Valve',
  'Cooling Valve'
]
const PRINTED_POINTS = [
  ...POINTS.filter((name) => name !== 'Return Air CO2').slice(0, 7),
  'Supply Fan Command',
  'Filter Dirty',
  'Operating Mode'
]
const LAST_MONTH = '&range=Last+Month&view=paper'
const PAPER_GOAL_MS = 2_000
const PAINT_GOAL_MS = 500
const CURSOR_GOAL_MS = 16
const APPEND_GOAL_MS = 8
const ROUNDS = 5
const CURSOR_STEPS = 200
const RECORDS = 100_000
const RECORD_MS = 60_000
const LIVE_MS = 10_000

export const charts: Benchmark = { name: 'charts', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const portal = await startPortal(bench)
  const browser = await startBrowser(bench)
  const device = deviceOf(portal, 'airHandler')
  const open = async (query: string) => {
    const { page } = await openAs(browser, portal, 'customer.user', historyPath(device, POINTS, query))
    await drawn(page)
    return page
  }

  const paints: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open('&range=Today&live=0')
    paints.push(await timeToPaint(page))
    await page.context().close()
  }

  const paper = { alone: [] as number[], compared: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    paper.alone.push(await timeToPaper(LAST_MONTH))
    paper.compared.push(await timeToPaper(`${LAST_MONTH}&compare=1`))
  }

  const longPage = await openAs(browser, portal, 'customer.user', historyPath(device, [], ''))
  await serveRecords(longPage.page, device.systemGuid)
  const toMs = Math.floor(Date.now() / RECORD_MS) * RECORD_MS
  const range = `&from=${toMs - RECORDS * RECORD_MS}&to=${toMs + 3_600_000}&live=1`
  await longPage.page.goto(historyPath(device, POINTS, range))
  await drawn(longPage.page)
  const frames = await cursorFrames(longPage.page)
  const appends = await liveAppends(longPage.page)

  /** Milliseconds from opening the address of a history on paper until it is complete. */
  async function timeToPaper(query: string): Promise<number> {
    const { page } = await openAs(browser, portal, 'customer.user', NORTHWIND)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const start = performance.now()
    await page.goto(historyPath(device, PRINTED_POINTS, query))
    await page.locator('.paper[aria-busy="false"]').waitFor()
    const ms = performance.now() - start
    await page.context().close()
    return ms
  }

  const row = (name: string, values: readonly number[], goal: string) => [
    name,
    ...[median(values), quantile(values, 0.95)].map((value) => `${value.toFixed(1)} ms`),
    goal
  ]
  const appendTasks = appends.map(({ taskMs }) => taskMs)
  const appendScripts = appends.map(({ scriptMs }) => scriptMs)
  bench.print(
    table(
      [`${POINTS.length} points`, 'median', 'p95', 'goal'],
      [
        row(`month painted after the choice, ${ROUNDS} rounds`, paints, `median ≤ ${PAINT_GOAL_MS} ms`),
        row(
          `month on paper after its address, ${ROUNDS} rounds`,
          paper.alone,
          `median ≤ ${PAPER_GOAL_MS} ms`
        ),
        row('the same, compared with the month before', paper.compared, `median ≤ ${PAPER_GOAL_MS} ms`),
        row(
          `cursor over ${RECORDS} records each: handlers and rendering`,
          frames,
          `p95 ≤ ${CURSOR_GOAL_MS} ms`
        ),
        row('main thread for a live read and its records', appendTasks, `median ≤ ${APPEND_GOAL_MS} ms`),
        row('of it script; the rest is mostly painting', appendScripts, '')
      ]
    )
  )
}

const NOT_LOADING = `document.querySelector('.history-progress')?.textContent === ''`

/** Waits until no line is loading and the charts have been painted. */
async function drawn(page: Page): Promise<void> {
  await page.locator('.u-over').first().waitFor()
  await eventually(() => page.evaluate(NOT_LOADING))
  await page.waitForTimeout(500)
}

/** Sets `paintedMs` when all lines of the newly chosen range are painted. */
const WATCH_CHOICE = `document.querySelector('.range-bar select').addEventListener('change', () => {
  const start = performance.now()
  let hasStarted = false
  const check = () => {
    const isLoading = !(${NOT_LOADING})
    hasStarted ||= isLoading
    if (hasStarted && !isLoading && document.querySelector('figure[aria-label*=" 01-"]'))
      requestAnimationFrame(() => setTimeout(() => { window.paintedMs = performance.now() - start }))
    else requestAnimationFrame(check)
  }
  requestAnimationFrame(check)
})`

/** Milliseconds from choosing another range until all its lines are painted. */
async function timeToPaint(page: Page): Promise<number> {
  await page.evaluate(WATCH_CHOICE)
  await page.getByRole('combobox', { name: 'Range', exact: true }).selectOption('Month-To-Date')
  await eventually(() => page.evaluate(`'paintedMs' in window`))
  return page.evaluate('window.paintedMs')
}

/** Answers with a record for each minute. */
async function serveRecords(page: Page, systemGuid: string): Promise<void> {
  await page.route('**/api/v1/egress/telemetry', (route) => {
    const { pointIds, startTime, endTime, limit } = route.request().postDataJSON()
    const firstMs = Math.ceil(Date.parse(startTime) / RECORD_MS) * RECORD_MS
    const endMs = Math.min(Date.parse(endTime), Date.now())
    const count = Math.max(
      Math.min(Math.ceil((endMs - firstMs) / RECORD_MS), Math.floor(limit / pointIds.length)),
      0
    )
    const nextMs = firstMs + count * RECORD_MS
    const pointDetails = pointIds.map((pointId: string, offset: number) => ({
      pointId,
      historyRecords: Array.from({ length: count }, (_, at) => ({
        timestamp: firstMs + at * RECORD_MS,
        value: 20 + offset + 5 * Math.sin((firstMs / RECORD_MS + at) / 300) + (at % 7) / 10
      }))
    }))
    const more = nextMs < endMs ? { nextStartTime: new Date(nextMs).toISOString() } : {}
    return route.fulfill({ json: { systemGuid, pointDetails, ...more } })
  })
}

/** Main-thread milliseconds for each step of the pointer across the chart. */
async function cursorFrames(page: Page): Promise<number[]> {
  const box = await page.locator('.u-over').first().boundingBox()
  if (!box) throw new Error('no chart to point at')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const frames: number[] = []
  let before = await mainThread(session)
  for (let step = 0; step < CURSOR_STEPS; step++) {
    await page.mouse.move(box.x + (box.width * (step + 0.5)) / CURSOR_STEPS, box.y + box.height / 2)
    await page.evaluate('new Promise(requestAnimationFrame)')
    const after = await mainThread(session)
    frames.push(after.taskMs - before.taskMs)
    before = after
  }
  return frames
}

/** Main-thread time of each live read, minus the time used in an equal period without one. */
async function liveAppends(page: Page): Promise<MainThread[]> {
  await page.mouse.move(0, 0)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const appends: MainThread[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.waitForResponse('**/api/v1/egress/telemetry')
    await page.waitForTimeout(LIVE_MS / 5)
    const idleStart = await mainThread(session)
    await page.waitForTimeout(LIVE_MS / 3)
    const start = await mainThread(session)
    await page.waitForResponse('**/api/v1/egress/telemetry')
    await page.waitForTimeout(LIVE_MS / 10)
    const end = await mainThread(session)
    const withoutIdle = (of: keyof MainThread) =>
      Math.max(end[of] - start[of] - (start[of] - idleStart[of]), 0)
    appends.push({ taskMs: withoutIdle('taskMs'), scriptMs: withoutIdle('scriptMs') })
  }
  return appends
}

interface MainThread {
  /** All work, including layout and painting. */
  taskMs: number
  scriptMs: number
}

async function mainThread(session: CDPSession): Promise<MainThread> {
  const { metrics } = await session.send('Performance.getMetrics')
  const msOf = (wanted: string) => 1000 * (metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN)
  return { taskMs: msOf('TaskDuration'), scriptMs: msOf('ScriptDuration') }
}
