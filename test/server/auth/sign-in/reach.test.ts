// Before a redirect to the authority, the gateway knows that the authority answers.
import t, { type Test } from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { freePort, startPortal } from '#test/support/portal.ts'
import { startFakeAuthority } from '../../../support/fake-authority.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'

const FRESH_MS = 10_000
const FAILURE_REMEMBERED_MS = 1_000

function stoppedClock() {
  const time = { nowMs: Date.now() }
  return { time, clock: () => time.nowMs }
}

const visit = (url: string) => fetch(`${url}/auth/login?returnTo=%2Freports`, { redirect: 'manual' })
const placeOf = (answer: Response) => answer.headers.get('location') ?? ''

t.test('a person sees a page of the portal while the authority is away', async (t) => {
  const { time, clock } = stoppedClock()
  const sandboxPort = await freePort()
  const sandbox = await startSandbox({ port: sandboxPort })
  const portal = await startPortal(t, { startedSandbox: sandbox, clock })
  const isRedirected = async () => placeOf(await visit(portal.url)).startsWith(sandbox.issuer)
  t.ok(await isRedirected())
  await sandbox.stop()
  time.nowMs += FRESH_MS
  t.ok(await isRedirected(), 'at the limit the last answer is still recent')

  time.nowMs += 1
  const answer = await visit(portal.url)
  const { pathname, searchParams } = new URL(placeOf(answer), portal.url)
  t.equal(pathname, '/signin-failed')
  t.match(Object.fromEntries(searchParams), {
    reason: 'unavailable',
    by: 'authority',
    returnTo: '/reports'
  })
  t.strictSame(answer.headers.getSetCookie(), [], 'begins no sign-in')

  await openSandbox(t, { port: sandboxPort })
  time.nowMs += FAILURE_REMEMBERED_MS
  t.ok(await isRedirected(), 'as soon as the authority is back')
})

async function withFakeAuthority(t: Test) {
  const { time, clock } = stoppedClock()
  const fake = await startFakeAuthority(t)
  const portal = await startPortal(t, { env: fake.env, clock })
  await visit(portal.url)
  fake.reset()
  time.nowMs += FRESH_MS + 1
  return { fake, portal, time }
}

t.test('many people cause one call to the authority', async (t) => {
  const { fake, portal, time } = await withFakeAuthority(t)
  const visits = () => Promise.all(Array.from({ length: 50 }, async () => placeOf(await visit(portal.url))))
  for (const place of await visits()) t.ok(place.startsWith(fake.issuer))
  for (const place of await visits()) t.ok(place.startsWith(fake.issuer))
  t.equal(fake.count.discovery, 1)

  time.nowMs += FRESH_MS + 1
  fake.changes.instead = { discovery: (_request, response) => response.writeHead(503).end() }
  for (const place of await visits()) t.match(place, /^\/signin-failed\?reason=unavailable/)
  t.ok(fake.count.discovery <= 3, `${fake.count.discovery} calls`)
})

t.test('a clock that is set back after a failure stops no sign-in', async (t) => {
  const { fake, portal, time } = await withFakeAuthority(t)
  fake.changes.instead = { discovery: (_request, response) => response.writeHead(503).end() }
  t.match(placeOf(await visit(portal.url)), /^\/signin-failed\?reason=unavailable/)
  fake.reset()
  time.nowMs -= 60 * 60_000
  t.ok(placeOf(await visit(portal.url)).startsWith(fake.issuer))
})

t.test('one lost connection stops no sign-in', async (t) => {
  const { fake, portal } = await withFakeAuthority(t)
  fake.changes.instead = {
    discovery(request) {
      fake.changes = {}
      request.socket.destroy()
    }
  }
  t.ok(placeOf(await visit(portal.url)).startsWith(fake.issuer))
})
