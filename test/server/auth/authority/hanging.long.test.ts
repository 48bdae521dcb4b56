// An authority that does not answer: calls wait five seconds for it once, the next ones not at all, and no token is lost.
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import {
  callWith,
  forgetfulApi,
  type Lies,
  signInWith,
  startFakeAuthority
} from '../../../support/fake-authority.ts'
import { createStopwatch } from '../../../support/stopwatch.ts'
import { leadsTo, placeOf } from '../../../support/visits.ts'

const ME = '/api/v2/management/myUser'
const SLOW = '/signin-failed?reason=slow'
const measure = createStopwatch()

t.test('sign-ins are given up when metadata or tokens do not arrive', async (t) => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const fake = await startFakeAuthority(t)
  const deaf = await startPortal(t, { env: { ...fake.env, OIDC_ISSUER: `http://127.0.0.1:${port}/op` } })
  const begun = new Browser(deaf.url).call('/auth/login')

  const type = { 'content-type': 'application/json' }
  const hanging: Lies[] = [
    { instead: { token: () => {} } },
    { instead: { token: (_request, response) => response.writeHead(200, type).write('{"a":"') } }
  ]
  const answers = await Promise.all(
    hanging.map(async (lies) => {
      const authority = await startFakeAuthority(t)
      const portal = await startPortal(t, { env: authority.env, startedSandbox: deaf.sandbox })
      const browser = new Browser(portal.url)
      const query = authority.authorize((await browser.call('/auth/login')).headers.get('location') ?? '')
      authority.lies = lies
      return browser.call(`/callback?${query}`)
    })
  )
  for (const [index, answer] of answers.entries()) await leadsTo(t, answer, SLOW, `token endpoint ${index}`)
  t.equal(placeOf(await begun), SLOW)
})

t.test('a refresh holds one call for 5 s, others not at all, and its tokens are kept', async (t) => {
  const fake = await startFakeAuthority(t)
  const { api, expire } = forgetfulApi()
  fake.lies = { instead: { api } }
  const time = { now: Date.now() }
  const portal = await startPortal(t, { env: fake.env, clock: () => time.now })
  const [one, other] = [await signInWith(fake, portal.url, 'u-1'), await signInWith(fake, portal.url, 'u-2')]
  for (const cookie of [one, other]) t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  expire()
  time.now += 30_000
  // It has granted, and its answer takes longer than a call waits.
  const answered = Promise.withResolvers<void>()
  t.teardown(answered.resolve)
  fake.lies.granted = answered.promise
  const timed = async (cookie: string) => {
    const taken = measure()
    const answer = await callWith(cookie, portal.url, ME)
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ms: taken() }
  }
  const begun = performance.now()
  const held = await timed(one)
  t.match(held, { status: 503 })
  t.ok(held.retryAfter >= 1)
  t.ok(performance.now() - begun >= 4_500 && held.ms < 6_500, `${held.ms} ms`)
  const next = await timed(other)
  t.equal(next.status, 503)
  t.ok(next.ms < 2_000, `${next.ms} ms`)
  t.equal(fake.count.refresh, 1)
  fake.lies = { instead: { api } }
  answered.resolve()
  await eventually(async () => (await timed(one)).status === 200)
  t.equal(fake.count.refresh, 1, 'what it granted was kept')
  await eventually(async () => (await timed(other)).status === 200)
  t.equal(fake.count.reused, 0)
})
