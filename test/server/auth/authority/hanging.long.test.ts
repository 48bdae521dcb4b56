import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { callWith, expiringApi, signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { createStopwatch } from '../../../support/stopwatch.ts'

const ME = '/api/v2/management/myUser'
const measure = createStopwatch()

t.test('a slow refresh delays only one call, for 5 s, and the gateway keeps its tokens', async (t) => {
  const fake = await startFakeAuthority(t)
  const { api, expire } = expiringApi()
  fake.changes = { instead: { api } }
  const time = { now: Date.now() }
  const portal = await startPortal(t, { env: fake.env, clock: () => time.now })
  const [one, other] = [await signInWith(fake, portal.url, 'u-1'), await signInWith(fake, portal.url, 'u-2')]
  for (const cookie of [one, other]) t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  expire()
  time.now += 30_000
  // The authority has granted the tokens, but its answer takes longer than a call waits.
  const answered = Promise.withResolvers<void>()
  t.teardown(answered.resolve)
  fake.changes.granted = answered.promise
  const timed = async (cookie: string) => {
    const elapsed = measure()
    const answer = await callWith(cookie, portal.url, ME)
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ms: elapsed() }
  }
  const begun = performance.now()
  const first = await timed(one)
  t.match(first, { status: 503 })
  t.ok(first.retryAfter >= 1)
  t.ok(performance.now() - begun >= 4_500 && first.ms < 6_500, `${first.ms} ms`)
  const next = await timed(other)
  t.equal(next.status, 503)
  t.ok(next.ms < 2_000, `${next.ms} ms`)
  t.equal(fake.count.refresh, 1)
  fake.changes = { instead: { api } }
  answered.resolve()
  await eventually(async () => (await timed(one)).status === 200)
  t.equal(fake.count.refresh, 1, 'keeps the granted tokens')
  await eventually(async () => (await timed(other)).status === 200)
  t.equal(fake.count.reused, 0)
})
