// Runs while the page's own code is on its way: asks for the first data of the screen at hand and for its code, so that they
// do not wait for each other on a slow line. lib/http/early.ts hands the answers out, each once. A script by itself: what it
// imports is sent twice.
import type { Bootstrap } from '#shared/entities.ts'
import { isForeignCustomer, isGlobalAdmin, landingOf, mayEnter } from './features/session/landing.ts'

const API = '/api/portal/v1'

const { pathname, search } = location
const [, customerId] = /^\/(?:integrators\/[^/]+\/)?customers\/([^/]+)\/?$/.exec(pathname) ?? []
const screen = customerId ? 'customer' : pathname === '/' ? 'customers' : ''

if (window.portalEarly === undefined && !/^\/(?:logout|signed-out|signin-failed)/.test(pathname)) {
  window.portalEarly = {}
  ask(`${API}/bootstrap`)
    .then(async (answer) => answer.ok && askFirst(await answer.clone().json()))
    .catch(() => {})
  for (const href of document.currentScript?.dataset[screen]?.split(' ') ?? []) fetchAhead(href)
}

function ask(path: string): Promise<Response> {
  const answer = fetch(path, { headers: { accept: 'application/json', 'x-portal-csrf': '1' } })
  answer.catch(() => {})
  if (window.portalEarly) window.portalEarly[path] = answer
  return answer
}

function askOnce(path: string): void {
  if (window.portalEarly && !(path in window.portalEarly)) ask(path)
}

/** What the screen shows first, of those who get to it; not what the page has asked for meanwhile. */
function askFirst(bootstrap: Bootstrap): void {
  if (!mayEnter(bootstrap)) return
  const { organizationId } = bootstrap.user
  if (screen === 'customers' && organizationId !== null && landingOf(bootstrap).to === 'customers')
    askOnce(`${API}/organizations/${encodeURIComponent(organizationId)}/attention`)
  if (!customerId || isGlobalAdmin(bootstrap) !== pathname.startsWith('/integrators/')) return
  if (isForeignCustomer(bootstrap, customerId)) return
  askOnce(`${API}/customers/${customerId}/projects`)
  if (search === '' && document.documentElement.dataset.layout === 'desktop')
    askOnce(`${API}/customers/${customerId}/devices?sort=deviceName&order=asc&size=15&page=0`)
}

function fetchAhead(href: string): void {
  const kind = href.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' }
  document.head.append(Object.assign(document.createElement('link'), { href, crossOrigin: '', ...kind }))
}
