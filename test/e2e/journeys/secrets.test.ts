import type { Request, Response } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { signInAt, startBrowser } from '../../support/browser/browser.ts'
import { pagesOf } from '../../support/browser/pages.ts'
import { goTo } from '../../support/browser/walk.ts'

const browser = await startBrowser(t)
const JWT = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/

const isOwn = (answer: Response) => !new URL(answer.url()).pathname.startsWith('/assets/')

t.test('no page receives or stores an access or refresh token', async (t) => {
  // Tokens are refreshed on the way.
  const portal = await startPortal(t, { sandbox: { accessTokenSeconds: 20 } })
  const { page, context, answers } = await signInAt(browser, portal, 'partner.admin')
  // The text of an answer that never ends, as of a call that was cancelled, cannot be read.
  const ended = new Set<Request>()
  context.on('requestfinished', (request) => ended.add(request))
  for (const path of pagesOf(portal)) await goTo(page, path)
  for (const path of pagesOf(portal)) await goTo(page, path)

  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])
  )
  t.notMatch(kept, JWT)
  const cookies = await context.cookies(portal.url)
  t.ok(cookies.every(({ httpOnly }) => httpOnly))

  // The tokens that upstreams received.
  const bearers = new Set(
    portal.sandbox.calls.map(({ headers }) => String(headers.authorization ?? '').replace('Bearer ', ''))
  )
  t.ok(bearers.size > 0 && ![...bearers].includes(''))
  const own = answers.filter((answer) => isOwn(answer) && ended.has(answer.request()))
  for (const answer of own) {
    const text = [
      answer.url(),
      JSON.stringify(await answer.headersArray()),
      await answer.text().catch(() => '')
    ].join()
    t.notMatch(text, JWT, answer.url())
    t.notMatch(text, /refresh_token|access_token/, answer.url())
    t.notOk(
      [...bearers].some((token) => text.includes(token)),
      answer.url()
    )
  }
  t.ok(own.length > 50, `${own.length} answers were searched`)
})

t.test(
  'the secret of a service account is in one answer, and in no storage or log after it is stored',
  async (t) => {
    const portal = await startPortal(t)
    const here = `/customers/${NOTABLE.northwind}/serviceaccount/sa-1001-2`
    const { page, context, answers } = await signInAt(browser, portal, 'partner.admin', here)
    const printed: string[] = []
    page.on('console', (message) => printed.push(message.text()))
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
      console: printed.join(),
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
    const carriers: string[] = []
    for (const answer of answers) {
      const body = await answer.text().catch(() => '')
      if (body.includes(secret))
        carriers.push(`${answer.request().method()} ${new URL(answer.url()).pathname}`)
    }
    t.strictSame(carriers, ['POST /api/v2/management/serviceAccounts/sa-1001-2/secret'])
  }
)
