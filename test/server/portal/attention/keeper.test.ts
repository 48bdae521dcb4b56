// Whose token the counts are read with, and whom that holds up: tried over a running gateway.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import t, { type Test } from 'tap'
import type { AttentionList } from '#shared/attention.ts'
import type { CustomerCard, Page } from '#shared/entities.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'

const sandbox = await startSandbox()
t.teardown(sandbox.stop)

async function scene(t: Test, backgroundGapMs: number) {
  const upstream = await startControlledUpstream(t, sandbox)
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url },
    limits: { backgroundGapMs }
  })
  const person = (username: string) => signIn(portal.url, sandbox, username)
  return { upstream, person }
}

const listed = (browser: Browser, organization: string = NOTABLE.partner) =>
  browser.json<AttentionList>(`/api/portal/v1/organizations/${organization}/attention`)

/** Partner user and partner admin see the same, as soon as the gateway has read them. */
function seeTheSame(t: Test): void {
  const user = sandbox.state.users.get('u-partner-admin')
  const same = sandbox.state.users.get('u-partner-user')
  if (!user || !same) throw new Error('the sample people are not there')
  const { roleAssignments } = same
  t.teardown(() => Object.assign(same, { roleAssignments }))
  same.roleAssignments = user.roleAssignments
}

t.test('what a colleague’s token is refused is read with one’s own, and kept', async (t) => {
  seeTheSame(t)
  for (const status of [403, 500]) {
    const { upstream, person } = await scene(t, 0)
    const [colleague, another] = [await person('partner.user'), await person('partner.admin')]
    upstream.rule = ({ by, target }) =>
      by === 'u-partner-user' && target.includes('alarms:search') ? { status } : undefined
    const alarms = async (browser: Browser) =>
      (await listed(browser)).items.map(({ counts }) => counts.alarms)
    await eventually(async () => (await listed(colleague)).items.every(({ partial }) => partial.length > 0))
    await eventually(async () => (await alarms(another)).every((count) => count !== null), 60_000)
    const known = await alarms(another)
    t.ok(
      (await alarms(colleague)).every((count) => count === null),
      `${status}: the colleague is not told of it`
    )
    t.strictSame(await alarms(another), known, `${status}: what others know stays`)
  }
})

t.test('whoever asks for much in the background holds up nobody else', async (t) => {
  const { upstream, person } = await scene(t, 20)
  const [greedy, modest] = [await person('partner.user'), await person('customer.multi')]
  const organization = `/api/portal/v1/organizations/${NOTABLE.partner}`
  const { items } = await greedy.json<Page<CustomerCard>>(`${organization}/customers?size=100`)
  for (const { id } of items) await greedy.json(`/api/portal/v1/customers/${id}/devices?plan=warning&size=1`)
  upstream.asked.length = 0
  await eventually(async () => {
    const { items } = await listed(modest, NOTABLE.multi[0])
    return items.every(({ counts }) => counts.alarms && counts.servicesEnded)
  }, 60_000)
  const callsOf = (user: string) => upstream.asked.filter(({ by }) => by === user).length
  const [own, others] = [callsOf('u-customer-multi'), callsOf('u-partner-user')]
  t.ok(others < 3 * own, `${others} calls for the one, ${own} for the other`)
})

t.test('a person with a thousand customers is answered without a pause for others', async (t) => {
  const { upstream, person } = await scene(t, 60_000)
  const ids = Array.from({ length: 1_000 }, (_, number) => `c-${number}`)
  const roles = ids.map((id) => ({
    id: `ra-${id}`,
    roleName: 'customer_user',
    scope: `/organizations/${NOTABLE.partner}/customers/${id}`
  }))
  const customers = ids.map((id) => ({ id, orgName: id, partnerId: NOTABLE.partner }))
  upstream.rule = ({ target }) => {
    if (target.endsWith('/myUser'))
      return {
        status: 200,
        body: {
          id: 'u-partner-user',
          organizationId: NOTABLE.partner,
          userType: 'PARTNER',
          roleAssignments: roles
        }
      }
    if (target.includes('/customers?')) return { status: 200, body: { _embedded: { customers } } }
    return undefined
  }
  const browser = await person('partner.user')
  t.equal((await listed(browser)).items.length, ids.length)
  await browser.json('/api/portal/v1/bootstrap')
  await listed(browser)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await listed(browser)
  delay.disable()
  t.ok(delay.max < 300e6, `${Math.round(delay.max / 1e6)} ms`)
})
