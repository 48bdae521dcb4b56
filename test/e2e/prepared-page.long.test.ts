// Tests the prepared page in a real browser: the page uses every linked call, and makes each call once.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { bringSession, browserTest, type Visit, visit, withoutStream } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { startPortal } from '../support/portal.ts'

const { browser, portal } = await browserTest(t)
const device = `deviceUuid=${portal.sandbox.state.devices.of(NOTABLE.northwind)[0]?.deviceUuid}`
const INTEGRATOR = `/integrators/${NOTABLE.partner}`

declare global {
  interface Window {
    read: string[]
  }
}

function recordReads(): void {
  window.read = []
  const { json } = Response.prototype
  Response.prototype.json = function () {
    window.read.push(this.url)
    return json.call(this)
  }
}

const preloadPaths = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="fetch"]')]
    .filter(({ media }) => matchMedia(media || 'all').matches)
    .map((link) => link.getAttribute('href') ?? '')

type Screen = [username: string, path: string, options?: Visit]
const SCREENS: Screen[] = [
  ['partner.admin', '/'],
  ['customer.user', '/'],
  ['global.admin', '/'],
  ['partner.admin', NORTHWIND],
  ['partner.admin', NORTHWIND, { width: 1024, touch: true }],
  ['partner.admin', NORTHWIND, { width: 390, touch: true }],
  ['global.admin', INTEGRATOR],
  ['global.admin', `${INTEGRATOR}${NORTHWIND}`],
  ['partner.admin', `${NORTHWIND}/devicedetails?${device}`],
  ['partner.admin', `${NORTHWIND}/devicedetails/history?${device}`],
  ['partner.admin', `${NORTHWIND}/alarms`],
  ['partner.admin', '/alarms'],
  ['partner.admin', '/worklists/services'],
  ['partner.admin', '/worklists/devices']
]
for (const [username, path, options = {}] of SCREENS)
  t.test(`${username} at ${path}, ${options.width ?? 1440} px, preloads what the screen uses`, async (t) => {
    const { page, context, answers, errors } = await visit(browser, portal, options)
    await bringSession(context, portal, username)
    await page.addInitScript(recordReads)
    // The stream reports counts that the gateway has just read, and the page then asks for them again.
    await withoutStream(context)
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    await calm(page)
    const paths = await page.evaluate(preloadPaths)
    t.not(paths.length, 0)
    const allRead = (expected: string[]) => expected.every((url) => window.read.includes(url))
    // On a timeout the checks below name each unused preload.
    await page
      .waitForFunction(
        allRead,
        paths.map((path) => portal.url + path)
      )
      .catch(() => undefined)
    const readUrls = await page.evaluate(() => window.read)
    const urls = answers.map((answer) => answer.url())
    for (const path of paths) {
      t.ok(readUrls.includes(portal.url + path), `${path} is used`)
      t.equal(urls.filter((url) => url === portal.url + path).length, 1, `${path} is requested once`)
    }
    t.notOk(urls.includes(`${portal.url}/api/portal/v1/bootstrap`), 'the page contains the bootstrap')
    t.strictSame(errors, [])
  })

t.test('serves the page unchanged without a session', async (t) => {
  const { page } = await visit(browser, portal)
  const answer = await page.goto('/signed-out')
  t.equal(answer?.headers()['cache-control'], 'no-cache')
  t.notMatch(await answer?.text(), 'id="bootstrap"')
})

t.test('a page that was sent without the bootstrap fetches it', async (t) => {
  const { sandbox } = portal
  const hasty = await startPortal(t, { startedSandbox: sandbox, limits: { pageWaitMs: 0 } })
  const { page, context, answers, errors } = await visit(browser, hasty)
  await bringSession(context, hasty, 'partner.admin')
  const answer = await page.goto(NORTHWIND)
  t.notMatch(await answer?.text(), 'id="bootstrap"')
  await page.getByRole('rowheader').first().waitFor()
  const bootstraps = answers.filter((one) => one.url() === `${hasty.url}/api/portal/v1/bootstrap`)
  t.equal(bootstraps.length, 1)
  t.strictSame(errors, [])
})
