// Sign-ins at a real provider wait for their turn before their code is spent.
import t, { type Test } from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { Browser, startPortal, upToCallback } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())

/** A gateway that finishes one sign-in at a time. The management API answers the first person only after `release`. */
async function startQueue(t: Test, signInWaitMs: number) {
  const upstream = await startControlledUpstream(t, sandbox)
  const { promise, resolve: release } = Promise.withResolvers<undefined>()
  upstream.rule = ({ by }) => (by === 'u-customer-admin' ? promise : undefined)
  const metrics = createMetrics()
  const { url } = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url, UPSTREAM_CONNECTIONS: '2' },
    limits: { signInWaitMs },
    recorder: metrics.recorder
  })
  const begin = async (username: string) => {
    const browser = new Browser(url)
    const callback = await upToCallback(browser, sandbox, username)
    return (init?: RequestInit) => browser.call(callback, { redirect: 'manual', ...init })
  }
  const [finishFirst, finishSecond] = [await begin('customer.admin'), await begin('customer.user')]
  const codesSpent = sandbox.grants.authorization_code
  const firstAnswer = finishFirst()
  await eventually(() => upstream.asked.length === 1)
  return {
    firstAnswer,
    finishSecond,
    release: () => release(undefined),
    codesSpent: () => sandbox.grants.authorization_code - codesSpent,
    waiting: async () => (await metrics.render()).includes('gateway_sign_ins_waiting 1')
  }
}

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
