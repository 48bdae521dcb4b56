// Sessions in a real browser: the countdown in all tabs, their end, and the way back. The gateway's clock is the test's;
// that of the pages moves with it.
import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import {
  bringSession,
  fillSignIn,
  type Person,
  signInAt,
  startBrowser,
  visit
} from '../support/browser/browser.ts'

const NORTHWIND = `/customers/${NOTABLE.northwind}`
const IDLE_SECONDS = 7200
const NOTICE_SECONDS = 600

const browser = await startBrowser(t)
let aheadMs = 0
const portal = await startPortal(t, {
  clock: () => Date.now() + aheadMs,
  env: { SESSION_IDLE_SECONDS: String(IDLE_SECONDS), SESSION_NOTICE_SECONDS: String(NOTICE_SECONDS) },
  // Tokens live on the machine's clock, and sessions on the one that this test moves.
  sandbox: { accessTokenSeconds: 36_000 }
})

const prompt = (page: Page) => page.getByRole('alertdialog', { name: 'Session Expiring' })

/** Two tabs of one browser, on their customer's page; their clocks stand still until `pass` moves them. */
async function openTabs(username = 'customer.admin') {
  aheadMs = 0
  const person = await visit(browser, portal)
  await person.context.clock.install()
  const { page } = person
  const first = watched(page)
  await page.goto(`${NORTHWIND}?q=chiller`)
  await fillSignIn(page, username)
  await first
  const other = await person.context.newPage()
  const second = watched(other)
  await other.goto(NORTHWIND)
  await second
  const pages = [page, other]
  const pass = async (seconds: number) => {
    aheadMs += seconds * 1000
    await person.context.clock.fastForward(seconds * 1000)
  }
  return { ...person, other, pages, pass }
}

/** Waits until the session of a page is watched over: it has been asked how long it lasts. */
async function watched(page: Page) {
  const answer = await page.waitForResponse((response) => response.url().endsWith('/auth/session'))
  await answer.finished()
  await page.getByRole('heading', { level: 1, name: 'Northwind Hospitals' }).waitFor()
}

t.test('the countdown shows in both tabs, and Stay Connected in one closes both', async (t) => {
  const { page, other, pass, pages, answers, context } = await openTabs()
  const asked = () => answers.filter((answer) => answer.url().endsWith('/auth/session')).length
  const before = asked()
  await pass(IDLE_SECONDS / 2)
  t.equal(asked(), before, 'nothing is asked while there is time')
  t.equal(await prompt(page).count(), 0)
  const renewed = page.waitForResponse((answer) => answer.url().endsWith('/auth/session/renew'))
  await page.keyboard.press('Shift')
  await (await renewed).finished()
  await pass(IDLE_SECONDS / 2)
  t.equal(await prompt(page).count(), 0, 'a key was pressed in between')
  await pass(IDLE_SECONDS / 2 - 300)
  for (const one of pages) await prompt(one).waitFor()
  for (const one of pages)
    t.match(await prompt(one).getByRole('timer').textContent(), /^(?:300|[12]\d\d) seconds left$/)
  await other.waitForFunction(() => document.title.includes('Session Expiring'))
  await page.keyboard.press('Escape')
  t.equal(await prompt(page).count(), 1, 'it wants an answer')
  await page.getByRole('button', { name: 'Stay Connected' }).click()
  for (const one of pages) await prompt(one).waitFor({ state: 'detached' })
  await pass(600)
  t.equal(await prompt(page).count(), 0)
  await page.reload()
  await page.getByRole('rowheader').first().waitFor()
  await context.close()
})

t.test(
  'without an answer both tabs are signed out, told when, and led back to where they were',
  async (t) => {
    const { page, other, pass, pages, context } = await openTabs()
    await pass(IDLE_SECONDS - 300)
    for (const one of pages) await prompt(one).waitFor()
    await pass(300)
    for (const one of pages)
      await one.getByRole('heading', { name: /^Your session expired at \d\d:\d\d$/ }).waitFor()
    t.notOk((await context.cookies(portal.url)).some(({ name }) => name === 'portal'))
    t.equal(
      await other.getByRole('link', { name: 'Sign in' }).getAttribute('href'),
      `/auth/login?returnTo=${encodeURIComponent(NORTHWIND)}`
    )
    aheadMs = 0
    // The authority still knows the person: its own session did not end with ours.
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('rowheader').first().waitFor()
    t.equal(page.url(), `${portal.url}${NORTHWIND}?q=chiller`)
    await context.close()
  }
)

t.test('signing out in one tab signs out the other, and each says why', async (t) => {
  const { page, other, pages, context } = await openTabs()
  await page.getByRole('button', { name: /Carla Almeida/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'You signed out' }).waitFor()
  await other.getByText('It was ended in another tab').waitFor()
  t.equal(await page.getByText('It was ended in another tab').count(), 0)
  t.equal(
    await other.getByRole('link', { name: 'Sign in' }).getAttribute('href'),
    `/auth/login?returnTo=${encodeURIComponent(NORTHWIND)}`,
    'and back to where it was'
  )
  for (const one of pages) {
    await one.goto(NORTHWIND)
    await one.getByLabel('User name').waitFor()
  }
  await context.close()
})

t.test('Log Out in the prompt signs out at once', async (t) => {
  const { page, other, pass, context } = await openTabs()
  await pass(IDLE_SECONDS - 300)
  await prompt(page).getByRole('button', { name: 'Log Out' }).click()
  await page.getByRole('heading', { name: 'You signed out' }).waitFor()
  await other.getByRole('heading', { name: 'You signed out' }).waitFor()
  t.notOk((await context.cookies(portal.url)).some(({ name }) => name === 'portal'))
  await context.close()
})

t.test('a session that the authority ended leads to sign-in at the next call, and back', async (t) => {
  aheadMs = 0
  const { page, context } = await signInAt(browser, portal, 'customer.admin', `${NORTHWIND}?q=ahu`)
  await page.getByRole('rowheader').first().waitFor()
  await portal.sandbox.backchannelLogout('customer.admin')
  // Whichever call comes next, of this click or of the page itself.
  page
    .getByRole('button', { name: 'Device', exact: true })
    .click()
    .catch(() => {})
  await fillSignIn(page, 'customer.admin')
  await page.getByRole('rowheader').first().waitFor()
  t.match(page.url(), `${portal.url}${NORTHWIND}?`)
  t.match(page.url(), /q=ahu/)
  await context.close()
})

t.test('somebody else who signs in at another tab is noticed here', async (t) => {
  aheadMs = 0
  const { page, context } = await visit(browser, portal)
  const first = watched(page)
  await page.goto(NORTHWIND)
  await fillSignIn(page, 'customer.admin')
  await first
  const other = await context.newPage()
  // At once: a call of the first tab while nobody is signed in would lead it to the sign-in page.
  await bringSession(context, portal, 'partner.user')
  await other.goto('/')
  await other.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  const dialog = page.getByRole('alertdialog', { name: 'Somebody else has signed in' })
  await dialog.waitFor()
  t.match(await dialog.textContent(), /Peter Umarov signed in.*opened by Carla Almeida/)
  await dialog.getByRole('button', { name: 'Go on as Peter Umarov' }).click()
  await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  await context.close()
})

t.test('/logout loads the configured addresses in hidden frames first, and none but those', async (t) => {
  const seen: string[] = []
  const { createServer } = await import('node:http')
  const elsewhere = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>signed out</p>')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  t.teardown(() => elsewhere.close())
  const host = `http://127.0.0.1:${(elsewhere.address() as { port: number }).port}`
  const own = await startPortal(t, {
    env: { LOGOUT_URLS: `${host}/one/out?from=portal,${host}/two/out` }
  })
  const { page, context, errors }: Person = await signInAt(browser, own, 'partner.user')
  await page.evaluate((address) => {
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
  }, `${host}/three`)
  await page.getByRole('button', { name: /Peter Umarov/ }).click()
  const signedOut = page.waitForRequest((request) => request.url().endsWith('/auth/logout'))
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await signedOut
  t.same([...seen].sort(), ['/one/out?from=portal', '/two/out'], 'before the gateway is asked')
  await page.getByRole('heading', { name: 'You signed out' }).waitFor()
  t.ok(
    errors.some((text) => /frame-src|Framing/.test(text)),
    'the third was refused'
  )
  await context.close()
})
