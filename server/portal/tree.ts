// The tree of a customer: as compressed JSON with an ETag, or as one device per line.

import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { CustomerTree, Device } from '#shared/answers/customers.ts'
import type { Snapshots } from '../inventory/cache.ts'
import { encodingFor, IF_NONE_MATCH, isUnchanged, JSON_TYPE } from './encoding.ts'
import { ENDED_EARLY, sendLines, wantsLines } from './lines.ts'
import { CustomerParams } from './parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, SEES_DEVICES, snapshotFor, whenSent } from './request.ts'

interface Services {
  snapshots: Snapshots
}

export const treeRoutes: PortalRoutes<Services> = async (app, { snapshots }) => {
  app.get(
    '/customers/:customerId/tree',
    {
      config: {
        id: 'portal.tree',
        access: SEES_DEVICES,
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'Get all data of a customer',
          description: `Returns projects, their devices, and the subscriptions of each device, compressed with gzip or br if the caller accepts it. With \`Accept: application/x-ndjson\` the devices are streamed, one JSON text per line, for callers that cannot keep all devices in memory. ${ENDED_EARLY} A tree that is assembled again without a change keeps its \`ETag\` and \`assembledAt\`.`,
          headers: IF_NONE_MATCH,
          answers: {
            200: {
              headers: { ETag: 'Identifies this data in this encoding. NDJSON answers have none.' },
              schema: CustomerTree,
              lines: Device
            },
            304: { description: 'The tree has not changed.' }
          }
        }
      },
      schema: { params: CustomerParams }
    },
    async (request, reply) => {
      const { customer } = await snapshotFor(snapshots, request, reply)
      reply.header('vary', 'accept, accept-encoding')
      if (wantsLines(request)) {
        const lines = customer.lines()
        whenSent(reply, () => lines.destroy())
        return sendLines(request, reply, whileAllowed(request, lines))
      }

      const encoding = encodingFor(request.headers)
      if (isUnchanged(request, reply, customer.tag, encoding)) return reply.code(304).send()
      const { stream, bytes } = await customer.tree(encoding)
      whenSent(reply, () => stream.destroy())
      if (encoding !== null) reply.header('content-encoding', encoding)
      const body = Readable.from(whileAllowed(request, stream), { objectMode: false })
      return reply.type(JSON_TYPE).header('content-length', bytes).send(body)
    }
  )
}

/** Checks access before each part. An answer with a declared length cannot report a problem: it is cut off. */
async function* whileAllowed(request: FastifyRequest, parts: AsyncIterable<Buffer>) {
  for await (const part of parts) {
    await request.decideAgain()
    yield part
  }
}
