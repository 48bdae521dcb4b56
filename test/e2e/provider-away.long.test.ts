// A new visitor while the identity provider is away sees the portal's own page, which goes on when the provider is back.
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { startBrowser, visit } from '../support/browser/browser.ts'
import { passTimeUntil } from '../support/browser/pass-time.ts'
import { freePort, startPortal } from '../support/portal.ts'
import { openSandbox } from '../support/scenes/gateway.ts'

const ANSWER_FRESH_MS = 10_000
const PAUSE_MAX_MS = 20_000

t.test('the portal says that the sign-in service is away, and continues when it is back', async (t) => {
  let aheadMs = 0
  const port = await freePort()
  const sandbox = await startSandbox({ port })
  const portal = await startPortal(t, { startedSandbox: sandbox, clock: () => Date.now() + aheadMs })
  const browser = await startBrowser(t)
  const signIn = await fetch(`${portal.url}/auth/login`, { redirect: 'manual' })
  t.match(signIn.headers.get('location'), sandbox.issuer, 'the gateway knows the provider')
  await sandbox.stop()
  aheadMs += ANSWER_FRESH_MS + 1

  const { page } = await visit(browser, portal, { clock: true })
  await page.goto('/reports')
  await page.getByRole('heading', { name: 'Sign-in is not available' }).waitFor()
  await page.getByText('The sign-in service does not answer right now.').waitFor()
  await page.getByText(/Trying again in \d+ s/).waitFor()
  t.equal(new URL(page.url()).origin, portal.url)

  const restarted = await openSandbox(t, { port, gatewayUrl: portal.url })
  // The gateway remembers a failure for a second.
  aheadMs += PAUSE_MAX_MS
  await passTimeUntil(page, PAUSE_MAX_MS, () => page.getByLabel('User name').isVisible())
  t.equal(new URL(page.url()).origin, restarted.url)
})
