// The tree of a customer: as compressed JSON with an ETag, or as one device per line.
import { Readable } from 'node:stream'
import { DOCS } from './descriptions.ts'
import { encodingFor, isUnchanged } from './encoding.ts'
import { sendLines, wantsLines } from './lines.ts'
import { decideAgain, JSON_TYPE, type PortalRoutes, SEES_DEVICES, snapshotFor } from './request.ts'
import { CustomerParams } from './schemas.ts'

export const treeRoutes: PortalRoutes = async (app, options) => {
  app.get(
    '/customers/:customerId/tree',
    {
      config: { id: 'portal.tree', access: SEES_DEVICES, docs: DOCS.tree },
      schema: { params: CustomerParams }
    },
    async (request, reply) => {
      const { inventory } = await snapshotFor(options, request, reply)
      const checkAccess = () => decideAgain(request, SEES_DEVICES.action)
      reply.header('vary', 'accept, accept-encoding')
      if (wantsLines(request)) return sendLines(request, reply, whileAllowed(inventory.lines(), checkAccess))

      const encoding = encodingFor(request.headers)
      if (isUnchanged(request, reply, inventory.tag, encoding)) return reply.code(304).send()
      const { stream, bytes } = await inventory.tree(encoding)
      if (encoding !== null) reply.header('content-encoding', encoding)
      const body = Readable.from(whileAllowed(stream, checkAccess), { objectMode: false })
      return reply.type(JSON_TYPE).header('content-length', bytes).send(body)
    }
  )
}

/** Checks access before each part. An answer with a declared length cannot report a problem: it is cut off. */
async function* whileAllowed(parts: AsyncIterable<Buffer>, checkAccess: () => Promise<void>) {
  for await (const part of parts) {
    await checkAccess()
    yield part
  }
}
