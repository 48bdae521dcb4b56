import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signInAt, startBrowser } from './browser.ts'

t.test('a secret is in nothing that the browser keeps or the logs hold once it was stored', async (t) => {
  const browser = await startBrowser(t)
  const portal = await startPortal(t)
  const here = `/customers/${NOTABLE.northwind}/serviceaccount/sa-1001-2`
  const { page, context, answers } = await signInAt(browser, portal, 'partner.admin', here)
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(frame.url()))

  await page.getByRole('button', { name: 'Regenerate secret' }).click()
  await page.getByLabel('Type “Fault Detection” to confirm').fill('Fault Detection')
  await page.keyboard.press('Enter')
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  t.ok(secret.length > 30)
  await page.getByRole('checkbox', { name: 'I have stored the secret' }).check()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Active', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Service Accounts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Service Accounts' }).waitFor()

  const kept = await page.evaluate(async () => {
    const files = []
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) files.push(request.url)
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      document.documentElement.outerHTML,
      history.state,
      location.href,
      await indexedDB.databases(),
      files,
      performance.getEntries().map(({ name }) => name)
    ])
  })
  const places: Record<string, string> = {
    'what the page keeps and shows': kept,
    cookies: JSON.stringify(await context.cookies()),
    'addresses that were visited': visited.join(),
    console: said.join(),
    'the log of the gateway': portal.logged.join(),
    'what was sent upstream': JSON.stringify(
      portal.sandbox.calls.map(({ url, headers, body }) => [url, headers, body])
    ),
    'the audit log': JSON.stringify(portal.sandbox.state.audit)
  }
  for (const [place, text] of Object.entries(places)) {
    t.ok(text.length > 0 || place === 'console', `there is something in ${place}`)
    t.notOk(text.includes(secret), place)
  }
  const telling: string[] = []
  for (const answer of answers) {
    const body = await answer.text().catch(() => '')
    if (body.includes(secret)) telling.push(`${answer.request().method()} ${new URL(answer.url()).pathname}`)
  }
  t.strictSame(telling, ['POST /api/v2/management/serviceAccounts/sa-1001-2/secret'], 'told once')
})
