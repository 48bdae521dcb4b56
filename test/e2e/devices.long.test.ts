import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)
const LONG_NAME = 'Supply Air Handling Unit 12-NW'
// Rename before the first call, because the gateway caches its answer.
for (const device of portal.sandbox.state.devices.of(NOTABLE.northwind)) device.deviceName = LONG_NAME

t.test('at 1280 px no device name of 30 characters is cut, and the search is 240 px wide', async (t) => {
  const { page } = await open('partner.admin', `${NORTHWIND}?expires=0`)
  await page.setViewportSize({ width: 1280, height: 860 })
  await calm(page)
  const names = page.locator('.devices tbody th').filter({ hasText: LONG_NAME })
  t.equal(await names.count(), 15)
  const cutTexts = await names.evaluateAll((cells) =>
    cells
      .flatMap((cell) => [cell, ...cell.querySelectorAll('*')])
      .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1)
      .map((node) => node.textContent)
  )
  t.strictSame(cutTexts, [])
  const searchBox = await page.locator('.devices').getByRole('searchbox').boundingBox()
  t.ok((searchBox?.width ?? 0) >= 240, `${searchBox?.width} px`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await calm(page)
  const createBox = await page.getByRole('button', { name: 'Create New Project' }).boundingBox()
  t.ok(createBox && createBox.y + createBox.height <= 900)
})

t.test('on a phone the start page has one row of tools, 44 px high', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 390, touch: true })
  await calm(page)
  const tools = page.locator('.customers > .toolbar').locator('input, button, select')
  const boxes = await tools.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()))
  t.equal(new Set(boxes.map(({ y }) => y)).size, 1)
  t.strictSame(
    boxes.filter(({ width, height }) => width < 44 || height < 44),
    []
  )
})
