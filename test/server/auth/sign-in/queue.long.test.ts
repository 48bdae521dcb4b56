import t from 'tap'
import { Browser, startPortal, upToCallback } from '#test/support/portal.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'

/** Together 10 s, twice as long as the gateway waits for one answer of the authority. */
const SIGN_INS = 20
const TOKEN_MS = 500

t.test('many sign-ins at once at a slow provider all succeed', async (t) => {
  const sandbox = await openSandbox(t, { authority: { tokenMs: TOKEN_MS } })
  const { url } = await startPortal(t, {
    startedSandbox: sandbox,
    // Four sign-ins at a time.
    env: { UPSTREAM_CONNECTIONS: '8' },
    limits: { signInWaitMs: 60_000 }
  })
  const visitors = await Promise.all(
    Array.from({ length: SIGN_INS }, async () => {
      const browser = new Browser(url)
      return { browser, callback: await upToCallback(browser, sandbox, 'customer.user') }
    })
  )
  const answers = await Promise.all(
    visitors.map(({ browser, callback }) => browser.call(callback, { redirect: 'manual' }))
  )
  t.strictSame(
    answers.map(({ headers }) => headers.get('location')),
    answers.map(() => '/')
  )
})
