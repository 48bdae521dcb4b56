import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'

for (const [name, aheadMs] of [
  ['ahead', 20 * 60_000],
  ['behind', -20 * 60_000]
] as const)
  t.test(`a sign-in that is refused because the clock is 20 minutes ${name} names the clock`, async (t) => {
    const fake = await startFakeAuthority(t)
    const portal = await startPortal(t, { env: fake.env, localClock: () => Date.now() + aheadMs })
    await t.rejects(signInWith(fake, portal.url), /the sign-in led to/)
    const line = portal.logged.find((one) => one.includes('sign-in did not finish')) ?? '{}'
    t.match(JSON.parse(line), { by: 'gateway', reason: /^the clock of this machine or of the authority/ })
  })
