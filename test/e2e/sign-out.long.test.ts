// Tests who may sign a person out: the person, but no link of another site or page.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t from 'tap'
import { bringSession, startBrowser, visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { startPortal } from '../support/portal.ts'

/** Calls to the application with single logout, whose page needs its scripts and its storage. */
const calls: string[] = []
const LOGOUT_PAGE = `<script>localStorage.setItem('ended', 'yes'); fetch('/ended', { method: 'POST', keepalive: true })</script>`
const otherSite = createServer(({ method, url }, response) => {
  if (url !== '/' && url !== '/favicon.ico') calls.push(`${method} ${url}`)
  const page =
    url === '/out'
      ? LOGOUT_PAGE
      : `<a href="${portal.url}/logout">A prize</a>
         <a href="${portal.url}/signin-failed?reason=unavailable&returnTo=/LOGOUT">A detour</a>`
  response.writeHead(200, { 'content-type': 'text/html' }).end(page)
})
await new Promise<void>((resolve) => otherSite.listen(0, '127.0.0.1', resolve))
t.teardown(() => otherSite.close())
// Another site than localhost.
const otherUrl = `http://127.0.0.1:${(otherSite.address() as AddressInfo).port}`
const browser = await startBrowser(t)
const portal = await startPortal(t, { env: { LOGOUT_URLS: `${otherUrl}/out` } })

async function signedIn(username: string, address: string) {
  const person = await visit(browser, portal)
  await bringSession(person.context, portal, username)
  await person.page.goto(address)
  calls.length = 0
  return person.page
}

const isSignedIn = async (page: Page) =>
  (await page.context().request.get('/auth/session', { headers: { 'x-portal-csrf': '1' } })).json()
const question = (page: Page) => page.getByRole('heading', { name: 'Log out?' })

t.test('a link of another site signs nobody out without a click', async (t) => {
  const page = await signedIn('partner.admin', otherUrl)
  await page.getByRole('link', { name: 'A prize' }).click()
  await question(page).waitFor()
  await page.waitForLoadState('networkidle')
  t.strictSame(calls, [], 'loads no single-logout address')
  t.match(await isSignedIn(page), { authenticated: true })

  await page.reload()
  await question(page).waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(`${portal.url}/signed-out*`)
  t.strictSame(calls, ['GET /out', 'POST /ended'], 'the frame runs its script')
  t.match(await isSignedIn(page), { authenticated: false })
})

t.test('a link of another site to the page of a failed sign-in signs nobody out', async (t) => {
  const page = await signedIn('partner.user', otherUrl)
  await page.getByRole('link', { name: 'A detour' }).click()
  await page.getByRole('link', { name: 'Try now' }).click()
  await page.waitForURL(`${portal.url}/`)
  await calm(page)
  t.strictSame(calls, [], 'loads no single-logout address')
  t.match(await isSignedIn(page), { authenticated: true })

  await page.goto(`${portal.url}/LOGOUT`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  t.match(await isSignedIn(page), { authenticated: true })
})

for (const [site, address] of [
  ['identity provider', portal.sandbox.url],
  ['portal', `${portal.url}/signin-failed`]
] as const) {
  t.test(`an address that a page of the ${site} opens signs nobody out without a click`, async (t) => {
    const page = await signedIn('customer.admin', address)
    await page.evaluate((target) => {
      window.location.href = target
    }, `${portal.url}/logout`)
    await question(page).waitFor()
    await page.waitForLoadState('networkidle')
    t.strictSame(calls, [])
    t.match(await isSignedIn(page), { authenticated: true })
  })
}
