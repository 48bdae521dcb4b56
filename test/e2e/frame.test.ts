// The frame around every page: what opens over it under axe and by keyboard alone, what it does for who wants no motion, and
// that it stands whatever it is told.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { bringSession, openAs, startBrowser, visit } from './browser.ts'
import { violations, WIDTHS } from './support/axe.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

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

t.test('the prompts: no violations', async (t) => {
  const invited = await openAs(browser, portal, 'invited.user', '/', { width: 1280, reduced: true })
  await invited.page.getByRole('dialog', { name: 'You are invited' }).waitFor()
  t.strictSame(await violations(invited.page, WIDTHS), [], 'the invitation')
  await invited.context.close()

  const { page, context } = await openAs(browser, portal, 'partner.user', '/errors/authorization', {
    width: 1280,
    reduced: true
  })
  await page.route('**/auth/session', (route) =>
    route.fulfill({ json: { authenticated: true, expires_in: 50, expired: false } })
  )
  await page.goto('/')
  await page.getByRole('alertdialog', { name: 'Session Expiring' }).waitFor()
  t.strictSame(await violations(page, WIDTHS), [], 'the session')
  await context.close()
})

t.test(
  'the skip link leads to the content, and a theme that was chosen shows before anything is painted',
  async (t) => {
    const { page, context } = await openAs(browser, portal, 'partner.admin')
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
    await page.keyboard.press('Enter')
    t.equal(await page.evaluate(() => document.activeElement?.id), 'main')
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
  t.strictSame(await violations(page, WIDTHS), [])
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
    await page.getByRole('menuitem', { name: 'Configure Notifications' }).click()
    await page.getByText('An error occurred while fetching notification details.').waitFor()
    t.equal(await page.getByRole('dialog').count(), 0)
    t.equal(await page.getByRole('complementary', { name: 'Service message' }).count(), 0)
    await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
    t.strictSame(errors, [])
    await context.close()
  }
)
