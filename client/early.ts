// Runs while the page's own code is on its way: asks for the first data of the screen at hand and for its code, so that they
// do not wait for each other, and on a slow line shows what comes (first-list). lib/http/early.ts hands the answers out, each
// once. A script by itself: what it imports is sent twice.
import type { Bootstrap } from '#shared/entities.ts'
import { isForeignCustomer, isGlobalAdmin, landingOf, mayEnter } from '#shared/landing.ts'
import { drawCustomers, drawDevices } from './first-list/first-list.ts'

const API = '/api/portal/v1'

const { pathname, search } = location
const [, customerId] = /^\/(?:integrators\/[^/]+\/)?customers\/([^/]+)\/?$/.exec(pathname) ?? []
const screen = customerId ? 'customer' : pathname === '/' ? 'customers' : ''

if (window.portalEarly === undefined && !/^\/(?:logout|signed-out|signin-failed)/.test(pathname)) {
  window.portalEarly = {}
  ask(`${API}/bootstrap`)
    .then(async (answer) => answer.ok && (await askFirst(await answer.clone().json())))
    .catch(() => {})
  for (const href of document.currentScript?.dataset[screen]?.split(' ') ?? []) fetchAhead(href)
}

function ask(path: string): Promise<Response> {
  const answer = fetch(path, { headers: { accept: 'application/json', 'x-portal-csrf': '1' } })
  answer.catch(() => {})
  if (window.portalEarly) window.portalEarly[path] = answer
  return answer
}

function askOnce(path: string): Promise<Response> | undefined {
  return window.portalEarly && !(path in window.portalEarly) ? ask(path) : undefined
}

/** What the screen shows first, of those who get to it; not what the page has asked for meanwhile. */
async function askFirst(bootstrap: Bootstrap): Promise<void> {
  if (!mayEnter(bootstrap)) return
  const { organizationId } = bootstrap.user
  if (screen === 'customers' && organizationId !== null && landingOf(bootstrap).to === 'customers')
    await drawCustomers(
      bootstrap,
      askOnce(`${API}/organizations/${encodeURIComponent(organizationId)}/attention`)
    )
  if (!customerId || isGlobalAdmin(bootstrap) !== pathname.startsWith('/integrators/')) return
  if (isForeignCustomer(bootstrap, customerId)) return
  const projects = askOnce(`${API}/customers/${customerId}/projects`)
  if (search !== '' || document.documentElement.dataset.layout !== 'desktop') return
  const devices = askOnce(`${API}/customers/${customerId}/devices?sort=deviceName&order=asc&size=15&page=0`)
  await drawDevices(bootstrap, projects, devices)
}

function fetchAhead(href: string): void {
  // Data first: the list can show before its code is there.
  const kind = href.endsWith('.css') ? { rel: 'stylesheet' } : { rel: 'modulepreload', fetchPriority: 'low' }
  document.head.append(Object.assign(document.createElement('link'), { href, crossOrigin: '', ...kind }))
}
