// Everything of a customer: as one JSON, compressed as the caller takes it and named by an ETag, or one device a line.
import fresh from 'fresh'
import { DOCS } from './descriptions.ts'
import { encodingFor, etagOf } from './encoding.ts'
import { JSON_TYPE, LINES_TYPE, type PortalRoutes, SEES_DEVICES, snapshotFor } from './request.ts'
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
      reply.header('vary', 'accept, accept-encoding')
      if (request.headers.accept?.includes(LINES_TYPE)) return reply.type(LINES_TYPE).send(inventory.lines())

      const encoding = encodingFor(request.headers)
      const etag = etagOf(inventory.tag, encoding)
      reply.header('etag', etag)
      // Browsers send `no-cache` along with a tag that a script sets: the tag alone decides (RFC 9110 §13.1.2).
      if (fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag }))
        return reply.code(304).send()
      const { stream, bytes } = await inventory.tree(encoding)
      if (encoding !== null) reply.header('content-encoding', encoding)
      return reply.type(JSON_TYPE).header('content-length', bytes).send(stream)
    }
  )
}
