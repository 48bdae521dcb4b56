// A real browser: signs people in, and records console errors and answers of the portal.
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core'
import { openBrowser } from '#test/runner/browser.ts'
import { PASSWORD } from '#test/sandbox/sign-ins.ts'
import { type Portal, type PortalOptions, startPortal } from '#test/support/portal.ts'
import { watchTraffic } from './traffic.ts'

interface Test {
  teardown: (work: () => unknown) => void
  afterEach?: (work: (ended: EndedTest) => unknown) => void
}

interface EndedTest {
  passing(): boolean
}

/** A page always has its bootstrap, also on a busy machine. */
const PAGE_WAIT_MS = 60_000

/** A browser and a portal for the tests of a file. `open` signs a user in and opens an address. */
export async function browserTest(t: Test, options: PortalOptions = {}) {
  const browser = await startBrowser(t)
  const limits = { pageWaitMs: PAGE_WAIT_MS, ...options.limits }
  const portal = await startPortal(t, { ...options, limits })
  const open = (username: string, path = '/', visit: Visit = {}) =>
    openAs(browser, portal, username, path, visit)
  return { browser, portal, open }
}

export async function startBrowser(t: Test): Promise<Browser> {
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  t.afterEach?.(async (ended) => {
    const contexts = browser.contexts()
    if (!ended.passing()) await showPages(contexts.flatMap((context) => context.pages()))
    // An open page would keep polling during the next test.
    await Promise.all(contexts.map((context) => context.close()))
  })
  return browser
}

const SHOWN_CHARACTERS = 2_000

/** Prints what the pages of a failed test show, because a failure that needs a busy machine is hard to repeat. */
async function showPages(pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String)
    console.error(`${page.url()} shows:\n${text.slice(0, SHOWN_CHARACTERS)}\n`)
  }
}

export interface Person {
  page: Page
  context: BrowserContext
  errors: string[]
  answers: Response[]
}

export interface Visit {
  width?: number
  scheme?: 'light' | 'dark'
  reduced?: boolean
  forced?: boolean
  touch?: boolean
  /** Installs a clock that the test advances. */
  clock?: boolean
}

/** Time limit of one action, long enough for a busy machine that also runs the portal and its upstreams. */
const ACTION_TIMEOUT_MS = 60_000

export async function visit(
  browser: Browser,
  portal: Portal,
  {
    width = 1440,
    scheme = 'light',
    reduced = false,
    forced = false,
    touch = false,
    clock = false
  }: Visit = {}
): Promise<Person> {
  const context = await browser.newContext({
    baseURL: portal.url,
    viewport: { width, height: 900 },
    colorScheme: scheme,
    forcedColors: forced ? 'active' : 'none',
    hasTouch: touch,
    reducedMotion: reduced ? 'reduce' : 'no-preference'
  })
  context.setDefaultTimeout(ACTION_TIMEOUT_MS)
  context.on('page', watchTraffic)
  if (clock) await context.clock.install()
  const page = await context.newPage()
  const person: Person = { page, context, errors: [], answers: [] }
  page.on('console', (message) => message.type() === 'error' && person.errors.push(message.text()))
  page.on('pageerror', (error) => person.errors.push(error.stack ?? error.message))
  context.on('response', (answer) => answer.url().startsWith(portal.url) && person.answers.push(answer))
  return person
}

export async function fillSignIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signInAt(
  browser: Browser,
  portal: Portal,
  username: string,
  path = '/',
  options: Visit = {}
): Promise<Person> {
  const person = await visit(browser, portal, options)
  await person.page.goto(path)
  await fillSignIn(person.page, username)
  // Wait for the portal's address first, because the authority's page has a heading too.
  await person.page.waitForURL(({ origin }) => origin === portal.url)
  await waitForHeading(person.page)
  // Drop the console's error about the 401 before the sign-in.
  person.errors.splice(0, person.errors.filter((text) => text.includes('401')).length)
  return person
}

export async function openAs(
  browser: Browser,
  portal: Portal,
  username: string,
  path = '/',
  options: Visit = {}
): Promise<Person> {
  const person = await visit(browser, portal, options)
  await bringSession(person.context, portal, username)
  await person.page.goto(path)
  await waitForHeading(person.page)
  return person
}

/** Starts to wait for a message before the action, because a message shows for only five seconds. */
export async function says(page: Page, text: string, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.locator('.toast', { hasText: text }).first().waitFor(), act()])
}

/** Cuts each live stream off at once, so that the pages of the context poll. */
export async function withoutStream(context: BrowserContext): Promise<void> {
  await context.route('**/api/portal/v1/events*', (route) =>
    route.fulfill({ status: 200, contentType: 'text/event-stream', body: '' })
  )
}

/** Chooses an item of a menu in the page or in a part of the page. */
export async function choose(
  scope: Page | Locator,
  menu: string | RegExp,
  item: string | RegExp
): Promise<void> {
  const page = 'page' in scope ? scope.page() : scope
  await scope.getByRole('button', { name: menu }).first().click()
  await page.getByRole('menuitem', { name: item, exact: typeof item === 'string' }).click()
}

/** The console errors, except errors about calls refused with these statuses. */
export const unexpected = (errors: readonly string[], ...statuses: string[]): string[] =>
  errors.filter((text) => !statuses.some((status) => text.includes(status)))

/** Answers calls to a path with a problem, until the route is removed. */
export const refuse = (page: Page, path: string, status: number) =>
  page.route(path, (route) =>
    route.fulfill({ status, contentType: 'application/problem+json', json: { status } })
  )

export async function bringSession(context: BrowserContext, portal: Portal, username: string): Promise<void> {
  const { jar } = await portal.as(username)
  const name = 'portal'
  const value = jar.get(name)
  if (value === undefined) throw new Error(`${username} has no session`)
  await context.addCookies([{ name, value, url: portal.url, httpOnly: true, sameSite: 'Strict' }])
}

async function waitForHeading(page: Page): Promise<void> {
  await page
    .locator('h1')
    .filter({ hasNotText: /^Loading$/ })
    .waitFor()
}
