// Two gateways with one Redis. The upstream of eight people hangs while another person opens the start page.
import t from 'tap'
import type { AttentionList } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS } from '#shared/attention.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, signIn, startPortal } from '#test/support/portal.ts'
import { type Asked, startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually, startRedis } from '../../../support/redis-server.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { organizationPath } from '../../../support/scenes/organization.ts'

const HANGING = [
  'partner.admin',
  'partner.user',
  'customer.admin',
  'customer.user',
  'niagara.remote',
  'nds.operator',
  'custom.user',
  'global.admin'
]
const [OTHERS_CUSTOMER] = NOTABLE.multi
const CUSTOMERS = 45

const sandbox = await openSandbox(t)
const redis = await startRedis(t)
const upstream = await startControlledUpstream(t, sandbox)

t.test('people whose upstream hangs do not stop the counts of others', async (t) => {
  // Different rights, so that nobody shares the counts of another person.
  for (const [index, username] of HANGING.entries()) {
    const user = sandbox.state.users.get(`u-${username.replace('.', '-')}`)
    if (!user) return t.fail(`the sample has no ${username}`)
    const scopes = ['', ...Array.from({ length: index }, (_, customer) => `/customers/c-${1010 + customer}`)]
    user.roleAssignments = scopes.map((scope, number) => ({
      id: `ra-${number}`,
      roleName: 'partner_user',
      roleNumber: 3,
      scope: `/organizations/${NOTABLE.partner}${scope}`
    }))
  }
  const hangingIds = HANGING.map((username) => `u-${username.replace('.', '-')}`)
  const isCount = ({ target }: Asked) =>
    /\/subscription\/|\/devices\?|alarms:search|\/backups|metrics-detail/.test(target)
  upstream.rule = (asked) =>
    hangingIds.includes(asked.by) && isCount(asked) ? new Promise(() => {}) : undefined

  const options = {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url },
    secrets: ['s'.repeat(32)]
  }
  const portals = [
    await startPortal(t, { ...options, backend: redis.untimedBackend() }),
    await startPortal(t, { ...options, backend: redis.untimedBackend() })
  ]
  const attentionAt = (url: string, { jar }: Browser, organization: string) =>
    new Browser(url, jar).json<AttentionList>(organizationPath('attention', organization))
  const [{ url: firstUrl } = { url: '' }] = portals
  for (const username of HANGING) {
    const browser = await signIn(firstUrl, sandbox, username)
    for (const { url } of portals) {
      const { items } = await attentionAt(url, browser, NOTABLE.partner)
      t.ok(items.length >= CUSTOMERS, `${username} has ${items.length} customers`)
    }
  }
  const hangingReads = () => upstream.asked.filter((asked) => hangingIds.includes(asked.by) && isCount(asked))
  await eventually(() => hangingReads().length >= 2 * HANGING.length)

  const other = await signIn(firstUrl, sandbox, 'customer.multi')
  for (const { url } of portals) {
    await eventually(async () => {
      const { items } = await attentionAt(url, other, OTHERS_CUSTOMER)
      return items.every(({ counts }) => ATTENTION_KINDS.every((kind) => counts[kind]))
    }, 25_000)
  }
})
