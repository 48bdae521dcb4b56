// Alarms that arise while pages are open: they arrive without a reload, call the person, and are acknowledged with one action.
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { raiseAlarm } from '#test/sandbox/simulation/raised-alarms.ts'
import { violations } from '../support/browser/axe.ts'
import { browserTest, type Person } from '../support/browser/browser.ts'
import { deviceOf, devicePath, NORTHWIND } from '../support/browser/data-screens.ts'
import { eventually } from '../support/eventually.ts'

declare global {
  interface Window {
    shownNotifications: Notification[]
    playedTones: number
  }
}

// Readings are more frequent than in production, so that a test need not wait for the turn of a customer.
const { portal, open } = await browserTest(t, {
  env: { LIVE_POLL_SECONDS: '1' },
  limits: { alarmTurnMs: 50 }
})
const device = deviceOf(portal, 'airHandler')
const raise = (source: string, priority = 10) =>
  raiseAlarm(portal.sandbox.state, device, { source, message: `${source} has failed`, priority })

const alarmsButton = (page: Page) => page.getByRole('link', { name: /^Alarms(?: of all customers)?(?:,|$)/ })

/** The number of alarms at the header's button; 0 while it is not known. */
async function numberAtButton(page: Page): Promise<number> {
  const name = (await alarmsButton(page).getAttribute('aria-label')) ?? ''
  return numberIn(/^Alarms.*, ([\d,]+) alarms? to act on$/.exec(name)?.[1])
}

const numberIn = (text: string | undefined) => Number((text ?? '0').replaceAll(',', ''))

/** Runs in the page before its scripts: records the notifications that it shows, and the tones that it plays. */
function recordNotifications(): void {
  window.shownNotifications = []
  window.playedTones = 0
  window.OscillatorNode = class extends OscillatorNode {
    constructor(context: BaseAudioContext, options?: OscillatorOptions) {
      super(context, options)
      window.playedTones += 1
    }
  }
  window.Notification = class extends Notification {
    /** A browser without a screen says “denied” here, whatever the person has answered. */
    static override permission = 'granted' as const
    constructor(title: string, options?: NotificationOptions) {
      super(title, options)
      window.shownNotifications.push(this)
    }
  }
}

/** Runs in the page: hides it, as another tab in front of it does. */
function hide(): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: true })
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Opens further pages of a context. */
const openAlso = async ({ context }: Pick<Person, 'context'>, path: string) => {
  const page = await context.newPage()
  await page.goto(path)
  return page
}

t.test('a new alarm arrives without a reload on every page that shows alarms', async (t) => {
  const person = await open('partner.admin', `${NORTHWIND}/alarms?q=Arrival`)
  const all = await openAlso(person, '/alarms')
  const start = await openAlso(person, '/')
  const users = await openAlso(person, `${NORTHWIND}/users`)
  const details = await openAlso(person, devicePath(device))
  const startCount = start.getByRole('link', { name: /^Northwind Hospitals: [\d,]+ alarms/ })
  const tab = details.getByRole('tab', { name: /^Alarms/ })
  const numberAt = async (element: Locator) => numberIn(/[\d,]+/.exec(await element.innerText())?.[0])

  await all.getByText('live', { exact: true }).waitFor()
  await all.getByText(/not read or late/).waitFor({ state: 'detached' })
  await eventually(async () => (await numberAtButton(users)) > 0)
  await tab.filter({ hasText: /\d/ }).waitFor()
  const [startBefore, buttonBefore, tabBefore] = await Promise.all([
    numberAt(startCount),
    numberAtButton(users),
    numberAt(tab)
  ])
  raise('Arrival Drill')
  await person.page.getByRole('button', { name: 'Arrival Drill', exact: true }).waitFor()
  // Another alarm may have arrived before.
  const arrival = all.getByRole('button', { name: 'Arrival Drill', exact: true })
  for (const show = all.getByRole('button', { name: /^\d+ new · show$/ }); !(await arrival.isVisible()); ) {
    await show.or(arrival).first().waitFor()
    if (await show.isVisible()) await show.click()
  }
  await eventually(async () => (await numberAt(startCount)) === startBefore + 1)
  await eventually(async () => (await numberAtButton(users)) === buttonBefore + 1)
  await eventually(async () => (await numberAt(tab)) === tabBefore + 1)
  t.strictSame(person.errors, [])
})

t.test(
  'a new alarm is in the title of a hidden page and notifies the desktop once over two tabs',
  async (t) => {
    const person = await open('partner.admin', `${NORTHWIND}/alarms`)
    const { page, context, errors } = person
    await context.grantPermissions(['notifications'], { origin: portal.url })
    await context.addInitScript(recordNotifications)
    await page.reload()
    await page.getByRole('button', { name: /^Notify me/ }).click()
    await page.getByRole('switch', { name: 'Desktop notifications' }).check()
    await page.getByRole('button', { name: 'Close' }).last().click()
    const other = await openAlso(person, `${NORTHWIND}/users`)
    for (const opened of [page, other]) await eventually(async () => (await numberAtButton(opened)) > 0)
    const before = await numberAtButton(page)
    t.notMatch(await page.title(), /^\(/)
    await page.evaluate(hide)
    await eventually(async () => (await page.title()).startsWith(`(${before}) `))

    raise('Low Drill', 200)
    const uuid = raise('Call Drill')
    await eventually(async () => (await page.title()).startsWith(`(${before + 2}) `))
    await eventually(async () => (await numberAtButton(other)) === before + 2)
    const shownIn = (opened: Page) =>
      opened.evaluate(() => window.shownNotifications.map(({ title, body, tag }) => ({ title, body, tag })))
    await eventually(async () => (await shownIn(page)).length > 0)
    const body = `Northwind Hospitals · ${device.deviceName}\nCall Drill has failed`
    t.strictSame(await shownIn(page), [{ title: 'Critical: Call Drill', body, tag: uuid }])
    t.strictSame(await shownIn(other), [], 'one tab reports')

    await page.evaluate(() => window.shownNotifications[0]?.dispatchEvent(new Event('click')))
    await page.waitForURL(({ searchParams }) => searchParams.get('alarm') === uuid)
    await page.getByRole('complementary', { name: 'Call Drill' }).waitFor()
    t.strictSame(errors, [])
  }
)

t.test('three tabs report an alarm once, with one sound, and stay muted until tomorrow', async (t) => {
  const person = await open('partner.admin', `${NORTHWIND}/alarms`)
  const { page, context, errors } = person
  await context.grantPermissions(['notifications'], { origin: portal.url })
  await context.addInitScript(recordNotifications)
  await page.reload()
  await page.getByRole('button', { name: /^Notify me/ }).click()
  await page.getByRole('button', { name: 'Mute until tomorrow' }).waitFor()
  await page.getByRole('switch', { name: 'Desktop notifications' }).check()
  await page.getByRole('switch', { name: 'Sound' }).check()
  await page.getByRole('button', { name: 'Close' }).last().click()
  const tabs = [page, await openAlso(person, NORTHWIND), await openAlso(person, `${NORTHWIND}/users`)]
  const areCounted = async (number: number) => {
    for (const tab of tabs) await eventually(async () => (await numberAtButton(tab)) === number)
  }
  for (const tab of tabs) await eventually(async () => (await numberAtButton(tab)) > 0)
  const before = await numberAtButton(page)
  await areCounted(before)
  const sumOver = async (countIn: (tab: Page) => Promise<number>) =>
    (await Promise.all(tabs.map(countIn))).reduce((sum, count) => sum + count, 0)
  const shown = () => sumOver((tab) => tab.evaluate(() => window.shownNotifications.length))
  const tones = () => sumOver((tab) => tab.evaluate(() => window.playedTones))
  const tonesBefore = await tones()

  raise('Three Drill')
  await areCounted(before + 1)
  await eventually(async () => (await shown()) === 1)
  t.equal((await tones()) - tonesBefore, 2, 'a sound has two tones')

  await page.getByRole('button', { name: /^Notify me/ }).click()
  await page.getByRole('button', { name: 'Mute until tomorrow' }).click()
  await page.getByRole('button', { name: 'Close' }).last().click()
  for (const tab of tabs) await tab.reload()
  await page.getByRole('button', { name: /^Notify me muted until 00:00 on / }).waitFor()
  await areCounted(before + 1)
  raise('Muted Drill')
  await areCounted(before + 2)
  t.equal(await shown(), 0)
  t.equal(await tones(), 0)
  t.strictSame(errors, [])
})

const isAcknowledged = (uuid: string) =>
  portal.sandbox.state.alarmChanges.get(uuid)?.acknowledged !== undefined
const tickOf = (page: Page, source: string) =>
  page.getByRole('button', { name: new RegExp(`^Acknowledge alarm ${source}`) })

/** The heights of the links to the alarm's customer and device. */
const linkHeights = (item: Locator) =>
  item.getByRole('link').evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height))

t.test('a key acknowledges an alarm in the list of all customers, which is accessible', async (t) => {
  const uuid = raise('Desk Drill')
  const { page, errors } = await open('partner.admin', '/alarms?q=Desk+Drill')
  await tickOf(page, 'Desk Drill').waitFor()
  t.strictSame(await violations(page), [])
  const heights = await linkHeights(page.getByRole('row').filter({ hasText: 'Desk Drill' }))
  t.ok(heights.length === 2 && Math.min(...heights) >= 24, `links of ${heights} px`)
  await page.getByRole('button', { name: 'Desk Drill', exact: true }).focus()
  await eventually(async () => {
    await page.keyboard.press('Tab')
    return tickOf(page, 'Desk Drill').evaluate((tick) => tick === document.activeElement)
  })
  await page.keyboard.press('Enter')
  await eventually(() => isAcknowledged(uuid))
  await page.getByRole('row').filter({ hasText: 'Desk Drill' }).getByText('Acked').waitFor()
  t.strictSame(errors, [])
})

t.test('a tap acknowledges an alarm on its card on a phone, which is accessible', async (t) => {
  const uuid = raise('Phone Drill')
  const { page, errors } = await open('partner.admin', '/alarms?q=Phone+Drill', { width: 390, touch: true })
  const tick = tickOf(page, 'Phone Drill')
  await tick.waitFor()
  t.strictSame(await violations(page), [])
  const { width = 0, height = 0 } = (await tick.boundingBox()) ?? {}
  t.ok(width >= 44 && height >= 44, `${width} × ${height} px`)
  await page.getByRole('button', { name: /^Details of alarm Phone Drill/ }).tap()
  const heights = await linkHeights(page.getByRole('dialog'))
  t.ok(heights.length === 2 && Math.min(...heights) >= 44, `links of ${heights} px`)
  await page.keyboard.press('Escape')
  await tick.tap()
  await eventually(() => isAcknowledged(uuid))
  await page.getByRole('listitem').filter({ hasText: 'Phone Drill' }).getByText('Acked').waitFor()
  t.strictSame(errors, [])
})
