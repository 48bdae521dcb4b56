// Tracks the pending requests of a page.
import type { Page, Request } from 'playwright-core'

interface Traffic {
  pending: Set<Request>
  requests: number
  waiting: (() => void)[]
}

const traffic = new WeakMap<Page, Traffic>()

export function watchTraffic(page: Page): void {
  const own: Traffic = { pending: new Set(), requests: 0, waiting: [] }
  traffic.set(page, own)
  const finish = (request: Request) => {
    own.pending.delete(request)
    if (own.pending.size === 0) for (const go of own.waiting.splice(0)) go()
  }
  const workers = new Set<string>()
  page.on('request', (request) => {
    own.requests += 1
    if (!workers.has(request.url())) own.pending.add(request)
  })
  page.on('requestfinished', finish)
  page.on('requestfailed', finish)
  // The browser reports no end of the request for a worker's script.
  page.on('worker', (worker) => {
    workers.add(worker.url())
    for (const request of own.pending) if (request.url() === worker.url()) finish(request)
  })
}

export const waitsForAnswers = (page: Page): boolean => trafficOf(page).pending.size > 0

export const requestsOf = (page: Page): number => trafficOf(page).requests

export async function answered(page: Page): Promise<void> {
  const { waiting } = trafficOf(page)
  if (waitsForAnswers(page)) await new Promise<void>((go) => waiting.push(go))
}

function trafficOf(page: Page): Traffic {
  const own = traffic.get(page)
  if (!own) throw new Error('call watchTraffic for this page first')
  return own
}
