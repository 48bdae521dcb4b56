// Takes the pictures of README.md: `npm run pictures`.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { AttentionList } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { bringSession, startBrowser, visit } from '#test/support/browser/browser.ts'
import { calm } from '#test/support/browser/calm.ts'
import { deviceOf, historyPath, NORTHWIND } from '#test/support/browser/data-screens.ts'
import { startPortal } from '#test/support/portal.ts'
import { eventually } from '#test/support/redis-server.ts'

const FOLDER = fileURLToPath(new URL('../../.github/pictures', import.meta.url))
const MAX_BYTES = 220_000
/** How long the gateway may take to read the counts of all customers. */
const COUNTS_READ_MS = 120_000
const WIDTH = 1440
const HEIGHT = 740

t.test('takes the pictures', async (t) => {
  mkdirSync(FOLDER, { recursive: true })
  const portal = await startPortal(t)
  const person = await portal.as('partner.admin')
  const unread = async () => (await person.json<AttentionList>(calls.attention(NOTABLE.partner))).partial
  await eventually(async () => (await unread()).length === 0, COUNTS_READ_MS)
  const browser = await startBrowser(t)
  const history = historyPath(deviceOf(portal, 'airHandler'), ['Supply Air Temp'])
  for (const scheme of ['light', 'dark'] as const) {
    const { page, context } = await visit(browser, portal, { width: WIDTH, scheme, reduced: true })
    await page.setViewportSize({ width: WIDTH, height: HEIGHT })
    await bringSession(context, portal, 'partner.admin')
    for (const [name, path, selector] of [
      ['customers', '/', 'tbody tr'],
      ['alarms', '/alarms', 'tbody tr'],
      ['devices', NORTHWIND, 'tbody tr'],
      ['history', history, 'canvas']
    ] as const) {
      await page.goto(path)
      await page.locator(selector).first().waitFor()
      // The sidebar loads last.
      await page.getByRole('switch', { name: 'Tech support access' }).waitFor()
      await calm(page)
      const picture = await page.screenshot({ path: `${FOLDER}/${name}-${scheme}.png` })
      t.ok(picture.length <= MAX_BYTES, `${name}-${scheme}: ${picture.length} bytes`)
    }
  }
})
