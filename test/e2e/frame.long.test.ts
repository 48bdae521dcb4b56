import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { violations } from '../support/browser/axe.ts'
import { bringSession, browserTest, choose, visit } from '../support/browser/browser.ts'

const NOTICE_SECONDS = 600
const { browser, portal, open } = await browserTest(t, {
  env: {
    SESSION_NOTICE_SECONDS: String(NOTICE_SECONDS),
    FEATURE_FLAGS: 'enableServiceBanner',
    SERVICE_BANNER: 'Maintenance on Sunday.'
  }
})

t.test('Escape asks before discarding changes, also when pressed twice', async (t) => {
  const { page } = await open('partner.admin')
  await choose(page, /Paula Andersson/, 'Configure Notifications')
  const settings = page.getByRole('dialog', { name: 'Configure Notifications' })
  await settings.getByRole('switch').first().click()
  const discardDialog = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Escape')
    await discardDialog.waitFor({ state: press % 2 === 0 ? 'visible' : 'detached' })
    // The browser closes the dialog at the second press, and the portal opens the dialog again.
    await settings.waitFor()
  }
  await discardDialog.getByRole('button', { name: 'Discard' }).click()
  await settings.waitFor({ state: 'detached' })
  t.pass()
})

t.test('a banner does not shift the layout, and forced colours show the state of a switch', async (t) => {
  const { page, context } = await visit(browser, portal)
  await bringSession(context, portal, 'partner.admin')
  await page.addInitScript(() => {
    const tops = new Set<number>()
    Object.assign(window, { tops })
    const recordTop = () => {
      const foot = document.querySelector('.sidebar-foot')
      if (foot) tops.add(Math.round(foot.getBoundingClientRect().top))
      requestAnimationFrame(recordTop)
    }
    recordTop()
  })
  await page.goto(`/customers/${NOTABLE.northwind}`)
  await page.getByText('Maintenance on Sunday.').waitFor()
  await page.getByText(/^Since /).waitFor()
  const tops = await page.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])
  t.equal(tops.length, 1, `the foot of the sidebar moved: ${tops}`)

  await page.emulateMedia({ forcedColors: 'active' })
  const backgroundOf = (pseudo?: string) =>
    page
      .locator('.tech-support [role="switch"]')
      .evaluate((element, part) => getComputedStyle(element, part).backgroundColor, pseudo)
  t.not(await backgroundOf('::before'), await backgroundOf(), 'forced colours show the thumb of a switch')
  await page.emulateMedia({ forcedColors: 'none' })
})

t.test('axe finds no violation in the prompts of an invitation and of a session', async (t) => {
  const invitee = await open('invited.user', '/', { width: 1280, reduced: true })
  await invitee.page.getByRole('heading', { level: 1, name: 'You are invited' }).waitFor()
  t.equal(new URL(invitee.page.url()).pathname, '/errors/authorization')
  t.equal(await invitee.page.getByText('Access denied').count(), 0)
  await invitee.page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  await invitee.page
    .getByRole('button', { name: /^Answer/ })
    .first()
    .click()
  await invitee.page.getByRole('dialog', { name: 'You are invited' }).waitFor()
  t.strictSame(await violations(invitee.page), [], 'the prompt of an invitation')

  const { page } = await open('partner.user', '/errors/authorization', {
    width: 1280,
    reduced: true
  })
  await page.route('**/auth/session', (route) =>
    route.fulfill({ json: { authenticated: true, expires_in: NOTICE_SECONDS - 1, expired: false } })
  )
  await page.goto('/')
  await page.getByRole('alertdialog', { name: 'Session Expiring' }).waitFor()
  t.strictSame(await violations(page), [], 'the prompt of a session')
})

t.test('the skip link leads to the content, and the chosen theme applies from the first frame', async (t) => {
  const { page } = await open('partner.admin')
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.id === 'main')
  await page.evaluate(() => localStorage.setItem('portal.theme', 'dark'))
  await page.reload({ waitUntil: 'commit' })
  const theme = await page.waitForFunction(() => document.body && document.documentElement.dataset.theme)
  t.equal(await theme.jsonValue(), 'dark')
})

t.test('the current entry of the menu has one look, also under the pointer', async (t) => {
  const { page } = await open('partner.admin', '/', { reduced: true })
  const home = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' })
  const lookOf = () =>
    home.evaluate((entry) => {
      const { color, backgroundColor } = getComputedStyle(entry)
      return { color, backgroundColor }
    })
  await page.mouse.move(700, 500)
  const look = await lookOf()
  await home.hover()
  t.strictSame(await lookOf(), look)
})

t.test('on a narrow desk, the menu has tech support, privacy and version behind a button', async (t) => {
  const { page, errors } = await open('partner.admin', '/reports', { width: 1280, reduced: true })
  await page.getByText('Version 1.0').waitFor({ state: 'detached' })
  const button = page.getByRole('button', { name: 'Support, privacy and version' })
  await button.click()
  const support = page.getByRole('switch', { name: 'Tech support access' })
  await support.waitFor()
  t.ok(await page.getByText('Version 1.0').isVisible())
  t.strictSame(await violations(page), [])
  await support.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await support.focus()
  await page.keyboard.press('Escape')
  t.equal(await support.count(), 0)
  t.ok(await button.evaluate((element) => element === document.activeElement))
  t.strictSame(errors, [])
})
