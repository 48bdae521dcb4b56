import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { callWith, expiringApi, signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { createStopwatch } from '../../../support/stopwatch.ts'

const ME = '/api/v2/management/myUser'
const measure = createStopwatch()

t.test('keeps the tokens of a slow refresh, which delays only one call, for 5 s', async (t) => {
  const fake = await startFakeAuthority(t)
  const { api, expire } = expiringApi()
  fake.changes = { instead: { api } }
  const time = { now: Date.now() }
  const portal = await startPortal(t, { env: fake.env, clock: () => time.now })
  const cookie1 = await signInWith(fake, portal.url, 'u-1')
  const cookie2 = await signInWith(fake, portal.url, 'u-2')
  for (const cookie of [cookie1, cookie2]) t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  expire()
  time.now += 30_000
  // The authority has granted the tokens, but its answer takes longer than the time limit of a call.
  const pendingAnswer = Promise.withResolvers<void>()
  t.teardown(pendingAnswer.resolve)
  fake.changes.granted = pendingAnswer.promise
  const timedCall = async (cookie: string) => {
    const elapsed = measure()
    const answer = await callWith(cookie, portal.url, ME)
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ms: elapsed() }
  }
  const start = performance.now()
  const firstAnswer = await timedCall(cookie1)
  t.match(firstAnswer, { status: 503 })
  t.ok(firstAnswer.retryAfter >= 1)
  t.ok(performance.now() - start >= 4_500 && firstAnswer.ms < 6_500, `${firstAnswer.ms} ms`)
  const nextAnswer = await timedCall(cookie2)
  t.equal(nextAnswer.status, 503)
  t.ok(nextAnswer.ms < 2_000, `${nextAnswer.ms} ms`)
  t.equal(fake.count.refresh, 1)
  fake.changes = { instead: { api } }
  pendingAnswer.resolve()
  await eventually(async () => (await timedCall(cookie1)).status === 200)
  t.equal(fake.count.refresh, 1, 'keeps the granted tokens')
  await eventually(async () => (await timedCall(cookie2)).status === 200)
  t.equal(fake.count.reused, 0)
})
