// What no route takes is not parsed: a body that is made to be slow costs nothing, with or without a session.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { buildOperations } from '#server/lifecycle/operations.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { startPortal } from '#test/support/portal.ts'

const BODY_MAX_BYTES = 512 * 1024
const portal = await startPortal(t)

/** What came back of a body that no parser would take. */
async function post(url: string, path: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-portal-csrf': '1', origin: portal.url }
  const answer = await fetch(url + path, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}

t.test('a body that is no JSON is not looked at where no route takes one', async (t) => {
  for (const path of ['/nowhere', '/api/nowhere', '/api/portal/v1/me', '/callback'])
    for (const body of ['{broken', '['.repeat(BODY_MAX_BYTES)])
      t.equal(await post(portal.url, path, body), 404, path)
  for (const body of ['{broken', '['.repeat(BODY_MAX_BYTES)])
    t.equal(await post(portal.url, '/auth/logout', body), 200, 'signing out takes none')
})

t.test('nor where operators look', async (t) => {
  const { app, config } = portal
  const operations = await buildOperations({ app, config, metrics: createMetrics(), clock: Date.now })
  t.teardown(() => operations.close())
  await operations.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(operations.server.address() as AddressInfo).port}`
  t.equal(await post(url, '/metrics', '['.repeat(BODY_MAX_BYTES)), 404)
})

t.test('a body just past the limit is refused everywhere', async (t) => {
  for (const path of ['/nowhere', '/api/nowhere', '/auth/logout'])
    t.equal(await post(portal.url, path, '['.repeat(BODY_MAX_BYTES + 1)), 413, path)
})
