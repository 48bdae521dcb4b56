// An upstream that never answers, and is given up in the end.
import t from 'tap'
import type { CustomerTree, DevicePage } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
const TREE = `/api/portal/v1/customers/${NOTABLE.northwind}/tree`

const time = { now: Date.now() }
/** Short enough to be waited for, and longer than a busy machine stands still. */
const portal = await startPortal(t, { clock: () => time.now, env: { UPSTREAM_TIMEOUT_MS: '5000' } })
const browser = await portal.as('customer.user')
const { faults, calls } = portal.sandbox
const fetches = () => calls.filter(({ url }) => url.includes('/projects?page=0')).length

t.test('without subscriptions the rest is answered, after a while', async (t) => {
  faults.set('subscription', 'timeout')
  const { partial, items } = await browser.json<DevicePage>(TREE.replace('tree', 'devices?size=1000'))
  t.strictSame(partial, ['subscriptions'])
  t.equal(items.length, 1000)
  faults.clear()
})

t.test('what is stored is served as long as it may, and then the failure', async (t) => {
  time.now += STALE_MAX_MS + 1
  const before = await browser.json<CustomerTree>(TREE)
  time.now += FRESH_MS + 1
  // Reads the directory: what fails after that are the lists.
  await browser.json(`/api/v2/management/organizations/${NOTABLE.northwind}`)
  faults.set('management', 'timeout')
  const count = fetches()
  t.strictSame(await browser.json(TREE), before)
  await eventually(() => fetches() > count)
  t.strictSame(await browser.json(TREE), before)
  faults.clear()
})
