import t, { type Test } from 'tap'
import { readConfig } from '#server/config/settings.ts'
import { createUpstreamClient } from '#server/upstreams/client.ts'
import { openUpstreams } from '#server/upstreams/transport/pools.ts'
import { eventually } from '../../../support/eventually.ts'
import { startTinyUpstream } from '../../../support/tiny-upstream.ts'

const FOR_EVER = 60_000
const AT_ONCE = 100
const bearer = { accessToken: async () => 'token', replaceToken: async () => null }

const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error) => error
  )

/** @param waitMs how long a call waits for the one connection */
async function surroundings(t: Test, waitMs = FOR_EVER) {
  const upstream = await startTinyUpstream(t)
  const open: (() => void)[] = []
  upstream.answer = (_request, response) => void open.push(() => response.end('{"fine":true}'))
  const config = readConfig({
    OIDC_ISSUER: 'http://localhost:1',
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'x',
    UPSTREAM_URL: upstream.url,
    UPSTREAM_CONNECTIONS: '1',
    UPSTREAM_TIMEOUT_MS: String(FOR_EVER)
  })
  const upstreams = openUpstreams(config, undefined, waitMs)
  t.teardown(() => upstreams.close())
  const client = createUpstreamClient(upstreams, config.UPSTREAM_TIMEOUT_MS)
  const call = (signal?: AbortSignal) => client.get('MANAGEMENT', '/x', bearer, signal)
  return { upstream, upstreams, open, call }
}

t.test('a call of the gateway itself that gets no connection in time is refused', async (t) => {
  const { upstream, open, call } = await surroundings(t, AT_ONCE)
  const first = call()
  await eventually(() => open.length === 1)
  for (let round = 0; round < 3; round += 1)
    t.match(await failure(call()), { id: 'upstream_busy', status: 503, options: { retryAfterSeconds: 1 } })
  open[0]?.()
  t.strictSame(await first, { fine: true })
  t.equal(upstream.received.length, 1, 'and is not made later')
})

t.test('one more than may wait is refused at once', async (t) => {
  const { upstream, open, call } = await surroundings(t)
  const first = call()
  await eventually(() => open.length === 1)
  const waiting = [call(), call(), call()]
  t.match(await failure(call()), { id: 'upstream_busy' }, 'while the others wait on')
  t.equal(upstream.received.length, 1)
  upstream.answer = (_request, response) => response.end('{"fine":true}')
  open[0]?.()
  for (const one of [first, ...waiting]) t.strictSame(await one, { fine: true })
  t.equal(upstream.received.length, 4, 'who waited comes next')
})

t.test('a caller who goes while waiting asks for nothing', async (t) => {
  const { upstream, open, call } = await surroundings(t)
  const first = call()
  await eventually(() => open.length === 1)
  const gone = new AbortController()
  const waiting = call(gone.signal)
  gone.abort()
  t.match(await failure(waiting), { id: 'client_gone' })
  open[0]?.()
  await first
  t.equal(upstream.received.length, 1)
})

t.test('a place that was left is free, and is left only once', async (t) => {
  const { upstreams } = await surroundings(t, AT_ONCE)
  const upstream = upstreams.of('MANAGEMENT')
  const leave = await upstream.enter()
  leave(200)
  leave()
  const again = await upstream.enter()
  t.match(await failure(upstream.enter()), { id: 'upstream_busy' }, 'leaving twice gives nothing more')
  again()
})
