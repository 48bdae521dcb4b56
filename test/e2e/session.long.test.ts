// Tests how sessions and rights end. The tests advance the clocks.
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { ACCESS_CHANGED } from '#client/lib/messages.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn } from '#test/support/portal.ts'
import {
  bringSession,
  browserTest,
  fillSignIn,
  signInAt,
  unexpected,
  visit,
  withoutStream
} from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { answered } from '../support/browser/traffic.ts'

const NORTHWIND = `/customers/${NOTABLE.northwind}`
const IDLE_SECONDS = 7200
const NOTICE_SECONDS = 600
const ROLES_SECONDS = 2
/** The interval at which the page reads the user's rights. */
const HALF_A_MINUTE_MS = 30_000
/** How far ahead of now a clock is stopped; a busy machine needs this long to stop a clock. */
const PAUSE_AHEAD_MS = 15_000

let aheadMs = 0
const { browser, portal } = await browserTest(t, {
  clock: () => Date.now() + aheadMs,
  env: {
    SESSION_IDLE_SECONDS: String(IDLE_SECONDS),
    SESSION_NOTICE_SECONDS: String(NOTICE_SECONDS),
    ROLES_MAX_AGE_SECONDS: String(ROLES_SECONDS)
  },
  // Tokens follow the system clock, sessions the clock of the tests.
  sandbox: { accessTokenSeconds: 36_000 }
})
const { users: people } = portal.sandbox.state

/** Each test starts with the right time at the gateway. */
t.beforeEach(() => {
  aheadMs = 0
})

const prompt = (page: Page) => page.getByRole('alertdialog', { name: 'Session Expiring' })

/** Signs in and waits until the page watches the person's rights. */
async function atWork(username: string, path: string) {
  const person = await visit(browser, portal)
  await person.context.clock.install()
  await withoutStream(person.context)
  const { page } = person
  const sessionRead = page.waitForResponse((response) => response.url().endsWith('/auth/session'))
  await page.goto(path)
  await fillSignIn(page, username)
  await sessionRead
  await page
    .getByRole('heading', { level: 1 })
    .filter({ hasNotText: /^Loading$/ })
    .waitFor()
  // Roles that load while the clock moves would count as changed.
  await calm(page)
  const passHalfAMinute = async () => {
    const rightsRead = page.waitForResponse((response) => response.url().endsWith('/api/portal/v1/me'))
    aheadMs += HALF_A_MINUTE_MS
    await person.context.clock.fastForward(HALF_A_MINUTE_MS)
    await rightsRead
  }
  return { ...person, passHalfAMinute }
}

function demote(t: Test, userId: string, colleagueId: string): void {
  const [user, colleague] = [people.get(userId), people.get(colleagueId)]
  if (!user || !colleague) throw new Error('the sandbox lacks these users')
  const { roleAssignments } = user
  t.teardown(() => Object.assign(user, { roleAssignments }))
  user.roleAssignments = colleague.roleAssignments
}

const menu = (page: Page) => page.getByRole('complementary', { name: 'Navigation' })
const users = (page: Page) => menu(page).getByRole('link', { name: /^Users/ })
const addProject = (page: Page) => page.getByRole('button', { name: 'Create New Project' })

t.test('without a stream, a removed role changes the open page within a minute', async (t) => {
  const { page, passHalfAMinute, errors } = await atWork('partner.admin', NORTHWIND)
  await users(page).waitFor()
  await addProject(page).first().waitFor()
  await passHalfAMinute()
  t.equal(await users(page).count(), 1, 'the person may see the users at first')

  demote(t, 'u-partner-admin', 'u-partner-user')
  await passHalfAMinute()
  await page.getByText(ACCESS_CHANGED).waitFor()
  await users(page).waitFor({ state: 'detached' })
  t.equal(await addProject(page).count(), 0)
  await page.getByRole('rowheader').first().waitFor()
  t.strictSame(unexpected(errors, '401'), [])

  const freshSession = await signIn(portal.url, portal.sandbox, 'partner.admin')
  const path = `/api/v2/management/organizations/${NOTABLE.northwind}/users?page=0&size=20`
  t.equal((await freshSession.call(path)).status, 403, 'the gateway refuses the call')
})

t.test('after a refused call the page reads the rights of its user at once', async (t) => {
  const { page } = await atWork('customer.admin', '/users')
  await page.getByRole('rowheader').first().waitFor()
  // A stopped clock prevents the page's own polling.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_AHEAD_MS)
  await answered(page)
  demote(t, 'u-customer-admin', 'u-customer-user')
  aheadMs += ROLES_SECONDS * 1000
  const refusal = page.waitForResponse((answer) => answer.status() === 403)
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('someone else')
  await page.clock.runFor(2_000)
  await refusal
  await page.getByText(ACCESS_CHANGED).waitFor()
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  t.equal(await users(page).count(), 0)
})

/** Two tabs of one browser; `advance` moves all clocks. */
async function openTabs() {
  const person = await visit(browser, portal)
  await person.context.clock.install()
  const { page } = person
  const firstRead = waitForSession(page)
  await page.goto(`${NORTHWIND}?q=chiller`)
  await fillSignIn(page, 'customer.admin')
  await firstRead
  const otherTab = await person.context.newPage()
  const secondRead = waitForSession(otherTab)
  await otherTab.goto(NORTHWIND)
  await secondRead
  const pages = [page, otherTab]
  const advance = async (seconds: number) => {
    aheadMs += seconds * 1000
    await person.context.clock.fastForward(seconds * 1000)
  }
  return { ...person, otherTab, pages, advance }
}

/** Waits until the page has read the remaining time of the session. */
async function waitForSession(page: Page) {
  const answer = await page.waitForResponse((response) => response.url().endsWith('/auth/session'))
  await answer.finished()
  await page.getByRole('heading', { level: 1, name: 'Northwind Hospitals' }).waitFor()
}

t.test('the countdown shows in both tabs, and “Stay Connected” in one tab ends it in both', async (t) => {
  const { page, otherTab, advance, pages, answers } = await openTabs()
  const sessionReads = () => answers.filter((answer) => answer.url().endsWith('/auth/session')).length
  const readsBefore = sessionReads()
  await advance(IDLE_SECONDS / 2)
  t.equal(sessionReads(), readsBefore, 'no tab reads the session long before it ends')
  t.equal(await prompt(page).count(), 0)
  const renewal = page.waitForResponse((answer) => answer.url().endsWith('/auth/session/renew'))
  await page.keyboard.press('Shift')
  await (await renewal).finished()
  await advance(IDLE_SECONDS / 2)
  t.equal(await prompt(page).count(), 0, 'a key press extended the session')
  await advance(IDLE_SECONDS / 2 - 300)
  for (const tab of pages) await prompt(tab).waitFor()
  for (const tab of pages)
    t.match(await prompt(tab).getByRole('timer').textContent(), /^(?:300|[12]\d\d) seconds left$/)
  await otherTab.waitForFunction(() => document.title.includes('Session Expiring'))
  await page.keyboard.press('Escape')
  t.equal(await prompt(page).count(), 1, 'Escape does not close the prompt')
  await page.getByRole('button', { name: 'Stay Connected' }).click()
  for (const tab of pages) await prompt(tab).waitFor({ state: 'detached' })
  await advance(600)
  t.equal(await prompt(page).count(), 0)
  await page.reload()
  await page.getByRole('rowheader').first().waitFor()
})

t.test('an ignored prompt signs both tabs out; they show the time and lead back to their page', async (t) => {
  const { page, otherTab, advance, pages, context } = await openTabs()
  await advance(IDLE_SECONDS - 300)
  for (const tab of pages) await prompt(tab).waitFor()
  await advance(300)
  for (const tab of pages)
    await tab.getByRole('heading', { name: /^Your session expired at \d\d:\d\d$/ }).waitFor()
  t.notOk((await context.cookies(portal.url)).some(({ name }) => name === 'portal'))
  t.equal(
    await otherTab.getByRole('link', { name: 'Sign in' }).getAttribute('href'),
    `/auth/login?returnTo=${encodeURIComponent(NORTHWIND)}`
  )
  aheadMs = 0
  // The session at the authority continues.
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('rowheader').first().waitFor()
  t.equal(page.url(), `${portal.url}${NORTHWIND}?q=chiller`)
})

t.test(
  'after the authority ends a session, the next call shows a message that leads to sign-in and back',
  async (t) => {
    const { page } = await signInAt(browser, portal, 'customer.admin', `${NORTHWIND}?q=ahu`)
    await page.getByRole('rowheader').first().waitFor()
    await portal.sandbox.backchannelLogout('customer.admin')
    // The click or the page itself may make the next call.
    page
      .getByRole('button', { name: 'Device', exact: true })
      .click()
      .catch(() => {})
    await page.getByText('Your sign-in service has signed you out.').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fillSignIn(page, 'customer.admin')
    await page.getByRole('rowheader').first().waitFor()
    t.match(page.url(), `${portal.url}${NORTHWIND}?`)
    t.match(page.url(), /q=ahu/)
  }
)

t.test('a page notices that another person signed in in another tab', async (t) => {
  const { page, context } = await visit(browser, portal)
  const firstRead = waitForSession(page)
  await page.goto(NORTHWIND)
  await fillSignIn(page, 'customer.admin')
  await firstRead
  const otherTab = await context.newPage()
  // A sign-out first would lead the first tab to the sign-in page.
  await bringSession(context, portal, 'partner.user')
  await otherTab.goto('/')
  await otherTab.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  const dialog = page.getByRole('alertdialog', { name: 'Somebody else has signed in' })
  await dialog.waitFor()
  t.match(await dialog.textContent(), /Peter Umarov signed in.*opened by Carla Almeida/)
  await dialog.getByRole('button', { name: 'Go on as Peter Umarov' }).click()
  await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
})
