// Rights that are taken away while somebody works: gone from the screens and refused within a minute, and the person is
// told. The gateway's clock is the test's; that of the pages moves with it.
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { ACCESS_CHANGED, ACCOUNT_REFUSED } from '#shared/messages.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn, startPortal } from '#test/support/portal.ts'
import { fillSignIn, startBrowser, visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { answered } from '../support/browser/traffic.ts'
import { startControlledUpstream } from '../support/controlled-upstream.ts'

t.setTimeout(300_000)

const NORTHWIND = `/customers/${NOTABLE.northwind}`
/** The page asks twice a minute. */
const HALF_A_MINUTE_MS = 30_000
/** Roles may be so old. */
const ROLES_SECONDS = 2
/** A clock is stopped at a time to come: further ahead than the machine may stand still before it is. */
const PAUSE_AHEAD_MS = 15_000

const browser = await startBrowser(t)
const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const upstream = await startControlledUpstream(t, sandbox)
let aheadMs = 0
const portal = await startPortal(t, {
  startedSandbox: sandbox,
  clock: () => Date.now() + aheadMs,
  env: { ROLES_MAX_AGE_SECONDS: String(ROLES_SECONDS), UPSTREAM_URL: upstream.url }
})

/** Somebody at work, whose page watches over what they may do. */
async function atWork(username: string, path: string) {
  const person = await visit(browser, portal)
  await person.context.clock.install()
  const { page } = person
  const watched = page.waitForResponse((response) => response.url().endsWith('/auth/session'))
  await page.goto(path)
  await fillSignIn(page, username)
  await watched
  await page
    .getByRole('heading', { level: 1 })
    .filter({ hasNotText: /^Loading$/ })
    .waitFor()
  // Roles that are being read while the clock is moved would be young again.
  await calm(page)
  const halfAMinute = async () => {
    const asked = page.waitForResponse((response) => response.url().endsWith('/api/portal/v1/me'))
    aheadMs += HALF_A_MINUTE_MS
    await person.context.clock.fastForward(HALF_A_MINUTE_MS)
    await asked
  }
  return { ...person, halfAMinute }
}

/** Leaves somebody with the roles of a colleague; given back with the test. */
function demote(t: Test, userId: string, colleagueId: string): void {
  const { users } = sandbox.state
  const [user, colleague] = [users.get(userId), users.get(colleagueId)]
  if (!user || !colleague) throw new Error('the sample people are not there')
  const { roleAssignments } = user
  t.teardown(() => Object.assign(user, { roleAssignments }))
  user.roleAssignments = colleague.roleAssignments
}

const menu = (page: Page) => page.getByRole('complementary', { name: 'Navigation' })
const users = (page: Page) => menu(page).getByRole('link', { name: /^Users/ })
const addProject = (page: Page) => page.getByRole('button', { name: 'Create New Project' })

t.test('a role that is taken away is gone from the screens by itself, with a word why', async (t) => {
  const { page, halfAMinute, context, errors } = await atWork('partner.admin', NORTHWIND)
  await users(page).waitFor()
  await addProject(page).first().waitFor()
  await halfAMinute()
  t.equal(await users(page).count(), 1, 'nothing has changed')

  demote(t, 'u-partner-admin', 'u-partner-user')
  await halfAMinute()
  await page.getByText(ACCESS_CHANGED).waitFor()
  await users(page).waitFor({ state: 'detached' })
  t.equal(await addProject(page).count(), 0)
  await page.getByRole('rowheader').first().waitFor()
  t.strictSame(
    errors.filter((text) => !text.includes('401')),
    []
  )

  const other = await signIn(portal.url, sandbox, 'partner.admin')
  const path = `/api/v2/management/organizations/${NOTABLE.northwind}/users?page=0&size=20`
  t.equal((await other.call(path)).status, 403, 'and refused by the gateway')
  await context.close()
})

t.test('a refused call is asked about at once', async (t) => {
  const { page, context } = await atWork('customer.admin', '/users')
  await page.getByRole('rowheader').first().waitFor()
  // From now on no time passes in which the page would ask by itself.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_AHEAD_MS)
  await answered(page)
  demote(t, 'u-customer-admin', 'u-customer-user')
  aheadMs += ROLES_SECONDS * 1000
  const refused = page.waitForResponse((answer) => answer.status() === 403)
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('someone else')
  await page.clock.runFor(2_000)
  await refused
  await page.getByText(ACCESS_CHANGED).waitFor()
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  t.equal(await users(page).count(), 0)
  await context.close()
})

t.test('an account that may not be used any more is signed out, and told why', async (t) => {
  const { page, context } = await atWork('customer.user', NORTHWIND)
  t.teardown(() => {
    upstream.rule = () => undefined
  })
  upstream.rule = ({ target }) =>
    target.endsWith('/myUser')
      ? { status: 200, body: { id: 'u-customer-user', status: 'DISABLED' } }
      : undefined
  aheadMs += HALF_A_MINUTE_MS
  await page.clock.fastForward(HALF_A_MINUTE_MS)
  await page.getByRole('heading', { name: 'You were signed out' }).waitFor()
  await page.getByText(ACCOUNT_REFUSED).waitFor()
  await context.close()
})
