// The first list of a visit, drawn on a slow line from the data that early.ts has asked for, before the page's code is there.
import type { AttentionList } from '#shared/attention.ts'
import type { Bootstrap, DevicePage, ProjectList } from '#shared/entities.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { customersPage } from './customers.ts'
import { devicesPage, remembersView } from './devices.ts'
import { showUntilThere } from './show.ts'

type Answer = Promise<Response> | undefined

/** How long a page of a packet or two takes. Where it takes less the code comes soon, and drawing twice would only cost time. */
const SLOW_PAGE_MS = 300

/** The customers of whoever begins at the start page. */
export async function drawCustomers(bootstrap: Bootstrap, attention: Answer): Promise<void> {
  if (!showsFirst(bootstrap)) return
  const [list] = await readAll<[AttentionList]>(attention)
  show(customersPage(bootstrap, list))
}

/** The projects and devices of a customer, where they show beside each other; a global admin's are under an integrator. */
export async function drawDevices(bootstrap: Bootstrap, projects: Answer, devices: Answer): Promise<void> {
  // See useTablet in lib/layout.ts.
  const isDesk = window.matchMedia('(min-width: 1280px) and (pointer: fine)').matches
  if (!isDesk || !showsFirst(bootstrap) || isGlobalAdmin(bootstrap)) return
  const [list, page] = await readAll<[ProjectList, DevicePage]>(projects, devices)
  if (!remembersView(list.customer.id, bootstrap)) show(devicesPage(bootstrap, list, page))
}

/** On a slow line, and as everybody's first look is. */
function showsFirst({ banner, flags }: Bootstrap): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isSlow = visit !== undefined && visit.responseEnd - visit.requestStart >= SLOW_PAGE_MS
  const isResponsive = flags.enableMobileResponsive || document.documentElement.dataset.layout === 'desktop'
  return isSlow && isResponsive && banner === null && location.search === ''
}

/** What the answers say, once the page's style sheets are there too. Rejects when one is a refusal, or was taken by the page. */
async function readAll<Data extends unknown[]>(...answers: Answer[]): Promise<Data> {
  const data = answers.map(async (answer) => {
    const response = await answer
    if (!response?.ok) throw new Error('the page says why there is none')
    return response.clone().json()
  })
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  return Promise.all([...data, ...sheets.map(loaded)]) as Promise<unknown> as Promise<Data>
}

function loaded(link: HTMLLinkElement): unknown {
  return link.sheet ?? new Promise((resolve) => link.addEventListener('load', resolve))
}

function show(list: HTMLElement | null): void {
  if (list) showUntilThere(list)
}
