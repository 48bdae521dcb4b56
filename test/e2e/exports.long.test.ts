import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import type { ExportRecord } from '#test/sandbox/records/work.ts'
import { eventually } from '#test/support/eventually.ts'
import { browserTest, choose, says } from '../support/browser/browser.ts'
import { answered } from '../support/browser/traffic.ts'

const { portal, open } = await browserTest(t)
// Exports run until a test finishes them.
const { exports: exportRecords } = portal.sandbox.state
const add = exportRecords.add.bind(exportRecords)
exportRecords.add = (record) => add({ ...record, runsForMs: 3_600_000 })

/** Step of the clocks. Shorter than the 5 s between two reads of a running export, and than the 5 s for which a message shows. */
const LEAP_MS = 4_000
/** Stops the pages' clocks. Tests advance the clocks, so that no message is missed. */
async function stopTime(context: BrowserContext): Promise<void> {
  const times = await Promise.all(context.pages().map((page) => page.evaluate(() => Date.now())))
  await context.clock.pauseAt(Math.max(...times) + 60_000)
}
/** Advances the pages' clocks in steps until the condition is true. */
async function leapUntil(context: BrowserContext, condition: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (await condition()) return true
    await context.clock.fastForward(LEAP_MS)
    await Promise.all(context.pages().map(answered))
    return false
  })
}
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

t.test(
  'an export of chosen points is started, reports that it is ready, and is downloaded once',
  async (t) => {
    const { page, context, errors } = await open('customer.admin', '/exports', {
      clock: true
    })
    await page.getByRole('button', { name: 'New export' }).click()
    const dialog = page.getByRole('dialog')
    const startButton = dialog.getByRole('button', { name: 'Start export' })
    t.equal(await startButton.getAttribute('aria-disabled'), 'true')
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
    const points = dialog.locator('.plain-list').getByRole('checkbox')
    await points.nth(1).check()
    await points.nth(2).check()
    await dialog.getByText(/About [\d,]+ rows of 2 points/).waitFor()
    await dialog.getByLabel('From', { exact: true }).fill(dayAgo(1))
    await dialog.getByLabel('To', { exact: true }).fill(dayAgo(11))
    await dialog.getByText('The range ends before it begins.').waitFor()
    await dialog.getByLabel('From', { exact: true }).fill(dayAgo(11))
    await says(page, 'Export “Ward temperatures, week” started.', () => startButton.click())
    const record = newest()
    const row = rowOf(page, record.exportName)
    await row.getByText(/Queued|Running/).waitFor()
    await finish(context, record)
    await leapUntil(context, () => page.getByText(readyText(record)).isVisible())
    await leapUntil(context, () => row.getByText('Ready').isVisible())

    await row.getByRole('button', { name: 'Download Ward temperatures, week' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Download' }).click()
    const file = await download
    t.match(file.suggestedFilename(), /^Ward temperatures, week\.csv$/)
    t.equal(await file.failure(), null)
    const auditEntries = portal.sandbox.state.audit.filter(
      ({ action, resource }) => action === 'EXPORT_DOWNLOADED' && resource.id === record.id
    )
    t.equal(auditEntries.length, 1, 'one entry in the audit log')
    t.strictSame(errors, [])
  }
)

/** Opens the exports with a fake clock, and runs an expired export again. */
async function startAgain(name = `Again, ${exportRecords.size}`) {
  const person = await open('partner.admin', '/exports?status=EXPIRED', { clock: true })
  const { page } = person
  await choose(page, /^Actions for/, 'Run again')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await says(page, 'started.', () => dialog.getByRole('button', { name: 'Start export' }).click())
  return { ...person, record: newest() }
}
function newest(): ExportRecord {
  const [record] = [...exportRecords.values()].sort((a, b) => b.createdMs - a.createdMs)
  if (!record) throw new Error('no export was started')
  return record
}
/** Finishes an export. The pages notice the change when their clocks advance. */
async function finish(context: BrowserContext, record: ExportRecord): Promise<void> {
  await stopTime(context)
  record.queuedForMs = 0
  record.runsForMs = 1
}
const waitingExpression = ({ id }: ExportRecord) =>
  `JSON.parse(localStorage.getItem('portal.exports')).waiting.some((one) => one.id === '${id}')`
/** Collects the texts of all messages, because each one shows for only five seconds. */
const COUNT_MESSAGES = `
  messages = []
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node.classList?.contains('toast')) messages.push(node.textContent)
  }).observe(document, { childList: true, subtree: true })
`
const readyText = ({ exportName }: ExportRecord) => `Export “${exportName}” is ready.`

t.test('only one of two tabs polls a running export, and only one reports the ready export', async (t) => {
  const { page, context, record } = await startAgain()
  const otherPage = await context.newPage()
  const pollCounts = new Map<Page, number>([
    [page, 0],
    [otherPage, 0]
  ])
  for (const tab of pollCounts.keys())
    tab.on('request', (request) => {
      // The first tab may also poll before its navigation.
      if (tab.url().endsWith('/reports') && request.url().endsWith(`/exports/${record.id}`))
        pollCounts.set(tab, (pollCounts.get(tab) ?? 0) + 1)
    })
  await page.goto('/reports')
  await otherPage.goto('/reports')
  for (const tab of pollCounts.keys())
    await tab.getByRole('region', { name: 'Messages' }).waitFor({ state: 'attached' })
  const tabs = [...pollCounts.keys()]
  const pollCount = () => [...pollCounts.values()].reduce((sum, count) => sum + count, 0)
  await stopTime(context)
  await leapUntil(context, async () => pollCount() >= 2)
  t.equal([...pollCounts.values()].filter((count) => count > 0).length, 1, 'only one tab polls')
  const messages = () => Promise.all(tabs.map((tab) => tab.getByText(readyText(record)).count()))
  await finish(context, record)
  await leapUntil(context, async () => (await messages()).some((count) => count > 0))
  for (const tab of tabs)
    t.ok(
      await eventually(async () => !(await tab.evaluate<boolean>(waitingExpression(record)))),
      'both tabs know that the export ended'
    )
  t.strictSame((await messages()).sort(), [0, 1])
  await context.close()
})

t.test(
  'the list shows in two tabs that two exports are ready, announced once, and polling ends',
  async (t) => {
    const { page, context, record: first } = await startAgain('First of two')
    await context.addInitScript(COUNT_MESSAGES)
    const otherPage = await context.newPage()
    const tabs = [page, otherPage]
    for (const tab of tabs) await tab.goto('/exports?q=of two')
    await choose(rowOf(page, first.exportName), /^Actions for/, 'Run again')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Second of two')
    await says(page, 'started.', () => dialog.getByRole('button', { name: 'Start export' }).click())
    const second = newest()
    await stopTime(context)
    const records = [first, second]
    const badges = (text: RegExp) =>
      tabs.flatMap((tab) => records.map(({ exportName }) => rowOf(tab, exportName).getByText(text)))
    const allVisible = async (text: RegExp) =>
      (await Promise.all(badges(text).map((badge) => badge.isVisible()))).every(Boolean)
    await leapUntil(context, () => allVisible(/^(Queued|Running)/))

    for (const record of records) Object.assign(record, { queuedForMs: 0, runsForMs: 1 })
    await leapUntil(context, () => allVisible(/^Ready$/))
    for (const tab of tabs)
      for (const { exportName } of records) {
        const downloadButton = rowOf(tab, exportName).getByRole('button', { name: `Download ${exportName}` })
        t.equal(await downloadButton.getAttribute('aria-disabled'), null)
      }

    let polls = 0
    context.on('request', (request) => {
      if (request.url().includes('/egress/exports')) polls += 1
    })
    for (let leaps = 0; leaps < 5; leaps += 1) {
      await context.clock.fastForward(LEAP_MS)
      await Promise.all(tabs.map(answered))
    }
    t.equal(polls, 0)
    const messages = (await Promise.all(tabs.map((tab) => tab.evaluate<string[]>('messages')))).flat()
    for (const record of records)
      t.equal(messages.filter((text) => text.includes(readyText(record))).length, 1, record.exportName)
  }
)
