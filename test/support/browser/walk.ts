// Every route and who gets what there (.github/product.md#routes): the table that the walks through the portal read, and the walk.
import type { Browser, Page } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
import type { Portal } from '#test/support/portal.ts'
import { openAs, type Person, type Visit } from './browser.ts'

/**
 * `yes`: a page of its own; `none`: Page Not Found; `denied`: Access denied at the same address; `choose`: first an
 * integrator; `home`, `customer`, `out`: led to `/`, to the own customer, to errors/authorization.
 */
export type Outcome = 'yes' | 'none' | 'denied' | 'choose' | 'home' | 'customer' | 'out'

export const WALKERS = [
  'global.admin',
  'global.admin+',
  'partner.admin',
  'partner.user',
  'niagara.remote',
  'nds.operator',
  'custom.user',
  'customer.admin',
  'customer.user',
  'customer.multi',
  'no.access'
] as const
type Walker = (typeof WALKERS)[number]

export const LOOKERS: readonly Walker[] = ['no.access', 'partner.admin', 'global.admin+', 'global.admin']

const LETTERS: Record<string, Outcome> = {
  y: 'yes',
  '-': 'none',
  d: 'denied',
  c: 'choose',
  h: 'home',
  o: 'customer',
  x: 'out'
}

/** A letter for each walker, in their order: two global admins, five of the partner, three of customers, nobody. */
const TABLE: [path: string, outcomes: string][] = [
  ['/', 'yy yyyyy ooy x'],
  ['/users', 'yy y---y y-- x'],
  ['/users/{user}', 'yy y---y y-- x'],
  ['/users/{user}/customer/{customerId}', 'yy y---y y-- x'],
  ['/users/adduser', 'cy y---y y-- x'],
  ['/users/adduser/rolesaccess', 'cy y---y y-- x'],
  ['/registerdevice', 'dd ydddd ddd x'],
  ['/reports', 'cy yyyyy yyy x'],
  ['/auditlog', 'cy yyyyy yyy x'],
  ['/exports', 'cy yyddy yyy x'],
  ['/unsubscribe-email?eventTypeId=1', 'yy yyyyy yyy x'],
  ['/integrators/{partner}', 'yy ----- --- x'],
  ['/integrators/{partner}/nowhere', '-- ----- --- x'],
  ['/integrators/{partner}/customers/{customerId}', 'yy ----- --- x'],
  ['/integrators/{partner}/customers/{foreign}/dataservice', '-- ----- --- x'],
  ['/integrators/{closed}', '-- ----- --- x'],
  ['/integrators/{closed}/customers/{foreign}', '-- ----- --- x'],
  ['/reports?organizationId={closed}', '-- yyyyy yyy x'],
  ['/customers/{customerId}', '-- yyyyy yyy x'],
  ['/customers/{foreign}', '-- ----- --h x'],
  ['/customers/{foreign}/alarms', '-- ----- --h x'],
  ['/customers/{foreign}/devicedetails/history?deviceUuid={device}', '-- ----- --h x'],
  ['/customers/{foreign}/savedbackups', '-- ----- --h x'],
  ['{customer}/devicedetails?deviceUuid={device}', 'yy yyyyy yyy x'],
  ['{customer}/devicedetails/pointdetails?deviceUuid={device}&cloudId={point}', 'yy yyyyy yyy x'],
  ['{customer}/devicedetails/history?deviceUuid={device}', 'yy yyyyy yyy x'],
  ['{customer}/dataservice', 'yy yyyyy yyy x'],
  ['{customer}/savedbackups', 'yy yyyyy yyy x'],
  ['{customer}/alarms', 'yy yyddy yyy x'],
  ['{customer}/serviceaccount', 'yy y---- --- x'],
  ['{customer}/serviceaccount/create', 'yy y---- --- x'],
  ['{customer}/serviceaccount/{account}', 'yy y---- --- x'],
  ['{customer}/nowhere', '-- ----- --- x'],
  ['/nowhere/at/all', '-- ----- --- x'],
  ['/errors/authorization', 'dd ddddd ddd d'],
  ['/errors/remote/offline', 'yy yyyyy yyy y'],
  ['/errors/remote/some/other', 'yy yyyyy yyy y'],
  ['/errors/remote', 'yy yyyyy yyy y']
]

/** Addresses in the table, their names filled with a word. */
export const WALKED: readonly string[] = TABLE.map(([path]) =>
  (path.split('?')[0] ?? '').replace('{customer}', '/customers/x').replace(/\{\w+\}/g, 'x')
)

const INTEGRATOR = 'Meridian Building Controls'
const LANDINGS: Record<Walker, { path: string; heading: string }> = {
  'global.admin': { path: '/', heading: 'Users & Roles' },
  'global.admin+': { path: `/integrators/${NOTABLE.partner}`, heading: INTEGRATOR },
  'partner.admin': { path: '/', heading: INTEGRATOR },
  'partner.user': { path: '/', heading: INTEGRATOR },
  'niagara.remote': { path: '/', heading: INTEGRATOR },
  'nds.operator': { path: '/', heading: INTEGRATOR },
  'custom.user': { path: '/', heading: INTEGRATOR },
  'customer.admin': { path: `/customers/${NOTABLE.northwind}`, heading: 'Northwind Hospitals' },
  'customer.user': { path: `/customers/${NOTABLE.northwind}`, heading: 'Northwind Hospitals' },
  'customer.multi': { path: '/', heading: 'Alder University' },
  'no.access': { path: '/errors/authorization', heading: 'Access denied' }
}

const AT: Record<Walker, { customerId: string; user: string }> = {
  'global.admin': { customerId: NOTABLE.northwind, user: 'u-partner-user' },
  'global.admin+': { customerId: NOTABLE.northwind, user: 'u-partner-user' },
  'partner.admin': { customerId: NOTABLE.northwind, user: 'u-partner-user' },
  'partner.user': { customerId: NOTABLE.northwind, user: 'u-partner-user' },
  'niagara.remote': { customerId: NOTABLE.northwind, user: 'u-partner-user' },
  'nds.operator': { customerId: NOTABLE.northwind, user: 'u-partner-user' },
  'custom.user': { customerId: NOTABLE.custom[0], user: 'u-customer-multi' },
  'customer.admin': { customerId: NOTABLE.northwind, user: 'u-customer-user' },
  'customer.user': { customerId: NOTABLE.northwind, user: 'u-customer-user' },
  'customer.multi': { customerId: NOTABLE.multi[0], user: 'u-customer-user' },
  'no.access': { customerId: NOTABLE.northwind, user: 'u-partner-user' }
}

interface Step {
  route: string
  path: string
  outcome: Outcome
  customer: string
}

function stepsOf(walker: Walker, portal: Portal): Step[] {
  const { customerId, user } = AT[walker]
  const { devices, serviceAccounts } = portal.sandbox.state
  const customer = `/customers/${customerId}`
  const device = devices.of(customerId)[0]
  const names: Record<string, string> = {
    customerId,
    user,
    customer: walker.startsWith('global') ? `/integrators/${NOTABLE.partner}${customer}` : customer,
    partner: NOTABLE.partner,
    foreign: NOTABLE.otherPartnersCustomer,
    closed: NOTABLE.partnerWithoutTechView,
    device: device?.deviceUuid ?? '',
    point: device ? (pointsOf(device)[0]?.cloudId ?? '') : '',
    account: serviceAccounts.of(customerId)[0]?.id ?? 'sa-unknown'
  }
  return TABLE.flatMap(([path, outcomes]) => {
    const outcome = LETTERS[outcomes.replaceAll(' ', '')[WALKERS.indexOf(walker)] ?? '']
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? '')
    return outcome ? [{ route: path, path: filled, outcome, customer }] : []
  })
}

interface Found {
  route: string
  heading: string
  outcome: Outcome
}

const INSIDE = { path: '/nowhere/between', shows: '/nowhere/between' }
const OUTSIDE = { path: '/errors/remote/timeout', shows: 'The device did not answer in time' }
const ARRIVAL_MS = 30_000

/**
 * Goes to an address as a link would, without loading the page anew; the heading of what shows there. The way leads by
 * a station in the frame that shows: pages with the same heading are told apart, and the frame is not built anew for it.
 */
export function goTo(page: Page, path: string): Promise<string> {
  const between = new URL(page.url()).pathname.startsWith('/errors/') ? OUTSIDE : INSIDE
  return page.evaluate(walk, { path, between, withinMs: ARRIVAL_MS })
}

/** In the page. Rejects when nothing shows within the time. */
async function walk(way: { path: string; between: typeof INSIDE; withinMs: number }): Promise<string> {
  const { path, between, withinMs } = way
  const until = performance.now() + withinMs
  const heading = () => document.querySelector('h1')?.textContent?.trim() ?? ''
  for (const to of [between.path, path]) {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    const arrived = () => {
      const isBetween = document.querySelector('main')?.textContent.includes(between.shows) ?? false
      return heading() !== '' && heading() !== 'Loading' && isBetween === (to === between.path)
    }
    while (!arrived()) {
      if (performance.now() > until) throw new Error(`nothing but "${heading()}" shows at ${to}`)
      await new Promise(requestAnimationFrame)
    }
  }
  return heading()
}

function outcomeOf(heading: string, asked: string, arrived: string, customer: string): Outcome {
  const [askedPath = ''] = asked.split('?')
  if (arrived === '/errors/authorization' && askedPath !== arrived) return 'out'
  if (arrived === '/' && askedPath !== '/') return 'home'
  if (arrived === customer && askedPath === '/') return 'customer'
  const named: Record<string, Outcome> = {
    'Page Not Found': 'none',
    'Access denied': 'denied',
    'Choose an integrator': 'choose'
  }
  return named[heading] ?? 'yes'
}

export async function land(
  browser: Browser,
  portal: Portal,
  walker: Walker,
  options: Visit = {}
): Promise<Person> {
  const { path, heading } = LANDINGS[walker]
  const chosen = walker.endsWith('+')
  const person = await openAs(browser, portal, walker.replace('+', ''), chosen ? path : '/', options)
  if (chosen) await person.page.getByText('You work in').waitFor()
  await person.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  // The title follows by an effect of its own.
  await person.page.waitForFunction((text) => document.title.includes(text), heading)
  return person
}

export async function walkRoutes(
  page: Page,
  portal: Portal,
  walker: Walker,
  atEach: (found: Found) => Promise<void> = async () => {}
): Promise<{ met: Record<string, string>; wanted: Record<string, string> }> {
  const landing = LANDINGS[walker]
  const title = await page.title()
  const met: Record<string, string> = {
    landing: `${title.includes(landing.heading) ? landing.heading : title} at ${new URL(page.url()).pathname}`
  }
  const wanted: Record<string, string> = { landing: `${landing.heading} at ${landing.path}` }
  for (const { route, path, outcome, customer } of stepsOf(walker, portal)) {
    if (walker === 'global.admin')
      await page.evaluate(() => localStorage.removeItem('portal.integrator.u-global-admin'))
    const first = await goTo(page, path)
    const heading = outcome === 'none' ? await headingOnceNotFound(page) : first
    const way = outcomeOf(heading, path, new URL(page.url()).pathname, customer)
    met[path] = walker === 'global.admin+' ? `${way}${await integratorMissing(page)}` : way
    wanted[path] = outcome
    await atEach({ route, heading, outcome })
  }
  return { met, wanted }
}

async function headingOnceNotFound(page: Page): Promise<string> {
  const heading = page.getByRole('heading', { level: 1 })
  await heading
    .filter({ hasText: 'Page Not Found' })
    .waitFor({ timeout: ARRIVAL_MS })
    .catch(() => {})
  return heading.innerText()
}

async function integratorMissing(page: Page): Promise<string> {
  const [crumbs = ''] = await page.locator('.breadcrumbs').allInnerTexts()
  return crumbs === '' || crumbs === 'Home' || crumbs.includes(INTEGRATOR) ? '' : `, but "${crumbs}"`
}

export const unexpected = (errors: readonly string[]): string[] =>
  errors.filter((text) => !/status of 40[34]/.test(text))
