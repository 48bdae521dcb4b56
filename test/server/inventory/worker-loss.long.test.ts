// The worker thread dies: the questions under way are answered with that, and all else goes on.
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import type { DevicePage } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'
import { startSteadyLoad } from '../../support/steady-load.ts'
import { cookiesOf } from '../../support/visits.ts'

const CALLS_PER_SECOND = 50
const RECOVERED_WITHIN_MS = 2_000

const threads: Worker[] = []
process.on('worker', (worker: Worker) => void threads.push(worker))

const metrics = createMetrics()
const portal = await startPortal(t, { recorder: metrics.recorder, env: { CALLS_IN_FLIGHT: '1000' } })
const DEVICES = `/api/portal/v1/customers/${NOTABLE.northwind}/devices?q=ahu`
const PROXIED = `/api/v2/management/organizations/${NOTABLE.northwind}/projects?page=0&size=20`

t.test(
  'under a hundred calls a second, a killed worker costs no proxied call, and aggregated ones two seconds',
  async (t) => {
    const browser = await portal.as('customer.user')
    const cookies = [await cookiesOf(browser)]
    const before = await browser.json<DevicePage>(DEVICES)
    const proxied = startSteadyLoad(portal.url, PROXIED, cookies, CALLS_PER_SECOND)
    const aggregated = startSteadyLoad(portal.url, DEVICES, cookies, CALLS_PER_SECOND)
    await eventually(() => aggregated.answered.length > CALLS_PER_SECOND / 2)

    const killedAt = performance.now()
    await threads.at(-1)?.terminate()
    await eventually(() => aggregated.answered.some(({ begun }) => begun > killedAt + RECOVERED_WITHIN_MS))
    const [others, own] = await Promise.all([proxied.end(), aggregated.end()])

    t.strictSame([...new Set(others.map(({ status }) => status))], [200], 'no proxied call is harmed')
    const failed = own.filter(({ status }) => status !== 200)
    for (const { status, retryAfter, problem } of failed)
      t.strictSame([status, retryAfter, problem], [503, '1', 'inventory_unavailable'])
    t.ok(
      failed.every(({ begun }) => begun < killedAt + RECOVERED_WITHIN_MS),
      `${failed.length} failed`
    )
    t.ok(own.some(({ status, begun }) => status === 200 && begun > killedAt))
    t.strictSame(await browser.json(DEVICES), before, 'and all is right again')
    const text = await metrics.render()
    t.match(text, /^gateway_inventory_worker_up 1$/m)
    t.match(text, /^gateway_inventory_worker_deaths_total 1$/m)
    t.match(text, /^gateway_inventory_worker_heap_bytes [1-9]/m)
  }
)

t.test(
  'a worker that dies between two pages of a customer loses all of it, and mixes nothing up',
  async (t) => {
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
  }
)
