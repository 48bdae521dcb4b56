// Takes the pictures of README.md: `npm run pictures`.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { bringSession, startBrowser, visit } from '#test/support/browser/browser.ts'
import { deviceOf, historyPath, NORTHWIND } from '#test/support/browser/data-screens.ts'
import { answered } from '#test/support/browser/traffic.ts'
import { startPortal } from '#test/support/portal.ts'

const FOLDER = fileURLToPath(new URL('../.github/pictures', import.meta.url))
const MAX_BYTES = 150_000
const WIDTH = 1120
const HEIGHT = 580

t.test('takes the pictures', async (t) => {
  mkdirSync(FOLDER, { recursive: true })
  const portal = await startPortal(t)
  const browser = await startBrowser(t)
  const history = historyPath(deviceOf(portal, 'airHandler'), ['Supply Air Temp'])
  for (const scheme of ['light', 'dark'] as const) {
    const { page, context } = await visit(browser, portal, { width: WIDTH, scheme, reduced: true })
    await page.setViewportSize({ width: WIDTH, height: HEIGHT })
    await bringSession(context, portal, 'partner.admin')
    for (const [name, path, selector] of [
      ['customers', '/', 'h1'],
      ['devices', NORTHWIND, 'tbody tr'],
      ['history', history, 'canvas']
    ] as const) {
      await page.goto(path)
      await page.locator(selector).first().waitFor()
      await answered(page)
      const picture = await page.screenshot({ path: `${FOLDER}/${name}-${scheme}.png` })
      t.ok(picture.length <= MAX_BYTES, `${name}-${scheme}: ${picture.length} bytes`)
    }
  }
})
