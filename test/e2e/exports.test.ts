import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import type { ExportRecord } from '#test/sandbox/records/work.ts'
import { eventually } from '#test/support/eventually.ts'
import { startPortal } from '#test/support/portal.ts'
import { violations } from '../support/browser/axe.ts'
import { openAs, type Person, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { savedList, totalOf } from '../support/browser/downloads.ts'
import { answered } from '../support/browser/traffic.ts'
import { goTo } from '../support/browser/walk.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
// An export runs until a test ends it.
const { exports: made } = portal.sandbox.state
const add = made.add.bind(made)
made.add = (one) => add({ ...one, runsForMs: 3_600_000 })

/** Most of the pause between two looks at one that is being made: a message that came just before stays on longer. */
const LEAP_MS = 4_000
/** From now on the pages' time stands still, but for leaps: no message goes unseen. */
async function stopTime(context: BrowserContext): Promise<void> {
  const times = await Promise.all(context.pages().map((page) => page.evaluate(() => Date.now())))
  await context.clock.pauseAt(Math.max(...times) + 60_000)
}
/** Lets time pass in leaps until it holds. */
async function leapUntil(context: BrowserContext, holds: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (await holds()) return true
    await context.clock.fastForward(LEAP_MS)
    await Promise.all(context.pages().map(answered))
    return false
  })
}
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

t.test('an export is started with its points, and told when it is ready', async (t) => {
  const { page, context, errors } = await openAs(browser, portal, 'customer.admin', '/exports', {
    clock: true
  })
  await page.getByRole('button', { name: 'New export' }).click()
  const dialog = page.getByRole('dialog')
  const start = dialog.getByRole('button', { name: 'Start export' })
  t.equal(await start.getAttribute('aria-disabled'), 'true')
  await dialog.getByText('Still needed: a name, a customer, a point').waitFor()
  await dialog.getByPlaceholder('Choose a customer').waitFor()
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Ward <1>')
  await dialog.getByText('Symbols like *,<,>,/ are not allowed.').waitFor()
  await name.fill('Ward temperatures, week')
  await dialog.getByRole('combobox', { name: 'Customer' }).fill('North')
  await dialog.getByRole('option', { name: /Northwind/ }).click()
  await dialog.getByRole('combobox', { name: 'Device' }).fill('AHU')
  await dialog.getByRole('option', { name: /AHU/ }).first().click()
  const points = dialog.locator('.point-list').getByRole('checkbox')
  await points.nth(1).check()
  await points.nth(2).check()
  await dialog.getByText(/About [\d,]+ rows of 2 points/).waitFor()
  await dialog.getByLabel('From', { exact: true }).fill(dayAgo(1))
  await dialog.getByLabel('To', { exact: true }).fill(dayAgo(11))
  await dialog.getByText('The range ends before it begins.').waitFor()
  await dialog.getByLabel('From', { exact: true }).fill(dayAgo(11))
  await Promise.all([page.getByText('Export “Ward temperatures, week” started.').waitFor(), start.click()])
  const one = newest()
  const row = rowOf(page, one.exportName)
  await row.getByText(/Queued|Running/).waitFor()
  await finish(context, one)
  await leapUntil(context, () => page.getByText(readyText(one)).isVisible())
  await row.getByText('Ready').waitFor()

  await row.getByRole('button', { name: 'Download Ward temperatures, week' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Download' }).click()
  const file = await coming
  t.match(file.suggestedFilename(), /^Ward temperatures, week\.csv$/)
  t.equal(await file.failure(), null)
  const audited = portal.sandbox.state.audit.filter(
    ({ action, resource }) => action === 'EXPORT_DOWNLOADED' && resource.id === one.id
  )
  t.equal(audited.length, 1, 'one download, one entry')
  t.strictSame(errors, [])
})

/** Somebody who has just started an expired one again; the pages' clock is the test's. */
async function startAgain(): Promise<Person & { one: ExportRecord }> {
  const person = await openAs(browser, portal, 'partner.admin', '/exports?status=EXPIRED', { clock: true })
  const { page } = person
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Run again' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(`Again, ${made.size}`)
  await Promise.all([
    page.getByText(/^Export “.*” started\.$/).waitFor(),
    dialog.getByRole('button', { name: 'Start export' }).click()
  ])
  return { ...person, one: newest() }
}
function newest(): ExportRecord {
  const [one] = [...made.values()].sort((a, b) => b.createdMs - a.createdMs)
  if (!one) throw new Error('nothing was started')
  return one
}
/** It comes to its end, of which the pages hear by a leap. */
async function finish(context: BrowserContext, one: ExportRecord): Promise<void> {
  await stopTime(context)
  one.queuedForMs = 0
  one.runsForMs = 1
}
const titled = (page: Page, title: string) => page.waitForFunction((text) => document.title === text, title)
const isWaitedFor = ({ id }: ExportRecord) =>
  `JSON.parse(localStorage.getItem('portal.exports')).waiting.some((one) => one.id === '${id}')`
const readyText = ({ exportName }: ExportRecord) => `Export “${exportName}” is ready.`

t.test('the list is saved as a file, with all its pages', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/exports?status=READY')
  const { name, heading, rows } = await savedList(page)
  t.match(name, /^exports-\d{4}-\d\d-\d\d\.csv$/)
  t.match(heading, 'Name,Customer,Status,')
  t.equal(rows.length, await totalOf(page))
  t.ok(rows.every((row) => row.includes(',Ready,')))
  t.strictSame(errors, [])
})

t.test('where nothing is under way nothing is asked, and the code for it is not fetched', async (t) => {
  const { page, context, answers } = await openAs(browser, portal, 'customer.admin', '/reports', {
    clock: true
  })
  await page.getByRole('heading', { name: 'Saved Reports', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Messages' }).waitFor({ state: 'attached' })
  await page.clock.runFor('10:00')
  await calm(page)
  t.strictSame(
    answers
      .map((answer) => new URL(answer.url()).pathname)
      .filter((path) => /egress\/exports|export-news/.test(path)),
    []
  )
  await context.close()
})

t.test('an export is told on another page, and after a reload, with a way to it', async (t) => {
  const { page, context, answers, errors, one } = await startAgain()
  await goTo(page, '/reports')
  const reading = page.waitForResponse((answer) => answer.url().endsWith(`/exports/${one.id}`))
  await page.reload()
  await reading
  await finish(context, one)
  await leapUntil(context, () => page.getByText(readyText(one)).isVisible())
  t.equal(new URL(page.url()).pathname, '/reports')
  await titled(page, '● Saved Reports · Portal')
  await context.clock.resume()
  await page.reload()
  await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
  const news = page.getByRole('list', { name: 'Exports' })
  await news.getByText(readyText(one)).waitFor()
  t.strictSame(await violations(page), [])
  await news.getByRole('link', { name: one.exportName }).click()
  await rowOf(page, one.exportName).getByText('Ready').waitFor()
  await titled(page, 'Saved Exports · Portal')

  const asked = () => answers.filter((answer) => answer.url().endsWith(`/exports/${one.id}`)).length
  const before = asked()
  await goTo(page, '/reports')
  await page.getByRole('heading', { name: 'Saved Reports', level: 1 }).waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Messages' }).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  t.equal(asked(), before, 'what is told is not asked for again')
  t.strictSame(errors, [])
  await context.close()
})

t.test('a list that is read again after a reload shows how far an export is', async (t) => {
  const { page, context, one } = await startAgain()
  one.queuedForMs = 0
  one.runsForMs = 1_000_000
  one.createdMs -= 400_000
  await goTo(page, '/exports')
  const row = rowOf(page, one.exportName)
  await row.getByRole('progressbar').waitFor()
  await page.reload()
  const percent = Number(await row.getByRole('progressbar').getAttribute('value'))
  t.ok(percent >= 40 && percent < 100, `${percent} %`)
  await finish(context, one)
  await leapUntil(context, () => page.getByText(readyText(one)).isVisible())
  await context.close()
})

t.test('of two tabs one asks, and one tells, once', async (t) => {
  const { page, context, one } = await startAgain()
  const other = await context.newPage()
  const asked = new Map<Page, number>([
    [page, 0],
    [other, 0]
  ])
  for (const tab of asked.keys())
    tab.on('request', (request) => {
      // On its way there the first tab may still ask.
      if (tab.url().endsWith('/reports') && request.url().endsWith(`/exports/${one.id}`))
        asked.set(tab, (asked.get(tab) ?? 0) + 1)
    })
  await page.goto('/reports')
  await other.goto('/reports')
  for (const tab of asked.keys())
    await tab.getByRole('region', { name: 'Messages' }).waitFor({ state: 'attached' })
  const tabs = [...asked.keys()]
  const turns = () => [...asked.values()].reduce((sum, count) => sum + count, 0)
  await stopTime(context)
  await leapUntil(context, async () => turns() >= 2)
  t.equal([...asked.values()].filter((count) => count > 0).length, 1, 'by one of them')
  const messages = () => Promise.all(tabs.map((tab) => tab.getByText(readyText(one)).count()))
  await finish(context, one)
  await leapUntil(context, async () => (await messages()).some((count) => count > 0))
  for (const tab of tabs)
    t.ok(
      await eventually(async () => !(await tab.evaluate<boolean>(isWaitedFor(one)))),
      'both have heard of it'
    )
  t.strictSame((await messages()).sort(), [0, 1])
  await context.close()
})

t.test('the tab that asks may be closed: the other one goes on', async (t) => {
  const { page, context, one } = await startAgain()
  const other = await context.newPage()
  await other.goto('/reports')
  await other.getByRole('region', { name: 'Messages' }).waitFor({ state: 'attached' })
  const taken = other.waitForResponse((answer) => answer.url().endsWith(`/exports/${one.id}`))
  await page.close()
  await taken
  await finish(context, one)
  await leapUntil(context, () => other.getByText(readyText(one)).isVisible())
  t.equal(await other.locator('.toast').count(), 1)
  await context.close()
})

t.test('an export that fails while it is looked at says why, and can be run again', async (t) => {
  const { page, context, one } = await startAgain()
  const row = rowOf(page, one.exportName)
  await goTo(page, `/exports?q=${encodeURIComponent(one.exportName)}`)
  await row.getByText(/Queued|Running/).waitFor()
  one.failureReason = 'The history of one point could not be read'
  const message = page.getByText(`Export “${one.exportName}” failed: ${one.failureReason}`)
  await finish(context, one)
  await leapUntil(context, () => message.isVisible())
  await row.getByText('Failed', { exact: true }).waitFor()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  t.equal(await page.getByRole('menuitem', { name: 'Run again' }).getAttribute('aria-disabled'), null)
  await context.close()
})

t.test('one that is stopped by somebody else, or expires while it is looked at, says so', async (t) => {
  const { page, context, one } = await startAgain()
  await goTo(page, `/exports?q=${encodeURIComponent(one.exportName)}`)
  const row = rowOf(page, one.exportName)
  await row.getByText(/Queued|Running/).waitFor()
  await stopTime(context)
  one.cancelledMs = Date.now()
  await leapUntil(context, () => row.getByText('Cancelled').isVisible())
  t.equal(await page.getByText(readyText(one)).count(), 0)

  one.cancelledMs = null
  await finish(context, one)
  await context.clock.resume()
  await page.reload()
  await row.getByText('Ready').waitFor()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  one.createdMs -= 8 * 86_400_000
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await dialog.getByText(/The file is no longer kept/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await row.getByText('Expired').waitFor()
  await context.close()
})

t.test('a running export is stopped; one that has ended meanwhile says so', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/exports')
  const row = page
    .getByRole('row')
    .filter({ hasText: /Running/ })
    .first()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Stop', exact: true }).click()
  await page.route('**/cancel', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"status":409}' })
  )
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Stop export' }).click()
  await dialog.getByText(/has changed meanwhile/).waitFor()
  await page.unroute('**/cancel')
  await Promise.all([
    page.getByText(/^Export “.*” stopped\.$/).waitFor(),
    dialog.getByRole('button', { name: 'Stop export' }).click()
  ])
  t.pass()
})

t.test('an expired one offers to be run again, with what it was made of', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/exports?status=EXPIRED')
  const row = page.getByRole('row').nth(1)
  const rowName = await row.getByRole('rowheader').innerText()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  t.equal(await page.getByRole('menuitem', { name: /Download/ }).getAttribute('aria-disabled'), 'true')
  await page.getByRole('menuitem', { name: 'Run again' }).click()
  const dialog = page.getByRole('dialog')
  t.equal(await dialog.getByRole('button', { name: 'Start export' }).getAttribute('aria-disabled'), 'false')
  const points = dialog.getByRole('list', { name: 'Chosen points' }).getByRole('listitem')
  await points.filter({ hasText: ' · ' }).first().waitFor()
  const like = [...made.values()].find(({ exportName }) => rowName === exportName)
  t.ok(like)
  const ids = like?.selectedPoints.flatMap(({ pointIds }) => pointIds) ?? []
  for (const text of await points.allTextContents()) {
    t.match(text, /^.+ · .+$/, 'its device and its name')
    t.notOk(ids.some((id) => text.includes(id)))
  }
})

t.test(
  'on a phone nothing is squeezed: what is needed yet, downloads at hand, days in one piece',
  async (t) => {
    const { page } = await openAs(browser, portal, 'partner.admin', '/exports?status=READY', { width: 390 })
    await page
      .getByRole('button', { name: /^Download / })
      .first()
      .waitFor()
    await page
      .getByRole('button', { name: /^More about/ })
      .first()
      .click()
    for (const day of await page.locator('.unbroken').all())
      t.ok(((await day.boundingBox())?.height ?? 99) < 30)
    await page.getByRole('button', { name: 'New export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await calm(page)
    const [note, cancel] = await Promise.all([
      dialog.getByText('Still needed: a name, a customer, a point').boundingBox(),
      dialog.getByRole('button', { name: 'Cancel' }).boundingBox()
    ])
    t.ok(note && cancel && note.y + note.height <= cancel.y, 'the hint has a line of its own')
  }
)
