// The morning of an integrator: the worst alarm is opened, charted, noted and acknowledged; then twenty alarms of five customers,
// by mouse and by keys. The test says how many clicks, keys and seconds that took.
import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { raiseAlarm } from '#test/sandbox/simulation/raised-alarms.ts'
import { violations } from '../support/browser/axe.ts'
import { browserTest } from '../support/browser/browser.ts'
import { showWholePage } from '../support/browser/page-checks.ts'
import { eventually } from '../support/eventually.ts'

const { portal, open } = await browserTest(t, {
  env: { LIVE_POLL_SECONDS: '1' },
  limits: { alarmTurnMs: 50 }
})
const { state } = portal.sandbox

/** One device of each of the first five customers of the integrator, Northwind first. */
const devices = [...state.devices.values()]
  .filter(({ customerId }) => state.organizations.get(customerId)?.partnerId === NOTABLE.partner)
  .filter((device, index, all) => all.findIndex((one) => one.customerId === device.customerId) === index)
  .slice(0, 5)

/** Raises twenty alarms, four at each customer. Returns their uuids. */
function raiseTwenty(source: string): string[] {
  return Array.from({ length: 20 }, (_, number) => {
    const device = devices[number % devices.length]
    if (!device) throw new Error('the sandbox has fewer customers')
    return raiseAlarm(state, device, { source, priority: 10, message: `${source} ${number} has failed` })
  })
}

/** Starts to measure. Returns a reader of the seconds since. They are of this machine and of a person who never waits. */
function startSeconds(): () => string {
  const startedAt = performance.now()
  return () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

const isAcknowledged = (uuid: string) => state.alarmChanges.get(uuid)?.acknowledged !== undefined
const ticksOf = (page: Page) => page.getByRole('button', { name: /^Acknowledge alarm / })

/** Opens the twenty alarms of a source. Reloads once all of them are read, because those read later wait below the rows. */
async function openTwenty(source: string) {
  const person = await open('partner.admin', `/alarms?q=${encodeURIComponent(source)}`)
  const { page } = person
  await page.getByText('1–15 of 20').waitFor()
  await page.reload()
  await page.getByText('1–15 of 20').waitFor()
  return person
}

t.test('a row names its alarm, its customer and its state to a screen reader', async (t) => {
  raiseTwenty('Tree Drill')
  const { page } = await openTwenty('Tree Drill')
  const row = page.getByRole('row').nth(1)
  const tree = await row.ariaSnapshot()
  t.match(tree, /rowheader "Tree Drill Tree Drill \d+ has failed"/)
  t.match(tree, /cell "Offnormal Unacked"/)
  const names = devices.map(({ customerId }) => state.organizations.get(customerId)?.orgName)
  t.ok(
    names.some((name) => name && tree.includes(name)),
    tree
  )
  await page.getByRole('button', { name: 'Tree Drill' }).first().click()
  await page.getByRole('complementary', { name: 'Tree Drill' }).waitFor()
  t.equal(await page.locator('tr[aria-current="true"]').count(), 1)
  await showWholePage(page)
  t.strictSame(await violations(page), [])
})

t.test('the first alarm is opened, charted, noted and acknowledged in a few clicks', async (t) => {
  const [uuid = ''] = raiseTwenty('First Drill')
  const { page, errors } = await open('partner.admin', `/alarms?q=${encodeURIComponent('First Drill 0 ')}`)
  let clicks = 0
  const click = async (name: string) => {
    clicks += 1
    await page.getByRole('button', { name, exact: true }).last().click()
  }
  await page.getByRole('button', { name: 'First Drill', exact: true }).waitFor()
  const seconds = startSeconds()
  await click('First Drill')
  const details = page.getByRole('complementary', { name: 'First Drill' })
  await details.getByRole('link', { name: 'Open history' }).waitFor()
  await click('Add note')
  await page.getByRole('textbox', { name: 'Note' }).fill('Called the supplier')
  await click('Add note')
  await details.getByText('Called the supplier').waitFor()
  await click('Acknowledge')
  await eventually(() => isAcknowledged(uuid))
  await eventually(() => state.alarmChanges.get(uuid)?.notes?.length === 1)
  t.ok(clicks <= 4, `${clicks} clicks`)
  t.comment(`opened, noted and acknowledged with ${clicks} clicks in ${seconds()}`)
  t.strictSame(errors, [])
})

t.test('twenty alarms of five customers are acknowledged with at most 25 clicks', async (t) => {
  const uuids = raiseTwenty('Mouse Drill')
  const { page, errors } = await openTwenty('Mouse Drill')
  let clicks = 0
  const seconds = startSeconds()
  for (const pageSize of [15, 5]) {
    await eventually(async () => (await ticksOf(page).count()) === pageSize)
    for (let left = pageSize; left > 0; left -= 1) {
      clicks += 1
      await ticksOf(page).first().click()
      await eventually(async () => (await ticksOf(page).count()) === left - 1)
    }
    if (pageSize === 5) break
    clicks += 1
    await page.getByRole('button', { name: 'Next page' }).click()
  }
  await eventually(() => uuids.every(isAcknowledged))
  t.ok(clicks <= 25, `${clicks} clicks`)
  t.comment(`twenty alarms with ${clicks} clicks in ${seconds()}`)
  t.strictSame(errors, [])
})

t.test('twenty alarms of five customers are acknowledged with at most 60 keys', async (t) => {
  const uuids = raiseTwenty('Key Drill')
  const { page, errors } = await openTwenty('Key Drill')
  let keys = 0
  const press = (key: string) => {
    keys += 1
    return page.keyboard.press(key)
  }
  const isOnTick = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.startsWith('Acknowledge alarm '))
  const isOn = (name: string) =>
    page.evaluate((label) => document.activeElement?.getAttribute('aria-label') === label, name)
  const seconds = startSeconds()
  // The link that skips the frame.
  await press('Tab')
  await press('Enter')
  while (!(await isOnTick())) await press('Tab')
  for (let left = 15; left > 0; left -= 1) {
    await press('Enter')
    await eventually(async () => (await ticksOf(page).count()) === left - 1)
  }
  while (!(await isOn('Next page'))) await press('Tab')
  await press('Enter')
  await eventually(async () => (await ticksOf(page).count()) === 5)
  while (!(await isOnTick())) await press('Shift+Tab')
  for (let left = 5; left > 0; left -= 1) {
    await press('Enter')
    await eventually(async () => (await ticksOf(page).count()) === left - 1)
  }
  await eventually(() => uuids.every(isAcknowledged))
  t.ok(keys <= 60, `${keys} keys`)
  t.comment(`twenty alarms with ${keys} keys in ${seconds()}`)
  t.strictSame(errors, [])
})

t.test('a new alarm arrives, and nothing under the mouse moves', async (t) => {
  raiseTwenty('Still Drill')
  const { page, errors } = await openTwenty('Still Drill')
  const tops = () =>
    page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
  const before = await tops()
  await ticksOf(page).nth(3).hover()
  const [device] = devices
  if (device) raiseAlarm(state, device, { source: 'Still Drill', priority: 5 })
  const offer = page.getByRole('button', { name: '1 new · show' })
  await offer.waitFor()
  t.strictSame(await tops(), before)
  await offer.click()
  await page.getByText('1–15 of 21').waitFor()
  t.strictSame(errors, [])
})
