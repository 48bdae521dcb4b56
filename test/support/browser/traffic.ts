// Tracks the pending requests of a page.
import type { Page, Request } from 'playwright-core'

interface Traffic {
  underWay: Set<Request>
  requests: number
  waiting: (() => void)[]
}

const traffic = new WeakMap<Page, Traffic>()

export function watchTraffic(page: Page): void {
  const own: Traffic = { underWay: new Set(), requests: 0, waiting: [] }
  traffic.set(page, own)
  const over = (request: Request) => {
    own.underWay.delete(request)
    if (own.underWay.size === 0) for (const go of own.waiting.splice(0)) go()
  }
  const workers = new Set<string>()
  page.on('request', (request) => {
    own.requests += 1
    if (!workers.has(request.url())) own.underWay.add(request)
  })
  page.on('requestfinished', over)
  page.on('requestfailed', over)
  // The browser reports only the start of a worker's own script.
  page.on('worker', (worker) => {
    workers.add(worker.url())
    for (const request of own.underWay) if (request.url() === worker.url()) over(request)
  })
}

export const waitsForAnswers = (page: Page): boolean => trafficOf(page).underWay.size > 0

export const requestsOf = (page: Page): number => trafficOf(page).requests

export async function answered(page: Page): Promise<void> {
  const { waiting } = trafficOf(page)
  if (waitsForAnswers(page)) await new Promise<void>((go) => waiting.push(go))
}

function trafficOf(page: Page): Traffic {
  const own = traffic.get(page)
  if (!own) throw new Error('nobody watches the traffic of this page')
  return own
}
