// Searches points of all devices of a customer by name, tags and path.

import { FoundPoints } from '#shared/answers/customers.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { closed } from '../../schemas.ts'
import type { UpstreamClient } from '../../upstreams/client.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { text } from '../../upstreams/fields.ts'
import { CustomerParams, requiredText, resultCount } from '../parameters.ts'
import type { SitePointsReader } from '../points/site-points.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn, snapshotFor } from '../request.ts'
import { distinctWithDevices, namedFirst, pointFinder } from './find-points.ts'

/** Maximum number of devices named in the text whose points are searched. */
const NAMED_MAX = 3

const PointsQuery = closed({
  q: requiredText(
    'Part of the name, of a tag or of the slot path; case is ignored. The text may begin with the name, host ID or uuid of a device, or with the first characters of one: then the rest is searched in that device.'
  ),
  size: resultCount
})

interface Services {
  client: UpstreamClient
  snapshots: Snapshots
  sitePoints: SitePointsReader
}

export const pointSearchRoutes: PortalRoutes<Services> = async (app, { client, snapshots, sitePoints }) => {
  app.get(
    '/customers/:customerId/points',
    {
      config: {
        id: 'portal.points',
        access: { action: 'data:query-model', scope: 'customer' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'Search the points of all devices of a customer',
          description:
            'Points of a device that the text names (`AHU-1 supply`) come first, then matches by name, by the values of tags (such as the slot path), and by the names of tags. A call makes at most twelve upstream searches, and none while the points of the customer are in memory (`/points/values`).',
          answers: { 200: { schema: FoundPoints, hasUpstreamRecords: true } }
        }
      },
      schema: { params: CustomerParams, querystring: PointsQuery }
    },
    async (request, reply) => {
      const { q, size } = request.query
      const { customerId } = request.params
      const bearer = signedIn(request.caller)
      const source = { client, customerId, bearer, signal: disconnectSignal(reply) }
      const find = pointFinder(source, sitePoints.find(customerId, bearer))
      const searchOfAll = find(q, size)
      searchOfAll.catch(() => {})
      const snapshot = await snapshotFor(snapshots, request, reply)
      const customer = { id: customerId, orgName: '', scope: '' }
      const namedPoints = await namedFirst(
        q,
        async (name) => (await snapshots.search([{ customer, snapshot }], name, NAMED_MAX)).items,
        async (rest, { systemGuid }) => (systemGuid ? (await find(rest, size, systemGuid)).found : [])
      )
      const { found, ...totals } = await searchOfAll
      const matches = [...namedPoints, ...found]
      const guids = matches.map(({ point }) => text(point.systemGuid)).filter(Boolean)
      const devices = await snapshot.customer.systems(guids)
      // The other searches may have succeeded, so check again for a sign-out before the answer.
      await request.decideAgain()
      return { items: distinctWithDevices(matches, devices).slice(0, size), ...totals }
    }
  )
}
