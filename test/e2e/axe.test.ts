// Every route of the walk's table under axe, in both themes, on a phone and on a desktop; and what else holds of every page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signInAt, startBrowser, visit } from './browser.ts'
import { goTo, stepsOf } from './walk.ts'

t.setTimeout(600_000)

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WIDTHS = [390, 1280]

const browser = await startBrowser(t)
const portal = await startPortal(t)

/** Waits until nothing has been loading for a while: what is, changes its colours once more when it is there. */
async function calm(page: Page): Promise<void> {
  await page.evaluate(() => {
    const busy = () => document.querySelector('main [aria-busy="true"]') !== null
    return new Promise<void>((resolve) => {
      let frames = 0
      const look = () => {
        frames = busy() ? 0 : frames + 1
        if (frames > 30) resolve()
        else requestAnimationFrame(look)
      }
      look()
    })
  })
}

/** What axe finds, in both themes, at the widths. */
async function violations(page: Page, widths = WIDTHS): Promise<string[]> {
  const found: string[] = []
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of ['light', 'dark']) {
      await calm(page)
      const here = await page.evaluate(async (name) => {
        document.documentElement.dataset.theme = name
        const scope = globalThis as unknown as {
          axe?: {
            run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
          }
        }
        // Colours that are on their way are none yet.
        await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))
        const result = await scope.axe?.run({ resultTypes: ['violations'] })
        return (
          result?.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`) ?? ['no axe']
        )
      }, theme)
      found.push(...here.map((one) => `${width} ${theme} ${one}`))
    }
  }
  return found
}

/** Sideways scrolling of the page in pixels, once the layout has followed the width. */
async function overflow(page: Page): Promise<number> {
  const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  const settled = page.waitForFunction(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    undefined,
    { timeout: 5_000 }
  )
  await settled.catch(() => {})
  return page.evaluate(sideways)
}

for (const walker of ['global.admin+', 'partner.admin', 'no.access'] as const) {
  t.test(
    `every page of ${walker}: no violations, one heading, a title, no sideways scrolling at 320`,
    async (t) => {
      const start = walker.endsWith('+') ? `/integrators/${NOTABLE.partner}` : '/'
      const { page, context } = await signInAt(browser, portal, walker.replace('+', ''), start, {
        width: 1280,
        reduced: true
      })
      const found: Record<string, unknown> = {}
      for (const { path } of stepsOf(walker, portal).filter(({ outcome }) => outcome !== 'out')) {
        await page.setViewportSize({ width: 1280, height: 900 })
        const heading = await goTo(page, path)
        const problems = await violations(page)
        if ((await page.locator('h1').count()) !== 1) problems.push('not one h1')
        if (!(await page.title()).includes(heading.slice(0, 12)))
          problems.push(`title: ${await page.title()}`)
        await page.setViewportSize({ width: 320, height: 700 })
        const sideways = await overflow(page)
        if (sideways > 0) problems.push(`${sideways} pixels sideways`)
        if (problems.length > 0) found[path] = problems
      }
      t.strictSame(found, {})
      await context.close()
    }
  )
}

t.test('pages without a session: no violations', async (t) => {
  const { page, context } = await visit(browser, portal, { width: 1280, reduced: true })
  for (const path of ['/signed-out', '/signin-failed', '/signin-failed?reason=expired']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    t.strictSame(await violations(page), [], path)
  }
  await context.close()
})

t.test('what opens over a page: no violations, by keyboard alone, and the focus comes back', async (t) => {
  const { page, context } = await signInAt(browser, portal, 'partner.admin', '/', {
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
  t.strictSame(await violations(page, [1280]), [], 'notifications')
  await page.keyboard.press('Escape')
  await focused(/^Notifications/)

  for (const name of ['Configure Notifications', 'Recent messages']) {
    await account.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    if (name === 'Recent messages') t.strictSame(await violations(page, [1280]), [], 'the account menu')
    await page.keyboard.press(name[0] as string)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    if (name === 'Configure Notifications') await dialog.getByRole('switch').first().waitFor()
    t.strictSame(await violations(page, [1280]), [], name)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await focused(/Paula Andersson/)
  }

  await page.getByRole('switch', { name: 'Tech support access' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('alertdialog').waitFor()
  t.strictSame(await violations(page, [1280]), [], 'tech support')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  t.strictSame(await violations(page, [390]), [], 'the menu of a phone')
  await page.keyboard.press('Escape')
  await bell.click()
  await page
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('button', { name: /^Mark as/ })
    .first()
    .waitFor()
  t.strictSame(await violations(page, [390]), [], 'notifications on a phone')
  await context.close()
})

t.test('the prompts: no violations', async (t) => {
  const invited = await signInAt(browser, portal, 'invited.user', '/', { width: 1280, reduced: true })
  await invited.page.getByRole('dialog', { name: 'You are invited' }).waitFor()
  t.strictSame(await violations(invited.page), [], 'the invitation')
  await invited.context.close()

  const { page, context } = await signInAt(browser, portal, 'partner.user', '/errors/authorization', {
    width: 1280,
    reduced: true
  })
  await page.route('**/auth/session', (route) =>
    route.fulfill({ json: { authenticated: true, expires_in: 50, expired: false } })
  )
  await page.goto('/')
  await page.getByRole('alertdialog', { name: 'Session Expiring' }).waitFor()
  t.strictSame(await violations(page), [], 'the session')
  await context.close()
})

t.test(
  'the skip link leads to the content, and a theme that was chosen shows before anything is painted',
  async (t) => {
    const { page, context } = await signInAt(browser, portal, 'partner.admin')
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
  const { page, context } = await signInAt(browser, portal, 'partner.admin', '/', {
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
