// The device table in a real browser, in front of a customer of 100,000 devices (SANDBOX_DEVICES), everything on this
// machine: how long a key takes to paint its result, how many rows the page holds, how many calls fast typing leaves
// alive, and what 100 changes of the page leave in memory.
import type { CDPSession, Page, Request } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { quantile, table } from './figures.ts'
import { startPortalApart } from './portal-apart.ts'
import type { Bench, Benchmark } from './run.ts'

const DEVICES = Number(process.env.SANDBOX_DEVICES || 100_000)
const HERE = `/customers/${NOTABLE.huge}`
const DEVICES_PATH = `/api/portal/v1/customers/${NOTABLE.huge}/devices?`
const SEARCH = 'Name, host ID, project, location'
const KEYS_MIN = 40
const PAGE_CHANGES = 100
const WARM_UP_CHANGES = 20
/** A key that finds as many devices as the one before says nothing. */
const UNCHANGED_MS = 1_000

export const browserDevices: Benchmark = { name: 'browser-devices', weight: 3, run: measure }

async function measure(bench: Bench): Promise<void> {
  const portal = await startPortalApart(bench, { devices: DEVICES })
  const browser = await startBrowser(bench)
  const page = await portal.signIn(browser, 'partner.admin', HERE)
  await page.locator('tbody tr').first().waitFor({ timeout: 120_000 })

  const keys = await keystrokes(page, performance.now() + (bench.seconds * 1000) / 2)
  const alive = await liveCallsOfFastTyping(page)
  const memory = await memoryOfPageChanges(page)
  bench.print(
    table(
      [`${DEVICES} devices`, 'measured', 'aim'],
      [
        [
          `key to painted result, ${keys.ms.length} keys, median`,
          `${quantile(keys.ms, 0.5).toFixed(0)} ms`,
          ''
        ],
        ['the same, 95 of 100', `${quantile(keys.ms, 0.95).toFixed(0)} ms`, '≤ 400 ms, with a pause of 300'],
        ['most rows in the page', keys.rows, '≤ 15'],
        ['calls alive after fast typing', alive, '≤ 1'],
        [`memory after ${PAGE_CHANGES} page changes`, `${memory.toFixed(1)} MB more`, 'flat']
      ]
    )
  )
}

/** Types the ends of host IDs, every key of which finds fewer devices, until the time is up. */
async function keystrokes(page: Page, untilMs: number): Promise<{ ms: number[]; rows: number }> {
  const field = page.getByRole('searchbox', { name: SEARCH })
  const ms: number[] = []
  let rows = 0
  for (let turn = 0; ms.length < KEYS_MIN && performance.now() < untilMs; turn += 1) {
    const row = page.locator('tbody tr').nth(turn % 15)
    const hostId = (await row.locator('.mono').textContent()) ?? ''
    for (const key of hostId.slice(-4)) {
      await field.focus()
      // In place before the key comes: the two go to the page on different ways.
      await page.evaluate(WATCH_PAINT)
      await page.keyboard.press(key)
      const took = await page.evaluate<number | null>('painted')
      if (took !== null) ms.push(took)
      rows = Math.max(rows, await page.locator('tbody tr').count())
      if (await page.evaluate(`document.querySelector('.pager-range')?.textContent.endsWith(' of 1')`)) break
    }
    await field.press('Escape')
    await until(page, SHOWS_ALL)
    await page.getByRole('button', { name: 'Next page' }).click()
    await until(page, IS_STILL)
  }
  return { ms, rows }
}

// The programs below run in the page: from the key to the frame after the number of devices found has changed.
const WATCH_PAINT = `void (globalThis.painted = new Promise((resolve) => {
  const found = () => document.querySelector('.pager-range')?.textContent.split(' of ')[1]
  const before = found()
  document.addEventListener('keydown', ({ timeStamp }) => {
    const look = () => {
      const ms = performance.now() - timeStamp
      if (ms > ${UNCHANGED_MS}) resolve(null)
      else if (found() === before || found() === undefined) requestAnimationFrame(look)
      else requestAnimationFrame(() => resolve(performance.now() - timeStamp))
    }
    look()
  }, { once: true, capture: true })
}))`
const SHOWS_ALL = `document.querySelectorAll('tbody tr').length === 15 && !new URL(location.href).searchParams.has('q')`
const IS_STILL = `document.querySelector('.data-table')?.getAttribute('aria-busy') === 'false'`

/** Looks once a frame. Playwright's own way evaluates text, which the portal's policy forbids. */
const until = (page: Page, condition: string) =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => (${condition} ? resolve() : requestAnimationFrame(look))
    look()
  })`)

/** The gateway is made slow, so that calls overtake each other. */
async function liveCallsOfFastTyping(page: Page): Promise<number> {
  const live = new Set<Request>()
  page.on('request', (request) => request.url().includes(DEVICES_PATH) && live.add(request))
  page.on('requestfinished', (request) => live.delete(request))
  page.on('requestfailed', (request) => live.delete(request))
  const slow = `**${DEVICES_PATH.replace('?', '**')}`
  await page.route(slow, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue().catch(() => {})
  })
  const field = page.getByRole('searchbox', { name: SEARCH })
  await field.focus()
  await page.keyboard.type('supply air fan', { delay: 60 })
  await until(page, `new URL(location.href).searchParams.get('q') === 'supply air fan'`)
  const alive = live.size
  await page.unroute(slow)
  await field.press('Escape')
  await until(page, SHOWS_ALL)
  return alive
}

async function memoryOfPageChanges(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const next = page.getByRole('button', { name: 'Next page' })
  const change = async (times: number) => {
    for (let turn = 0; turn < times; turn += 1) {
      const before = await page.locator('.pager-range').textContent()
      await next.click()
      await until(page, `document.querySelector('.pager-range')?.textContent !== ${JSON.stringify(before)}`)
    }
  }
  await change(WARM_UP_CHANGES)
  const before = await heapBytes(session)
  await change(PAGE_CHANGES)
  return ((await heapBytes(session)) - before) / 2 ** 20
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}
