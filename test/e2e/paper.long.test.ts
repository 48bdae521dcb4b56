import t from 'tap'
import { browserTest } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, devicePath, historyPath, NORTHWIND } from '../support/browser/data-screens.ts'
import { cutWords, print, printedTools, SHEETS } from '../support/browser/paper.ts'
import { optionalProgram } from '../support/machine.ts'

const A4 = { format: 'A4', landscape: false } as const

if (optionalProgram(t, 'pdftotext')) {
  const { portal, open } = await browserTest(t)

  const LISTS: [path: string, title: string][] = [
    ['/alarms', 'Alarms'],
    [NORTHWIND, 'Northwind Hospitals'],
    ['/users', 'Users'],
    ['/auditlog?range=30d', 'Last 30 days'],
    ['/reports', 'Reports'],
    [`${NORTHWIND}/savedbackups`, 'Backups'],
    [devicePath(deviceOf(portal, 'airHandler')), 'AHU']
  ]

  for (const [path, title] of LISTS)
    t.test(`prints without tools, whole and with its head, on every paper: ${path}`, async (t) => {
      const { page } = await open('partner.admin', path)
      await page.locator('.list-card, .point-list, table').first().waitFor()
      await calm(page)
      // Rows change places while further customers are read.
      await page.getByText(/not read or late/).waitFor({ state: 'detached' })
      const names = await page
        .locator('.list-card tbody th')
        .evaluateAll((cells) =>
          cells.flatMap((cell) =>
            Array.from(cell.querySelectorAll('a, .stacked > *'), ({ textContent }) => textContent)
          )
        )
      for (const sheet of SHEETS) {
        const pages = await print(page, sheet)
        const text = pages.map((one) => one.text).join(' ')
        const name = `${sheet.format} ${sheet.landscape ? 'landscape' : 'portrait'}`
        t.match(text, title, name)
        t.match(text, 'Meridian Building Controls')
        t.match(text, /Printed \d\d-\w{3}-\d{4} \d\d:\d\d by /)
        t.match(text, /Times in /)
        t.match(text, `Page ${pages.length} of `)
        for (const tool of ['Skip to content', 'Registration', 'Export', 'Clear all']) t.notMatch(text, tool)
        const squeezed = text.replace(/\s/g, '')
        for (const name of names) t.ok(squeezed.includes(name.replace(/\s/g, '')), name)
        t.strictSame(cutWords(pages), [])
      }
      await page.emulateMedia({ media: 'print' })
      t.strictSame(await page.evaluate(printedTools), [])
    })

  t.test('prints the chosen filters and the search, and light in the dark theme', async (t) => {
    const { page } = await open('partner.admin', '/users?role=3&q=an', { scheme: 'dark' })
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
    await page.locator('.filter-chips').waitFor()
    await calm(page)
    const [first] = await print(page, A4)
    t.match(first?.text, /Search: an/)
    t.match(first?.text, /Role: /)
    await page.emulateMedia({ media: 'print' })
    const colors = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body)
      return { color, backgroundColor }
    })
    t.strictSame(colors, { color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' })
  })

  t.test(
    'prints a history with its period and zone, and its charts light and as wide as the page',
    async (t) => {
      const query = '&from=2026-10-01T00:00Z&to=2026-10-08T00:00Z&zone=Europe/Berlin'
      const path = historyPath(
        deviceOf(portal, 'airHandler'),
        ['Supply Air Temp', 'Supply Fan Command'],
        query
      )
      const { page } = await open('partner.admin', path, { width: 1920 })
      await page.evaluate(() => localStorage.setItem('portal.theme', 'dark'))
      await page.reload()
      await page.locator('.uplot').first().waitFor()
      await calm(page)
      const text = (await print(page, A4)).map((one) => one.text).join(' ')
      for (const words of [
        'Supply Air Temp',
        '01-Oct-2026 02:00 to 08-Oct-2026 02:00',
        'Times in Europe/Berlin',
        'Avg'
      ])
        t.match(text, words)
      t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
      await page.emulateMedia({ media: 'print' })
      await page.locator('html[data-theme="light"]').waitFor()
      t.strictSame(await page.evaluate(printedTools), [])
      const ratios = await page.locator('.uplot canvas').evaluateAll((canvases) =>
        canvases.map((canvas) => {
          const plot = canvas.closest('.chart-plot')
          return canvas.getBoundingClientRect().width / (plot?.getBoundingClientRect().width ?? 0)
        })
      )
      t.ok(ratios.length > 0)
      for (const ratio of ratios) t.equal(ratio, 1)
    }
  )

  t.test('repeats the head of a table on each page', async (t) => {
    const { page } = await open('partner.admin', '/alarms')
    await page.locator('.list-card tbody tr').first().waitFor()
    await calm(page)
    const pages = await print(page, { format: 'Letter', landscape: true })
    t.ok(pages.length > 1, `${pages.length} pages`)
    for (const { text } of pages) t.match(text, 'Source')
  })

  t.test('prints all rows that match the filters, and then shows the page again', async (t) => {
    const { page } = await open('partner.admin', '/auditlog?range=30d')
    const rows = page.locator('.list-card tbody tr')
    await rows.first().waitFor()
    await calm(page)
    const shown = await rows.count()
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-was-printed', '')
    })
    const button = page.getByRole('button', { name: /^Print (all|the first) [\d,]+ / })
    const total = Number((await button.getAttribute('aria-label'))?.replace(/\D/g, ''))
    t.ok(total > shown && total <= 1000, `${total} rows`)
    await button.click()
    await page.locator('html[data-was-printed]').waitFor()
    t.equal(await rows.count(), total)
    const text = (await print(page, A4)).map((one) => one.text).join(' ')
    t.match(text, `1–${total.toLocaleString('en')} of `)
    const lastTime = await rows.last().locator('time').first().innerText()
    t.ok(text.replace(/\s/g, '').includes(lastTime.replace(/\s/g, '')), lastTime)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await rows.nth(shown).waitFor({ state: 'detached' })
    t.equal(await rows.count(), shown)
  })

  t.test('keeps the layout of the window while it prints, and after it', async (t) => {
    const { page } = await open('partner.admin', '/users')
    await page.locator('.list-card tbody tr').first().waitFor()
    await calm(page)
    const rows = await page.locator('.list-card tbody tr').count()
    await print(page, A4)
    t.equal(await page.locator('html').getAttribute('data-layout'), 'desktop')
    t.equal(await page.locator('.list-card tbody tr').count(), rows)
    t.equal(await page.locator('.print-head').count(), 0)
  })
}
