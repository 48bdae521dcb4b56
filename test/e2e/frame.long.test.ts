// The frame around every page: what opens over it under axe and by keyboard alone, what it does for who wants no motion, and
// that it stands whatever it is told.
import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { violations, WIDTHS } from '../support/browser/axe.ts'
import { bringSession, openAs, startBrowser, visit } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
/** Time to look at what it shows. */
const NOTICE_SECONDS = 600
const portal = await startPortal(t, { env: { SESSION_NOTICE_SECONDS: String(NOTICE_SECONDS) } })

t.test('what opens over a page: no violations, by keyboard alone, and the focus comes back', async (t) => {
  const { page, context } = await openAs(browser, portal, 'partner.admin', '/', {
    width: 1280,
    reduced: true
  })
  const bell = page.getByRole('button', { name: /^Notifications/ })
  const account = page.getByRole('button', { name: /Paula Andersson/ })
  const focused = (name: RegExp) =>
    page.waitForFunction(
      (source) =>
        new RegExp(source).test(
          document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''
        ),
      name.source
    )

  await bell.focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('button', { name: /^Mark as/ })
    .first()
    .waitFor()
  t.strictSame(await violations(page), [], 'notifications')
  await page.keyboard.press('Escape')
  await focused(/^Notifications/)

  for (const name of ['Configure Notifications', 'Recent messages']) {
    await account.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    if (name === 'Recent messages') t.strictSame(await violations(page), [], 'the account menu')
    await page.keyboard.press(name[0] as string)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    if (name === 'Configure Notifications') await dialog.getByRole('switch').first().waitFor()
    t.strictSame(await violations(page), [], name)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await focused(/Paula Andersson/)
  }

  await account.click()
  await page.getByRole('menuitem', { name: 'Configure Notifications' }).click()
  const settings = page.getByRole('dialog', { name: 'Configure Notifications' })
  await settings.getByRole('switch').first().click()
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Escape')
    await question.waitFor({ state: press % 2 === 0 ? 'visible' : 'detached' })
    // A browser closes it at the second one, and it opens again.
    await settings.waitFor()
  }
  t.strictSame(await violations(page), [], 'the question')
  await question.getByRole('button', { name: 'Discard' }).click()
  await settings.waitFor({ state: 'detached' })

  await page.getByRole('switch', { name: 'Tech support access' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('alertdialog').waitFor()
  t.strictSame(await violations(page), [], 'tech support')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  t.strictSame(await violations(page), [], 'the menu of a phone')
  await page.keyboard.press('Escape')
  await bell.click()
  await page
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('button', { name: /^Mark as/ })
    .first()
    .waitFor()
  t.strictSame(await violations(page), [], 'notifications on a phone')
  await context.close()
})

t.test('what stands at the edges of a page stays there, and shows in a forced palette', async (t) => {
  const { page, context } = await visit(browser, portal)
  await bringSession(context, portal, 'partner.admin')
  await page.route('**/api/portal/v1/bootstrap', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), banner: 'Maintenance on Sunday.' } })
  })
  await page.addInitScript(() => {
    const tops = new Set<number>()
    Object.assign(window, { tops })
    const look = () => {
      const foot = document.querySelector('.sidebar-foot')
      if (foot) tops.add(Math.round(foot.getBoundingClientRect().top))
      requestAnimationFrame(look)
    }
    look()
  })
  await page.goto(`/customers/${NOTABLE.northwind}`)
  await page.getByText('Maintenance on Sunday.').waitFor()
  await page.getByText(/^Since /).waitFor()
  const tops = await page.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])
  t.equal(tops.length, 1, `the foot of the sidebar moved: ${tops}`)
  const version = await page.getByText('Version 1.0').boundingBox()
  t.ok(version && version.y + version.height <= 900, 'the banner pushes nothing away')

  const backgroundOf = (selector: string, pseudo?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one, part) => getComputedStyle(one, part).backgroundColor, pseudo)
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
  const row = 'tr[data-selected]'
  // Once they have faded over.
  await eventually(
    async () => (await backgroundOf(`${row} .service-links a`)) !== (await backgroundOf(`${row} > td`))
  )
  t.pass('chips stand out')
  const search = page.getByRole('searchbox', { name: 'Search Project' })
  await search.fill('wing')
  t.equal(await bluePixels(page, await search.screenshot()), 0, 'the cross is muted')

  await page.emulateMedia({ forcedColors: 'active' })
  const SWITCH = '.tech-support [role="switch"]'
  t.not(await backgroundOf(SWITCH, '::before'), await backgroundOf(SWITCH), 'the thumb on its track')
  await page.emulateMedia({ forcedColors: 'none' })

  await page.setViewportSize({ width: 1440, height: 600 })
  await page.mouse.move(700, 500)
  await page.mouse.wheel(0, 500)
  await page.waitForFunction(() => window.scrollY > 100)
  await context.setOffline(true)
  const offline = await page.getByText(/^You are offline/).boundingBox()
  t.ok(offline && offline.y >= 56 && offline.y < 120, 'below the header of a page that is scrolled')
  await context.close()
})

/** How many points of a picture are of a browser's own blue. */
function bluePixels(page: Page, png: Buffer): Promise<number> {
  return page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
      canvas?.drawImage(image, 0, 0)
      const { data = [] } = canvas?.getImageData(0, 0, image.width, image.height) ?? {}
      let blue = 0
      for (let at = 0; at < data.length; at += 4)
        if (Number(data[at + 2]) - Math.max(Number(data[at]), Number(data[at + 1])) > 60) blue += 1
      return blue
    },
    `data:image/png;base64,${png.toString('base64')}`
  )
}

t.test('the prompts: no violations', async (t) => {
  const invited = await openAs(browser, portal, 'invited.user', '/', { width: 1280, reduced: true })
  await invited.page.getByRole('heading', { level: 1, name: 'You are invited' }).waitFor()
  t.equal(new URL(invited.page.url()).pathname, '/errors/authorization')
  t.equal(await invited.page.getByText('Access denied').count(), 0)
  await invited.page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  await invited.page
    .getByRole('button', { name: /^Answer/ })
    .first()
    .click()
  await invited.page.getByRole('dialog', { name: 'You are invited' }).waitFor()
  t.strictSame(await violations(invited.page, { widths: WIDTHS }), [], 'the invitation')
  await invited.context.close()

  const { page, context } = await openAs(browser, portal, 'partner.user', '/errors/authorization', {
    width: 1280,
    reduced: true
  })
  await page.route('**/auth/session', (route) =>
    route.fulfill({ json: { authenticated: true, expires_in: NOTICE_SECONDS - 1, expired: false } })
  )
  await page.goto('/')
  await page.getByRole('alertdialog', { name: 'Session Expiring' }).waitFor()
  t.strictSame(await violations(page, { widths: WIDTHS }), [], 'the session')
  await context.close()
})

t.test(
  'the skip link leads to the content, and a theme that was chosen shows before anything is painted',
  async (t) => {
    const { page, context } = await openAs(browser, portal, 'partner.admin')
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'main')
    await page.evaluate(() => localStorage.setItem('portal.theme', 'dark'))
    await page.reload({ waitUntil: 'commit' })
    const first = await page.waitForFunction(() => document.body && document.documentElement.dataset.theme)
    t.equal(await first.jsonValue(), 'dark')
    await context.close()
  }
)

t.test('who wants no motion gets none', async (t) => {
  const { page, context } = await openAs(browser, portal, 'partner.admin', '/', {
    width: 390,
    reduced: true
  })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.locator('dialog').waitFor()
  const longest = await page.evaluate(() =>
    Math.max(
      0,
      ...document.getAnimations().map((one) => Number(one.effect?.getComputedTiming().duration ?? 0))
    )
  )
  t.ok(longest <= 200, `${longest} ms`)
  t.equal(
    await page.evaluate(() => getComputedStyle(document.querySelector('dialog') as Element).animationName),
    'none'
  )
  await context.close()
})

t.test('a newer build is said without disturbing, by keyboard too, and Reload fetches it', async (t) => {
  const { page, context, errors, answers } = await openAs(browser, portal, 'partner.admin')
  const watched = (url: string) => url.endsWith('/auth/session')
  if (!answers.some((answer) => watched(answer.url())))
    await page.waitForResponse((answer) => watched(answer.url()))
  const served = await context.request.get('/index.html')
  const html = (await served.text()).replace(/(\/assets\/[\w-]+)\.js/g, '$1-newer.js')
  await page.route('**/index.html', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  const strip = page.getByText('There is a new version of the portal.')
  t.equal(await strip.count(), 0)
  const asked = page.waitForRequest('**/index.html')
  await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')))
  await asked
  await strip.waitFor()
  t.strictSame(await violations(page, { widths: WIDTHS }), [])
  const begun = await page.evaluate(() => performance.timeOrigin)
  await page.getByRole('button', { name: 'Reload' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction((before) => performance.timeOrigin > before, begun)
  await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  t.equal(await strip.count(), 0)
  t.strictSame(errors, [])
  await context.close()
})

t.test(
  'notifications, settings, invitations and a banner that are broken leave the page standing',
  async (t) => {
    const { page, context, errors } = await visit(browser, portal)
    await bringSession(context, portal, 'partner.admin')
    const odd = [
      {
        notificationId: 'n-1',
        subject: null,
        content: '<img src=x onerror=boom()> {unknown} {',
        substitutions: null
      },
      {
        notificationId: 'n-2',
        subject: { a: 1 },
        content: 7,
        generatedDate: 'someday',
        substitutions: 'none'
      },
      null
    ]
    await page.route(/\/notifier\/users\/[^/]+\/inapp/, (route) =>
      route.fulfill({
        json: { content: odd, page: { number: 0, size: 20, totalPages: 1, totalElements: 3 } }
      })
    )
    await page.route('**/api/v1/notifications/users/*', (route) => route.fulfill({ json: { none: true } }))
    await page.route('**/myUser/userInvitations', (route) =>
      route.fulfill({ json: { _embedded: { userInvitations: [null, { id: 7 }, 'x'] } } })
    )
    await page.route('**/api/portal/v1/bootstrap', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), banner: { text: 'x' } } })
    })
    await page.goto('/')
    await page.getByRole('button', { name: 'Notifications, 3 unread' }).click()
    await page.getByText('<img src=x onerror=boom()> …', { exact: false }).waitFor()
    t.equal(await page.getByRole('dialog').getByRole('listitem').count(), 2)
    t.equal(await page.getByRole('dialog').locator('img').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Paula Andersson/ }).click()
    await Promise.all([
      page.getByText('An error occurred while fetching notification details.').waitFor(),
      page.getByRole('menuitem', { name: 'Configure Notifications' }).click()
    ])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal(await page.getByRole('complementary', { name: 'Service message' }).count(), 0)
    await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
    t.strictSame(errors, [])
    await context.close()
  }
)
