// A thousand people who sign in at the same time, by an API that takes its time: nobody has to begin again.
import t from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import { IN_FLIGHT_PER_CONNECTION } from '#server/upstreams/transport/pools.ts'
import { startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { json, signInWith, startFakeAuthority } from '../../support/fake-authority.ts'

const PEOPLE = 1_000

t.test('a thousand sign-ins at once wait in line, and all of them succeed', async (t) => {
  const fake = await startFakeAuthority(t)
  const { recorder, render } = createMetrics()
  const env = { ...fake.env, ANONYMOUS_CALLS_PER_MINUTE: '1000000', UPSTREAM_CONNECTIONS: '32' }
  const portal = await startPortal(t, { env, recorder })
  const waiting = async () =>
    Number(/^gateway_sign_ins_waiting (\d+)$/m.exec(await render())?.[1] ?? Number.NaN)
  let isAnswering = false
  const held: (() => void)[] = []
  fake.lies.instead = {
    api(_request, response) {
      const answer = () => json(response, 200, { id: 'u-1', roleAssignments: [] })
      if (isAnswering) answer()
      else held.push(answer)
    }
  }
  const signIns = Array.from({ length: PEOPLE }, (_, number) => signInWith(fake, portal.url, `u-${number}`))
  // More than the connections and their own line would take.
  await eventually(async () => (await waiting()) > 32 * IN_FLIGHT_PER_CONNECTION)
  isAnswering = true
  for (const answer of held) answer()
  const cookies = await Promise.all(signIns)
  t.equal(new Set(cookies).size, PEOPLE)
  t.equal(await waiting(), 0)
})
