// On a slow line the first list shows before the page's code is there: where the page shows it then, and as useful.
import t from 'tap'
import type { AttentionList } from '#shared/attention.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { violationsMeanwhile } from '../support/browser/axe.ts'
import {
  bringSession,
  openAs,
  type Person,
  startBrowser,
  type Visit,
  visit
} from '../support/browser/browser.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
// Counts that come in between would move what is compared.
const partner = await portal.as('partner.admin')
const counts = `/api/portal/v1/organizations/${NOTABLE.partner}/attention`
await eventually(async () => (await partner.json<AttentionList>(counts)).partial.length === 0, 60_000)

interface SlowVisit extends Person {
  /** Lets the page's code come. */
  release: () => void
}

/** Opens an address on a slow line, with the page's code held back once its first list is to be shown. */
async function openSlowly(username: string, path: string, options: Visit = {}): Promise<SlowVisit> {
  const person = await visit(browser, portal, options)
  const { page, context } = person
  await bringSession(context, portal, username)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route('**/assets/vendor-*.js', async (route) => {
    await released
    await route.continue()
  })
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  const unbounded = { downloadThroughput: -1, uploadThroughput: -1 }
  await line.send('Network.emulateNetworkConditions', { offline: false, latency: 400, ...unbounded })
  await page.addInitScript(watchPlaces)
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator('#first-list h1').waitFor()
  return { ...person, release }
}

declare global {
  interface Window {
    /** What stood where: in the first list, and in the page in the moment in which that went. */
    places: { first: string[]; page: string[] }
  }
}

/** In the page. */
function watchPlaces(): void {
  window.places = { first: [], page: [] }
  const placesIn = (root: string) =>
    [...document.querySelectorAll<HTMLElement>(`${root} main :is(a, h1, h2, .facts, .mono, .attention li)`)]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        const box = [x, y, width, height].map(Math.round).join(' ')
        return `${one.innerText} ${one.getAttribute('href') ?? ''} ${box}`
      })
  new MutationObserver((changes) => {
    const has = (nodes: NodeList) => [...nodes].some((node) => (node as Element).id === 'first-list')
    if (changes.some(({ addedNodes }) => has(addedNodes))) window.places.first = placesIn('#first-list')
    if (changes.some(({ removedNodes }) => has(removedNodes))) window.places.page = placesIn('#root')
  }).observe(document, { childList: true, subtree: true })
}

const SCREENS: [name: string, username: string, path: string, width: number, least: number][] = [
  ['the customers of a partner', 'partner.admin', '/', 1440, 80],
  ['the customers of a partner on a phone', 'partner.admin', '/', 390, 80],
  ['devices with their projects', 'partner.admin', NORTHWIND, 1440, 90],
  ['devices without room for projects', 'partner.admin', NORTHWIND, 1300, 30],
  ['the devices of the only customer of somebody', 'customer.user', NORTHWIND, 1440, 90]
]
for (const [name, username, path, width, least] of SCREENS)
  t.test(`${name} are where the page has them then, word for word`, async (t) => {
    const { page, errors, release } = await openSlowly(username, path, { width })
    t.strictSame(await violationsMeanwhile(page), [])
    release()
    await page.locator('#first-list').waitFor({ state: 'detached' })
    const { first, page: then } = await page.evaluate(() => window.places)
    t.ok(first.length >= least, `${first.length} of them`)
    t.strictSame(
      first.filter((place) => !then.includes(place)),
      []
    )
    t.strictSame(errors, [])
  })

t.test('what is clicked before the page is there opens in it, and nothing is loaded anew', async (t) => {
  const { page, release } = await openSlowly('partner.admin', '/')
  const opened = await page.evaluate(() => performance.timeOrigin)
  const card = page.locator('#first-list .customer-card').nth(4)
  const name = await card.locator('strong').innerText()
  await card.click()
  release()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  t.match(new URL(page.url()).pathname, /^\/customers\/[^/]+$/)
  t.equal(await page.evaluate(() => performance.timeOrigin), opened)
})

t.test('who has scrolled and tabbed meanwhile stays where they are', async (t) => {
  const { page, release } = await openSlowly('partner.admin', '/')
  const card = page.locator('#first-list .customer-card').nth(20)
  const href = await card.getAttribute('href')
  await card.focus()
  const before = await page.evaluate(() => window.scrollY)
  t.ok(before > 0)
  release()
  await page.locator('#first-list').waitFor({ state: 'detached' })
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('href')), href)
  t.equal(await page.evaluate(() => window.scrollY), before)
})

t.test('calls made ahead of the code of the page are not repeated', async (t) => {
  for (const [path, shown] of [
    ['/', 'a.customer-card'],
    [NORTHWIND, '.devices tbody a']
  ] as const) {
    const { page, answers, errors } = await openAs(browser, portal, 'partner.admin', path)
    await page.locator(shown).first().waitFor()
    // The page repeats the call of /me.
    const asked = answers
      .map((answer) => answer.url())
      .filter((url) => /\/api\/portal\/v1\/(?!me$)/.test(url))
    t.ok(asked.length >= 2)
    t.equal(new Set(asked).size, asked.length, asked.join('\n'))
    t.strictSame(errors, [])
  }
})
