// The tree is prepared in the worker, which may take long.
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import t from 'tap'
import type { Snapshots } from '#server/inventory/cache.ts'
import { treeRoutes } from '#server/portal/tree.ts'
import type { Caller } from '#server/types.ts'
import { eventually } from '../../support/eventually.ts'

t.test('a caller who leaves while the tree is prepared leaves no reader behind', async (t) => {
  const asked = Promise.withResolvers<void>()
  const prepared = Promise.withResolvers<{ bytes: number; stream: Readable }>()
  const customer = {
    tag: 'tag',
    tree() {
      asked.resolve()
      return prepared.promise
    }
  }
  const snapshots = { of: async () => ({ customer }), use: () => () => {} } as unknown as Snapshots
  const app = Fastify()
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    request.caller = {} as Caller
  })
  let hasLeft = false
  app.addHook('onRequestAbort', async (_request) => {
    hasLeft = true
  })
  await app.register(treeRoutes, { snapshots })
  const url = await app.listen({ port: 0 })
  t.teardown(() => app.close())

  const leaving = new AbortController()
  const answer = fetch(`${url}/customers/9/tree`, { signal: leaving.signal }).catch(() => {})
  await asked.promise
  leaving.abort()
  await answer
  await eventually(() => hasLeft)
  const stream = Readable.from(['{}'])
  prepared.resolve({ bytes: 2, stream })
  t.ok(await eventually(() => stream.destroyed))
})
