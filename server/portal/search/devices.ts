// Searches devices of all customers that the caller may view. Answers with one JSON text, or one line (NDJSON) per step.

import { DeviceSearch } from '#shared/answers/customers.ts'
import { mergeFound } from '#shared/found-devices.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { closed } from '../../schemas.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import type { CustomerLists } from '../customer-lists.ts'
import { ENDED_EARLY, sendLines, wantsLines } from '../lines.ts'
import { OrganizationParams, requiredText, resultCount } from '../parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn } from '../request.ts'
import type { CustomerReads } from './customer-reads.ts'
import { searchDevices } from './search.ts'

const SearchQuery = closed({
  q: requiredText(
    'Part of the name, host ID or uuid; white space and case are ignored. If there are several words, some may be in the project or the name of the customer, but at least one must be in the name of the device. Nothing matches a blank text, or a text with one of `* < > " \' % ( ) & + / ^ | ? [ ] \\`.'
  ),
  size: resultCount
})

interface Services {
  customerLists: CustomerLists
  customerReads: CustomerReads
  snapshots: Snapshots
}

export const deviceSearchRoutes: PortalRoutes<Services> = async (app, services) => {
  const { customerLists, customerReads: reads, snapshots } = services
  app.get(
    '/organizations/:organizationId/search',
    {
      config: {
        id: 'portal.search',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'Search the devices of all customers of an integrator',
          description: `Searches the customers that the caller may view: cached ones first, then the others, a few at a time. With \`Accept: application/x-ndjson\` each line contains what changed since the previous one: new \`items\` among the best matches, \`total\` and \`customers\` so far, and new \`partial\` entries; the stream ends after the last customer. ${ENDED_EARLY} A customer is fetched again after 15 minutes, or after a change through the gateway.`,
          answers: { 200: { schema: DeviceSearch, lines: DeviceSearch } }
        }
      },
      schema: { params: OrganizationParams, querystring: SearchQuery }
    },
    async (request, reply) => {
      const caller = signedIn(request.caller)
      const { q, size } = request.query
      const signal = disconnectSignal(reply)
      const cards = await customerLists.of(request.params.organizationId, caller, signal)
      const customers = cards.map(({ id, orgName, scope }) => ({ id, orgName, scope }))
      const steps = searchDevices({ snapshots, reads, caller, customers, q, size, signal })
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
