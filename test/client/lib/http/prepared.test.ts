import '../../../support/client/dom.ts'
import t from 'tap'
import { problem, startGateway } from '../../../support/client/gateway.ts'

for (const path of ['/api/used', '/api/failed', '/api/old', '/api/changed', '/api/narrow']) {
  const link = document.createElement('link')
  link.setAttribute('href', path)
  link.rel = 'preload'
  link.setAttribute('as', 'fetch')
  if (path.endsWith('narrow')) link.media = '(max-width: 767px)'
  document.head.append(link)
}
const gateway = startGateway({
  '/api/used': { name: 'preloaded' },
  '/api/failed': problem(503),
  '/api/old': {},
  '/api/changed': {}
})
t.teardown(gateway.stop)
const { request } = await import('#client/lib/http/request.ts')
const callsOf = (path: string) => gateway.calls.filter((call) => call.path === path).length

t.test('preloads only links whose media query matches', async (t) => {
  t.equal(callsOf('/api/narrow'), 0)
  t.equal(callsOf('/api/used'), 1)
})

t.test('uses a preloaded answer once', async (t) => {
  t.strictSame(await request('/api/used'), { name: 'preloaded' })
  t.equal(callsOf('/api/used'), 1)
  await request('/api/used')
  t.equal(callsOf('/api/used'), 2)
})

t.test('calls again if the preload failed', async (t) => {
  gateway.answers['/api/failed'] = { name: 'there' }
  t.strictSame(await request('/api/failed'), { name: 'there' })
})

t.test('does not use a preloaded answer older than 30 seconds', async (t) => {
  t.intercept(performance, 'now', { value: () => 30_001 })
  await request('/api/old')
  t.equal(callsOf('/api/old'), 2)
})

t.test('does not use a preloaded answer after a write', async (t) => {
  await request('/api/used', { method: 'POST' })
  await request('/api/changed')
  t.equal(callsOf('/api/changed'), 2)
})
