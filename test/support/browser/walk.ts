// Visits every route as four users and compares the screens with the table below (.github/product.md#routes).
import type { Browser, Page } from 'playwright-core'
import { CUSTOMER_PAGES } from '#client/lib/paths.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Portal } from '#test/support/portal.ts'
import { openAs, type Person, type Visit } from './browser.ts'
import { deviceOf, pointOf } from './data-screens.ts'

type Outcome = 'the page' | 'Page Not Found' | 'Access denied' | 'Choose an integrator' | 'redirect'

const LETTERS: Record<string, Outcome> = {
  y: 'the page',
  '-': 'Page Not Found',
  d: 'Access denied',
  c: 'Choose an integrator',
  // The redirect goes to errors/authorization.
  x: 'redirect'
}

/** `global.admin+` is a global admin who has chosen an integrator. */
export const WALKERS = ['no.access', 'partner.admin', 'global.admin+', 'global.admin'] as const
type Walker = (typeof WALKERS)[number]

/** `outcomes` has one letter of LETTERS for each walker, in the order of WALKERS. */
const TABLE: [path: string, outcomes: string][] = [
  ['/', 'xyyy'],
  ['/users', 'xyyy'],
  ['/users?role=3&type=CUSTOMER', 'xyyy'],
  ['/users/{user}', 'xyyy'],
  ['/users/{user}/customer/{customerId}', 'xyyy'],
  ['/users/adduser', 'xyyc'],
  ['/users/adduser/rolesaccess', 'xyyc'],
  ['/registerdevice', 'xydd'],
  ['/alarms', 'xyyc'],
  ['/worklists/services', 'xyyc'],
  ['/worklists/plans', 'xyyc'],
  ['/worklists/backups', 'xyyc'],
  ['/worklists/devices', 'xyyc'],
  ['/worklists/nowhere', 'x--c'],
  ['/reports', 'xyyc'],
  ['/auditlog', 'xyyc'],
  ['/exports', 'xyyc'],
  ['/unsubscribe-email?eventTypeId=1', 'xyyy'],
  ['/integrators/{partner}', 'x-yy'],
  ['/integrators/{partner}/nowhere', 'x---'],
  ['/integrators/{partner}/customers/{customerId}', 'x-yy'],
  ['/integrators/{partner}/customers/{foreign}/dataservice', 'x---'],
  ['/integrators/{closed}', 'x---'],
  ['/integrators/{closed}/customers/{foreign}', 'x---'],
  ['/reports?organizationId={closed}', 'xy--'],
  ['/customers/{customerId}', 'xy--'],
  ['/customers/{foreign}', 'x---'],
  ['/customers/{foreign}/alarms', 'x---'],
  ['/customers/{foreign}/devicedetails/history?deviceUuid={device}', 'x---'],
  ['/customers/{foreign}/savedbackups', 'x---'],
  ['{customer}/devicedetails?deviceUuid={device}', 'xyyy'],
  ['{customer}/devicedetails/pointdetails?deviceUuid={device}&cloudId={point}', 'xyyy'],
  ['{customer}/devicedetails/history?deviceUuid={device}', 'xyyy'],
  ['{customer}/devicedetails/history?deviceUuid={device}&points={device}~{point}', 'xyyy'],
  ...CUSTOMER_PAGES.map(({ to }): [string, string] => [to('{customer}'), 'xyyy']),
  ['{customer}/serviceaccount/create', 'xyyy'],
  ['{customer}/serviceaccount/{account}', 'xyyy'],
  ['{customer}/nowhere', 'x---'],
  ['/nowhere/at/all', 'x---'],
  ['/errors/authorization', 'dddd'],
  ['/errors/remote/offline', 'yyyy'],
  ['/errors/remote/some/other', 'yyyy'],
  ['/errors/remote', 'yyyy']
]

/** The paths of the table; `x` replaces each placeholder. */
export const WALKED: readonly string[] = TABLE.map(([path]) =>
  (path.split('?')[0] ?? '').replace('{customer}', '/customers/x').replace(/\{\w+\}/g, 'x')
)

const INTEGRATOR = 'Meridian Building Controls'
const LANDINGS: Record<Walker, { path: string; heading: string }> = {
  'global.admin': { path: '/', heading: 'Users & Roles' },
  'global.admin+': { path: `/integrators/${NOTABLE.partner}`, heading: INTEGRATOR },
  'partner.admin': { path: '/', heading: INTEGRATOR },
  'no.access': { path: '/errors/authorization', heading: 'Access denied' }
}

interface Step {
  route: string
  path: string
  outcome: Outcome
}

function stepsOf(walker: Walker, portal: Portal): Step[] {
  const { serviceAccounts } = portal.sandbox.state
  const customerId = NOTABLE.northwind
  const customer = `/customers/${customerId}`
  const device = deviceOf(portal, 'airHandler')
  const names: Record<string, string> = {
    customerId,
    user: 'u-partner-user',
    customer: walker.startsWith('global') ? `/integrators/${NOTABLE.partner}${customer}` : customer,
    partner: NOTABLE.partner,
    foreign: NOTABLE.otherPartnersCustomer,
    closed: NOTABLE.partnerWithoutTechView,
    device: device.deviceUuid,
    point: pointOf(device, 'Supply Air Temp').cloudId,
    account: serviceAccounts.of(customerId)[0]?.id ?? ''
  }
  return TABLE.map(([route, outcomes]) => ({
    route,
    path: route.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? ''),
    outcome: LETTERS[outcomes[WALKERS.indexOf(walker)] ?? ''] ?? 'Page Not Found'
  }))
}

const INSIDE = { path: '/nowhere/between', shows: '/nowhere/between' }
const OUTSIDE = { path: '/errors/remote/timeout', shows: 'The device did not answer in time' }
const ARRIVAL_TIMEOUT_MS = 30_000

/**
 * Navigates to an address without a reload, as a link does, and returns the heading there. Visits another page first, so
 * that the change between two pages with the same heading is detected too.
 */
export function goTo(page: Page, path: string): Promise<string> {
  const between = new URL(page.url()).pathname.startsWith('/errors/') ? OUTSIDE : INSIDE
  return page.evaluate(walk, { path, between, withinMs: ARRIVAL_TIMEOUT_MS })
}

/** Runs in the page. Rejects if the heading does not change within the time. */
async function walk(navigation: { path: string; between: typeof INSIDE; withinMs: number }): Promise<string> {
  const { path, between, withinMs } = navigation
  const deadline = performance.now() + withinMs
  const heading = () => document.querySelector('h1')?.textContent?.trim() ?? ''
  for (const to of [between.path, path]) {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    const hasArrived = () => {
      const isBetween = document.querySelector('main')?.textContent.includes(between.shows) ?? false
      return heading() !== '' && heading() !== 'Loading' && isBetween === (to === between.path)
    }
    while (!hasArrived()) {
      if (performance.now() > deadline) throw new Error(`${to} still shows "${heading()}"`)
      await new Promise(requestAnimationFrame)
    }
  }
  return heading()
}

function outcomeOf(heading: string, requestedPath: string, arrivedPath: string): Outcome {
  if (arrivedPath === '/errors/authorization' && requestedPath !== arrivedPath) return 'redirect'
  return Object.values(LETTERS).find((outcome) => outcome === heading) ?? 'the page'
}

export async function land(
  browser: Browser,
  portal: Portal,
  walker: Walker,
  options: Visit = {}
): Promise<Person> {
  const { path, heading } = LANDINGS[walker]
  const hasIntegrator = walker.endsWith('+')
  const person = await openAs(browser, portal, walker.replace('+', ''), hasIntegrator ? path : '/', options)
  if (hasIntegrator) await person.page.getByText('You work in').waitFor()
  await person.page.waitForURL((url) => url.pathname === path)
  await person.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  // An effect sets the title after the heading.
  await person.page.waitForFunction((text) => document.title.includes(text), heading)
  return person
}

export async function walkRoutes(
  page: Page,
  portal: Portal,
  walker: Walker,
  visits: (route: string) => boolean,
  atEach: (found: { route: string; heading: string; outcome: Outcome }) => Promise<void>
): Promise<{ found: Record<string, string>; expected: Record<string, string> }> {
  const found: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const { route, path, outcome } of stepsOf(walker, portal)) {
    if (!visits(route)) continue
    if (walker === 'global.admin')
      await page.evaluate(() => localStorage.removeItem('portal.integrator.u-global-admin'))
    const firstHeading = await goTo(page, path)
    const heading = outcome === 'Page Not Found' ? await headingOnceNotFound(page) : firstHeading
    const result = outcomeOf(heading, path, new URL(page.url()).pathname)
    found[path] = walker === 'global.admin+' ? `${result}${await breadcrumbsMismatch(page)}` : result
    expected[path] = outcome
    await atEach({ route, heading, outcome })
  }
  return { found, expected }
}

async function headingOnceNotFound(page: Page): Promise<string> {
  const heading = page.getByRole('heading', { level: 1 })
  await heading
    .filter({ hasText: 'Page Not Found' })
    .waitFor({ timeout: ARRIVAL_TIMEOUT_MS })
    .catch(() => {})
  return heading.innerText()
}

/** The text to add to an outcome if the breadcrumbs go beyond Home but do not name the chosen integrator; else empty. */
async function breadcrumbsMismatch(page: Page): Promise<string> {
  const [crumbs = ''] = await page.locator('.breadcrumbs').allInnerTexts()
  return crumbs === '' || crumbs === 'Home' || crumbs.includes(INTEGRATOR) ? '' : `, but "${crumbs}"`
}
