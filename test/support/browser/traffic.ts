// Tracks the pending requests of a page, except its live stream, which stays open.
import type { Page, Request } from 'playwright-core'
import { calls } from '#shared/calls.ts'

const LIVE_STREAM = calls.events({})

interface Traffic {
  pending: Set<Request>
  requests: number
  resolvers: (() => void)[]
}

const traffic = new WeakMap<Page, Traffic>()

export function watchTraffic(page: Page): void {
  const pageTraffic: Traffic = { pending: new Set(), requests: 0, resolvers: [] }
  traffic.set(page, pageTraffic)
  const finish = (request: Request) => {
    pageTraffic.pending.delete(request)
    if (pageTraffic.pending.size === 0) for (const resolve of pageTraffic.resolvers.splice(0)) resolve()
  }
  const workers = new Set<string>()
  page.on('request', (request) => {
    pageTraffic.requests += 1
    const isStream = new URL(request.url()).pathname === LIVE_STREAM
    if (!isStream && !workers.has(request.url())) pageTraffic.pending.add(request)
  })
  page.on('requestfinished', finish)
  page.on('requestfailed', finish)
  // The browser reports no end of a preload that failed, because nobody reads its answer.
  page.on('response', (response) => {
    const request = response.request()
    if (!response.ok() && request.resourceType() === 'other') finish(request)
  })
  // The browser reports no end of the request for a worker's script.
  page.on('worker', (worker) => {
    workers.add(worker.url())
    for (const request of pageTraffic.pending) if (request.url() === worker.url()) finish(request)
  })
}

export const waitsForAnswers = (page: Page): boolean => trafficOf(page).pending.size > 0

export const requestsOf = (page: Page): number => trafficOf(page).requests

export async function answered(page: Page): Promise<void> {
  const { resolvers } = trafficOf(page)
  if (waitsForAnswers(page)) await new Promise<void>((resolve) => resolvers.push(resolve))
}

function trafficOf(page: Page): Traffic {
  const pageTraffic = traffic.get(page)
  if (!pageTraffic) throw new Error('call watchTraffic for this page first')
  return pageTraffic
}
