// Measures in Chromium the time from a key in the device search to the rows that match, for a customer with 10,000 devices.
import type { Page } from 'playwright-core'
import type { DevicePage } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { median, quantile, table } from './figures.ts'
import { type Bench, takeRounds } from './frame.ts'
import type { PortalApart } from './portal-apart.ts'
import { get } from './scene.ts'

const PERSON = 'partner.admin'
const GOAL_MS = 150
/** A word for each first letter of a device, so that each search finds another number of devices. */
const WORDS = ['ahu', 'boiler', 'chiller', 'fan', 'pump', 'vav']
const KINDS = { 'the first key': 0, 'the last key of a word, 80 ms a key': 80 } as const
type Kind = keyof typeof KINDS

export async function measureKeys(bench: Bench, portal: PortalApart, seconds: number): Promise<void> {
  const address = `/customers/${NOTABLE.huge}`
  const headers = await portal.headersOf(PERSON)
  const totalOf = async (q: string) => {
    const query = new URLSearchParams({ q, size: '1' })
    const { body } = await get(portal.url, { path: `/api/portal/v1${address}/devices?${query}`, headers })
    return (JSON.parse(Buffer.from(body).toString()) as DevicePage).page.totalElements
  }
  const browser = await startBrowser(bench)
  const page = await portal.open(browser, PERSON, address)
  await page.evaluate(FUNCTIONS)
  const all = await totalOf('')
  const times: Record<Kind, number[]> = { 'the first key': [], 'the last key of a word, 80 ms a key': [] }
  const take = async (kind: Kind) => {
    for (const word of WORDS) {
      const text = kind === 'the first key' ? word.slice(0, 1) : word
      times[kind].push(await typed(page, text, KINDS[kind], await totalOf(text)))
      await typed(page, '', 0, all)
    }
  }
  await takeRounds(Object.keys(KINDS) as Kind[], take, { seconds, atLeast: 2 })
  const rows = Object.entries(times).map(([kind, ms]) => [
    `${kind} (${ms.length})`,
    `${median(ms).toFixed(0)} ms`,
    `${quantile(ms, 0.95).toFixed(0)} ms`,
    `≤ ${GOAL_MS} ms`
  ])
  bench.print(`\n${table([`key to rows in Chromium, ${all} devices`, 'median', 'p95', 'goal'], rows)}`)
}

/** Types a text, or clears the field, and returns the time from the last key to the rows. */
async function typed(page: Page, text: string, delay: number, total: number): Promise<number> {
  const rows = page.evaluate<number>(`untilRows(${JSON.stringify(text)}, ${total})`)
  const field = page.locator('.devices').getByRole('searchbox')
  if (text === '') await field.press('Escape')
  else await field.pressSequentially(text, { delay })
  return rows
}

const LIMIT_MS = 10_000
const FUNCTIONS = `
  keyAt = 0
  addEventListener('keydown', ({ timeStamp }) => { keyAt = timeStamp }, { capture: true })
  untilRows = (text, total) => new Promise((resolve, reject) => {
    const count = ' of ' + total.toLocaleString('en') + ' device'
    const startMs = performance.now()
    const check = () => {
      const isTyped = document.querySelector('.devices input[type=search]').value === text
      const isShown = document.querySelector('.devices').textContent.includes(count)
      if (isTyped && isShown) resolve(performance.now() - keyAt)
      else if (performance.now() - startMs < ${LIMIT_MS}) requestAnimationFrame(check)
      else reject(new Error('no row count “' + count + '” for “' + text + '” within ${LIMIT_MS} ms'))
    }
    requestAnimationFrame(check)
  })
`
