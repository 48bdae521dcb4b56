// Opens pages while an API that they use hangs, and then fails: no page may say that something does not exist when it could
// not be read, and each page recovers by itself once the API is well.
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import type { FaultyApi } from '#test/sandbox/faults.ts'
import { bringSession, startBrowser, visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, devicePath, historyPath, NORTHWIND, pointOf } from '../support/browser/data-screens.ts'
import { passTimeUntil } from '../support/browser/pass-time.ts'
import { eventually } from '../support/eventually.ts'
import { Browser, startPortal } from '../support/portal.ts'

const PERSON = 'partner.admin'
const QUIET_MS = 250
/** Longer than the pause before a page tries again. */
const RETRY_MS = 31_000

/** Says that something does not exist. */
const DENIES =
  /^(?:no|none|never|nothing|0(?! (?:s|of)\b))\b|\b(?:no longer|not (?:active|found|available|included|registered)|(?:has|have|is|are) no|there is nothing)\b/i
/** Says that something could not be read. */
const FAILS =
  /Network Connectivity Failed|Something went wrong|Trying again|could not be loaded|Subscriptions could not|cannot be read|out of date/

const browser = await startBrowser(t)
// All gateways know the same sessions, so that one sign-in is enough.
const sessions = { backend: createMemoryBackend(Date.now), secrets: [randomBytes(32).toString('base64')] }
const portal = await startPortal(t, sessions)
const person = await portal.as(PERSON)
const { sandbox } = portal
const device = deviceOf(portal, 'airHandler')
const { deviceUuid } = device
const point = `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${deviceUuid}&cloudId=${pointOf(device, 'Supply Air Temp').cloudId}`
const history = historyPath(device, ['Supply Air Temp'])

const PAGES: [api: FaultyApi, ...paths: string[]][] = [
  [
    'management',
    '/',
    NORTHWIND,
    '/users',
    '/users/u-partner-user',
    `${NORTHWIND}/serviceaccount`,
    '/auditlog'
  ],
  ['subscription', NORTHWIND, devicePath(device), `${NORTHWIND}/dataservice`],
  ['subscription-usage', `${NORTHWIND}/dataservice?deviceUuid=${deviceUuid}`],
  ['notifier', '/'],
  ['entitymodel', devicePath(device), point, history],
  ['egress', history],
  ['charts-and-reports', '/reports', '/exports'],
  ['control', devicePath(device), point],
  ['alarms', '/', NORTHWIND, `${NORTHWIND}/alarms`, devicePath(device, '&tab=alarms'), point],
  ['recover', `${NORTHWIND}/savedbackups`]
]

async function linesOf(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText()
  return text
    .split(/[\n\t]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The lines of a page that shows no change for a moment, although calls may hang. Ignores running seconds. */
async function settledLines(page: Page): Promise<string[]> {
  let previousText = ''
  for (let equalTexts = 0; ; ) {
    await page.waitForTimeout(QUIET_MS)
    const lines = await linesOf(page)
    const text = lines.join('\n').replace(/\d+/g, '')
    equalTexts = text === previousText ? equalTexts + 1 : 0
    previousText = text
    if (text !== '' && equalTexts === 2) return lines
  }
}

/** A tab at a gateway that has read nothing but the person. */
async function coldTab(t: Test): Promise<Page> {
  const coldPortal = await startPortal(t, {
    ...sessions,
    startedSandbox: sandbox,
    env: { UPSTREAM_TIMEOUT_MS: '300000', INVENTORY_TIMEOUT_MS: '300000' }
  })
  const { page, context } = await visit(browser, coldPortal, { clock: true })
  await bringSession(context, portal, PERSON)
  await new Browser(coldPortal.url, person.jar).json('/api/portal/v1/me')
  return page
}

for (const [api, ...paths] of PAGES)
  t.test(`no page says that something is missing while ${api} hangs or fails, and all recover`, async (t) => {
    t.teardown(() => sandbox.faults.clear())
    const tabs = await Promise.all(paths.map(async (path) => ({ path, page: await coldTab(t) })))
    sandbox.faults.set(api, 'held')
    const callsBefore = sandbox.faults.met(api)
    await Promise.all(tabs.map(({ path, page }) => page.goto(path, { waitUntil: 'load' })))
    await eventually(() => sandbox.faults.met(api) > callsBefore)
    const heldLines = await Promise.all(tabs.map(({ page }) => settledLines(page)))
    sandbox.faults.set(api, '503')
    const failedLines = await Promise.all(tabs.map(({ page }) => settledLines(page)))
    sandbox.faults.clear(api)
    await Promise.all(
      tabs.map(async ({ path, page }, index) => {
        const isWell = async () => !FAILS.test((await linesOf(page)).join('\n'))
        await passTimeUntil(page, RETRY_MS, isWell)
        await calm(page)
        const wellLines = await linesOf(page)
        for (const [what, lines] of [
          ['hangs', heldLines[index]],
          ['fails', failedLines[index]]
        ] as const) {
          const denials = lines?.filter((line) => DENIES.test(line) && !wellLines.includes(line))
          t.strictSame(denials, [], `${path} while ${api} ${what}`)
        }
      })
    )
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
