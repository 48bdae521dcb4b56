// A gateway process that stops ends its live streams, however many there are, and nobody is signed out.
import { once } from 'node:events'
import pLimit from 'p-limit'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, signIn } from '#test/support/portal.ts'
import { productionAt, startGatewayProcess } from '../../../support/gateway-process.ts'
import { listen } from '../../../support/live.ts'
import { startRedis } from '../../../support/redis-server.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'

const STREAMS = 500
const STREAMS_PER_SESSION = 6
const DEADLINE_MS = 20_000

// Two processes start here, which takes long on a busy machine.
t.setTimeout(200_000)
const sandbox = await openSandbox(t)
const redis = await startRedis(t)
const settings = {
  ...productionAt(sandbox, redis.url),
  SESSIONS_PER_PERSON: '100',
  // One person may have a tenth of them.
  LIVE_STREAMS: String(10 * STREAMS),
  SHUTDOWN_DELAY_SECONDS: '0',
  SHUTDOWN_DEADLINE_SECONDS: String(DEADLINE_MS / 1000),
  LOG_LEVEL: 'info'
}

t.test('SIGTERM ends 500 streams with a time to wait, within the deadline; sessions go on', async (t) => {
  const gateway = await startGatewayProcess(t, settings)
  const replica = await startGatewayProcess(t, settings)
  const limit = pLimit(8)
  const sessions = await Promise.all(
    Array.from({ length: Math.ceil(STREAMS / STREAMS_PER_SESSION) }, () =>
      limit(() => signIn(gateway.url, sandbox, 'partner.user'))
    )
  )
  const query = `?customerId=${NOTABLE.northwind}`
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, number) => {
      const session = sessions[number % sessions.length] as Browser
      return limit(() => listen(t, (path, init) => session.call(path, init), query))
    })
  )
  await Promise.all(streams.map((live) => live.has('roles')))
  const exit = once(gateway.child, 'exit')
  const startedAt = performance.now()
  gateway.child.kill('SIGTERM')
  t.strictSame(await exit, [0, null])
  const stoppedAfterMs = performance.now() - startedAt
  t.ok(stoppedAfterMs < DEADLINE_MS / 2, `${Math.round(stoppedAfterMs)} ms`)
  t.match(gateway.output(), /"msg":"stopped"/, 'no stream was cut off')
  const reasons = await Promise.all(streams.map((live) => live.end()))
  t.strictSame([...new Set(reasons)], ['stopping'])
  const retries = new Set(streams.map(({ text }) => /retry: (\d+)\nevent: end/.exec(text)?.[1]))
  t.ok(retries.size > STREAMS / 4, `${retries.size} different times to wait`)
  const statuses = await Promise.all(
    sessions.map(({ jar }) =>
      // One person may have 32 calls in flight.
      limit(async () => (await new Browser(replica.url, jar).call('/api/portal/v1/me')).status)
    )
  )
  t.strictSame([...new Set(statuses)], [200])
})
