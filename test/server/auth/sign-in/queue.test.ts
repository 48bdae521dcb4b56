// Sign-ins at a real provider wait for their turn before their code is spent.
import t, { type Test } from 'tap'
import { createSignInQueue } from '#server/auth/sign-in/queue.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { Browser, upToCallback } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { openGateway, openSandbox } from '../../../support/scenes/gateway.ts'

const sandbox = await openSandbox(t)

/**
 * A gateway that finishes one sign-in at a time, unless there are more connections. The management API answers the first person
 * only after `release`.
 */
async function startQueue(t: Test, signInWaitMs: number, connections = 2) {
  const metrics = createMetrics()
  const { upstream, portal } = await openGateway(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_CONNECTIONS: `${connections}`, TRUST_PROXY: '127.0.0.1,::1' },
    limits: { signInWaitMs },
    recorder: metrics.recorder
  })
  const { url } = portal
  const { promise, resolve: release } = Promise.withResolvers<undefined>()
  upstream.rule = ({ by }) => (by === 'u-customer-admin' ? promise : undefined)
  const begin = async (username: string) => {
    const browser = new Browser(url)
    const callback = await upToCallback(browser, sandbox, username)
    return (init?: RequestInit) => browser.call(callback, { redirect: 'manual', ...init })
  }
  const [finishFirst, finishSecond] = [await begin('customer.admin'), await begin('customer.user')]
  const codesSpent = sandbox.grants.authorization_code
  const firstAnswer = finishFirst({ headers: from('2001:db8::1') })
  await eventually(() => upstream.asked.length === 1)
  return {
    url,
    begin,
    firstAnswer,
    finishSecond,
    release: () => release(undefined),
    codesSpent: () => sandbox.grants.authorization_code - codesSpent,
    waiting: async () => (await metrics.render()).includes('gateway_sign_ins_waiting 1')
  }
}

const from = (address: string) => ({ 'x-forwarded-for': address })

t.test('a sign-in that waits too long can be finished later with the same code', async (t) => {
  const { firstAnswer, finishSecond, release, codesSpent } = await startQueue(t, 100)
  const busyAnswer = await finishSecond()
  t.equal(busyAnswer.status, 303)
  t.equal(busyAnswer.headers.get('retry-after'), '10')
  t.match(
    busyAnswer.headers.get('location'),
    /^\/signin-failed\?reason=busy&by=gateway&wait=10&request=[\da-f-]{36}$/
  )
  t.equal(codesSpent(), 1, 'only the first code is spent')
  release()
  t.equal((await firstAnswer).headers.get('location'), '/')
  t.equal((await finishSecond()).headers.get('location'), '/')
})

t.test('a browser that leaves the queue can come back with the same code', async (t) => {
  const { firstAnswer, finishSecond, release, waiting } = await startQueue(t, 60_000)
  const aborter = new AbortController()
  const abortedAnswer = finishSecond({ signal: aborter.signal })
  await eventually(waiting)
  aborter.abort()
  await t.rejects(abortedAnswer)
  await eventually(async () => !(await waiting()))
  const secondAnswer = finishSecond()
  release()
  for (const answer of [firstAnswer, secondAnswer]) t.equal((await answer).headers.get('location'), '/')
})

t.test('a callback without the cookie of its attempt is refused while the queue is full', async (t) => {
  const { url, firstAnswer, finishSecond, release, waiting } = await startQueue(t, 60_000)
  const secondAnswer = finishSecond()
  await eventually(waiting)
  for (const query of ['', '?code=x', '?code=x&state=made-up', `?code=x&state=${'x'.repeat(43)}`]) {
    const answer = await fetch(`${url}/callback${query}`, {
      redirect: 'manual',
      headers: { cookie: 'portal-signin-other=x.y' }
    })
    t.match(answer.headers.get('location'), /^\/signin-failed\?reason=expired/, query)
  }
  release()
  for (const answer of [firstAnswer, secondAnswer]) t.equal((await answer).headers.get('location'), '/')
})

t.test('sign-ins of one network wait for each other, and delay nobody else', async (t) => {
  const { begin, firstAnswer, finishSecond, release, waiting, codesSpent } = await startQueue(t, 60_000, 8)
  const sameNetworkAnswer = finishSecond({ headers: from('2001:db8::2') })
  await eventually(waiting)
  const finishThird = await begin('customer.user')
  t.equal((await finishThird({ headers: from('2001:db8:0:1::1') })).headers.get('location'), '/')
  t.equal(codesSpent(), 2, 'the code of the waiting sign-in is not spent')
  release()
  for (const answer of [firstAnswer, sameNetworkAnswer]) t.equal((await answer).headers.get('location'), '/')
})

const refusesAsBusy = async (t: Test, signIn: Promise<void>) =>
  t.match(await signIn.catch((error) => error), { id: 'too_many_sign_ins' })

t.test('an address has a quarter of the permits and of the waiting places', async (t) => {
  const queue = createSignInQueue({ connections: 16, waitMs: 60_000, recorder: createMetrics().recorder })
  const { signal } = new AbortController()
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  let running = 0
  const enter = (address: string) =>
    queue(
      () => {
        running += 1
        return promise
      },
      address,
      signal
    )
  const entered = Array.from({ length: 2 + 800 }, () => enter('192.0.2.1'))
  await refusesAsBusy(t, enter('192.0.2.1'))
  t.equal(running, 2)
  entered.push(...Array.from({ length: 3 }, (_, index) => enter(`192.0.2.${index + 2}`)))
  await new Promise(setImmediate)
  t.equal(running, 5, 'others do not wait')
  finish()
  await Promise.all(entered)
  t.equal(running, 2 + 800 + 3)
})

t.test('a sign-in waits no longer than the limit for its address and the queue together', async (t) => {
  const queue = createSignInQueue({ connections: 2, waitMs: 50, recorder: createMetrics().recorder })
  const { signal } = new AbortController()
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const first = queue(() => promise, '192.0.2.1', signal)
  for (const address of ['192.0.2.1', '192.0.2.2'])
    await refusesAsBusy(
      t,
      queue(async () => {}, address, signal)
    )
  finish()
  await first
})
