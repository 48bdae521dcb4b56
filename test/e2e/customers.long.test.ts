// The start page in a real browser: each count leads to a list of exactly as many, by mouse and by keyboard.
import t from 'tap'
import type { AttentionList } from '#shared/attention.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { backupsOf } from '#test/sandbox/simulation/backups.ts'
import { startPortal } from '#test/support/portal.ts'
import { violations } from '../support/browser/axe.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const startedMs = Date.now()
// No alarm is raised and no backup taken between a count and the list that it leads to.
const portal = await startPortal(t, {
  limits: { backgroundGapMs: 0 },
  sandbox: { clock: () => startedMs }
})
const { state } = portal.sandbox
for (const device of state.devices.of(NOTABLE.northwind).slice(0, 30))
  for (const { id } of backupsOf(device, state.clock())) state.backupChanges.set(id, { isDeleted: true })

// All counts are known.
const person = await portal.as('partner.admin')
await eventually(async () => {
  const path = `/api/portal/v1/organizations/${NOTABLE.partner}/attention`
  return (await person.json<AttentionList>(path)).partial.length === 0
}, 300_000)

t.test('each count leads to a list of exactly as many', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/')
  const card = page.getByRole('list', { name: 'What needs attention at Northwind Hospitals' })
  await card.waitFor()
  const chips = (await card.getByRole('link').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  t.equal(chips.length, 6)
  for (const chip of chips) {
    const [, label = '', number = ''] = /^(\D+) ([\d,]+)/.exec(chip) ?? []
    await card.getByRole('link', { name: new RegExp(`^${label} ${number}`) }).click()
    const shown =
      label === 'No backup'
        ? page.getByText(new RegExp(`^${number} devices? of `))
        : page.getByText(new RegExp(`^1–\\d+ of ${number}$`))
    await shown.waitFor()
    t.pass(chip)
    await page.goBack()
    await card.waitFor()
  }
  t.strictSame(errors, [])
})

t.test('the page is fit for everybody, wide and narrow, light and dark', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/')
  await page
    .getByRole('list', { name: /^What needs attention/ })
    .first()
    .waitFor()
  t.strictSame(await violations(page, { widths: [1440, 820, 390] }), [])
  t.notOk(await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
})

t.test('by keyboard: the card, then its counts; the filter keeps the focus', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/')
  await page.getByRole('list', { name: 'What needs attention at Northwind Hospitals' }).waitFor()
  await page.getByRole('link', { name: /^Northwind Hospitals/ }).focus()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  t.match(await focused(), /^Services ended/)
  const filter = page.getByRole('button', { name: /^Needs attention/ })
  await filter.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/show=attention/)
  await filter.and(page.locator('[aria-pressed="true"]')).waitFor()
  t.match(await focused(), /^Needs attention/)
})

t.test('what is asked for while the code is on its way is not asked for again', async (t) => {
  for (const [path, shown] of [
    ['/', 'a.customer-card'],
    [`/customers/${NOTABLE.northwind}`, '.devices tbody a']
  ] as const) {
    const { page, answers, errors } = await openAs(browser, portal, 'partner.admin', path)
    await page.locator(shown).first().waitFor()
    // Who somebody is, is asked again and again.
    const asked = answers
      .map((answer) => answer.url())
      .filter((url) => /\/api\/portal\/v1\/(?!me$)/.test(url))
    t.ok(asked.length >= 2)
    t.equal(new Set(asked).size, asked.length, asked.join('\n'))
    t.strictSame(errors, [])
  }
})
