// A replica that stops ends its live streams, however many there are, and nobody is signed out.
import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import t from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { stop } from '#server/lifecycle/stop.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, signIn, startPortal } from '#test/support/portal.ts'
import { listen } from '../../../support/live.ts'

const STREAMS = 500
const STREAMS_PER_SESSION = 6
const DEADLINE_MS = 20_000

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const options = {
  startedSandbox: sandbox,
  backend: createMemoryBackend(Date.now),
  secrets: [randomBytes(32).toString('base64')],
  env: { SESSIONS_PER_PERSON: '100' }
}

t.test('500 streams end with a time to wait, within the deadline, and their sessions go on', async (t) => {
  const portal = await startPortal(t, options)
  const replica = await startPortal(t, options)
  const limit = pLimit(8)
  const sessions = await Promise.all(
    Array.from({ length: Math.ceil(STREAMS / STREAMS_PER_SESSION) }, () =>
      limit(() => signIn(portal.url, sandbox, 'partner.user'))
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
  const startedAt = performance.now()
  t.ok(await stop(portal.app, { delayMs: 100, deadlineMs: DEADLINE_MS }), 'no stream was cut off')
  t.ok(performance.now() - startedAt < DEADLINE_MS / 2)
  const reasons = await Promise.all(streams.map((live) => live.end()))
  t.strictSame([...new Set(reasons)], ['stopping'])
  const retries = new Set(streams.map(({ text }) => /retry: (\d+)\nevent: end/.exec(text)?.[1]))
  t.ok(retries.size > STREAMS / 4, `${retries.size} different times to wait`)
  const statuses = await Promise.all(
    sessions.map(async ({ jar }) => (await new Browser(replica.url, jar).call('/api/portal/v1/me')).status)
  )
  t.strictSame([...new Set(statuses)], [200])
})
