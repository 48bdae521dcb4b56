// When the worker thread dies, running questions fail and everything else continues.
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import type { DevicePage } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'

const _CALLS_PER_SECOND = 50
const _RECOVERED_WITHIN_MS = 2_000

const threads: Worker[] = []
process.on('worker', (worker: Worker) => void threads.push(worker))

const metrics = createMetrics()
const portal = await startPortal(t, { recorder: metrics.recorder, env: { CALLS_IN_FLIGHT: '1000' } })
const DEVICES = `/api/portal/v1/customers/${NOTABLE.northwind}/devices?q=ahu`
const _PROXIED = `/api/v2/management/organizations/${NOTABLE.northwind}/projects?page=0&size=20`

t.test('a worker that dies between two pages loses the whole customer, and mixes up no data', async (t) => {
  const upstream = await startControlledUpstream(t, portal.sandbox)
  const own = await startPortal(t, {
    startedSandbox: portal.sandbox,
    env: { UPSTREAM_MANAGEMENT_URL: upstream.url }
  })
  const browser = await own.as('customer.user')
  const door = Promise.withResolvers<void>()
  const isSecondPage = (target: string) => target.includes('/devices?page=1')
  upstream.rule = async ({ target }) => {
    if (isSecondPage(target)) await door.promise
    return undefined
  }
  const call = browser.call(DEVICES)
  await eventually(() => upstream.asked.some(({ target }) => isSecondPage(target)))
  await threads.at(-1)?.terminate()
  door.resolve()
  const answer = await call
  t.equal(answer.status, 503)
  t.match(await answer.json(), { type: 'urn:portal:problem:inventory_unavailable' })
  t.match(await browser.json<DevicePage>(DEVICES.replace('?q=ahu', '')), { page: { totalElements: 1240 } })
})
