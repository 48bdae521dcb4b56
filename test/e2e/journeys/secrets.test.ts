import type { Request, Response } from 'playwright-core'
import t from 'tap'
import { calls } from '#shared/calls.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { signInAt, startBrowser } from '../../support/browser/browser.ts'
import { pagesOf } from '../../support/browser/pages.ts'
import { goTo } from '../../support/browser/walk.ts'

const browser = await startBrowser(t)
const JWT = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/

const isDynamic = (answer: Response) => !new URL(answer.url()).pathname.startsWith('/assets/')

/** Whether the answer ends. The live stream stays open. */
const isWhole = (answer: Response) => new URL(answer.url()).pathname !== calls.events({})

t.test('no page receives or stores an access or refresh token', async (t) => {
  // Tokens expire and are refreshed during the test.
  const portal = await startPortal(t, { sandbox: { accessTokenSeconds: 2 } })
  const { page, context, answers } = await signInAt(browser, portal, 'partner.admin')
  // The text of an answer that never ends, such as the answer to a cancelled call, cannot be read.
  const finishedCalls = new Set<Request>()
  context.on('requestfinished', (request) => finishedCalls.add(request))
  const paths = pagesOf(portal)
  for (const path of paths) await goTo(page, path)

  const storage = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])
  )
  t.notMatch(storage, JWT)
  const cookies = await context.cookies(portal.url)
  t.ok(cookies.every(({ httpOnly }) => httpOnly))

  // The tokens that upstreams received.
  const bearers = new Set(
    portal.sandbox.calls.map(({ headers }) => String(headers.authorization ?? '').replace('Bearer ', ''))
  )
  t.ok(bearers.size > 1 && ![...bearers].includes(''), 'tokens were refreshed')
  const ownAnswers = answers.filter((answer) => isDynamic(answer) && finishedCalls.has(answer.request()))
  for (const answer of ownAnswers) {
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
  t.ok(
    ownAnswers.length >= paths.length,
    `${ownAnswers.length} answers of ${paths.length} pages were searched`
  )
})

t.test(
  'the secret of a service account is in one answer only, and in no storage or log once the dialog is closed',
  async (t) => {
    const portal = await startPortal(t)
    const accountPath = `/customers/${NOTABLE.northwind}/serviceaccount/sa-1001-2`
    const { page, context, answers } = await signInAt(browser, portal, 'partner.admin', accountPath)
    const consoleLines: string[] = []
    page.on('console', (message) => consoleLines.push(message.text()))
    const visitedUrls: string[] = []
    page.on('framenavigated', (frame) => visitedUrls.push(frame.url()))

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

    const pageState = await page.evaluate(async () => {
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
      'the storage and content of the page': pageState,
      'the cookies': JSON.stringify(await context.cookies()),
      'the visited addresses': visitedUrls.join(),
      'the console': consoleLines.join(),
      'the log of the gateway': portal.logged.join(),
      'the upstream requests': JSON.stringify(
        portal.sandbox.calls.map(({ url, headers, body }) => [url, headers, body])
      ),
      'the audit log': JSON.stringify(portal.sandbox.state.audit)
    }
    for (const [place, text] of Object.entries(places)) {
      t.ok(text.length > 0 || place === 'the console', `${place}: not empty`)
      t.notOk(text.includes(secret), place)
    }
    const carriers: string[] = []
    for (const answer of answers.filter(isWhole)) {
      const body = await answer.text().catch(() => '')
      if (body.includes(secret))
        carriers.push(`${answer.request().method()} ${new URL(answer.url()).pathname}`)
    }
    t.strictSame(carriers, ['POST /api/v2/management/serviceAccounts/sa-1001-2/secret'])
  }
)
