// Searches devices of all customers that the caller may view. Answers with one JSON text, or one line (NDJSON) per step.
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import type { DeviceSearch } from '#shared/entities.ts'
import { mergeFound } from '#shared/search/found-devices.ts'
import { goneSignal } from '../../upstreams/gone.ts'
import { DOCS } from '../descriptions.ts'
import { sendLines, wantsLines } from '../lines.ts'
import { type PortalRoutes, signedIn } from '../request.ts'
import { OrganizationParams, SearchQuery } from '../schemas.ts'
import { searchDevices } from './search.ts'

/** Maximum number of customers that are fetched in parallel for one caller. */
export const READ_AT_ONCE = 2
const CALLERS_MAX = 10_000

export const deviceSearchRoutes: PortalRoutes = async (app, { clock, customerLists, snapshots }) => {
  const limits = new LRUCache<string, LimitFunction>({
    max: CALLERS_MAX,
    memoMethod: () => pLimit(READ_AT_ONCE)
  })

  app.get(
    '/organizations/:organizationId/search',
    {
      config: {
        id: 'portal.search',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: DOCS.search
      },
      schema: { params: OrganizationParams, querystring: SearchQuery }
    },
    async (request, reply) => {
      const caller = signedIn(request.caller)
      const { q, size } = request.query
      const signal = goneSignal(reply)
      const cards = await customerLists.of(request.params.organizationId, caller, signal)
      const customers = cards.map(({ id, orgName, scope }) => ({ id, orgName, scope }))
      const limit = limits.memo(caller.user.id)
      const steps = searchDevices({ snapshots, clock, caller, customers, q, size, limit, signal })
      reply.header('vary', 'accept')
      return wantsLines(request) ? sendLines(request, reply, linesOf(steps)) : mergedSteps(steps, size)
    }
  )
}

async function* linesOf(steps: AsyncIterable<DeviceSearch>): AsyncGenerator<string, void, void> {
  for await (const step of steps) yield `${JSON.stringify(step)}\n`
}

async function mergedSteps(steps: AsyncIterable<DeviceSearch>, size: number): Promise<DeviceSearch> {
  const merged: DeviceSearch = { items: [], total: 0, customers: { read: 0, of: 0 }, partial: [] }
  for await (const { items, total, customers, partial } of steps) {
    merged.items = [...mergeFound(merged.items, items, size)]
    merged.partial.push(...partial)
    Object.assign(merged, { total, customers })
  }
  return merged
}
