// A worker thread that dies while it reads a customer.
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import type { DevicePage } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'

const threads: Worker[] = []
process.on('worker', (worker: Worker) => void threads.push(worker))

const sandbox = await openSandbox(t)
const DEVICES = `/api/portal/v1/customers/${NOTABLE.northwind}/devices?q=ahu`

t.test('a worker that dies between two pages loses the customer until the next call', async (t) => {
  const upstream = await startControlledUpstream(t, sandbox)
  const env = { UPSTREAM_MANAGEMENT_URL: upstream.url }
  const browser = await (await startPortal(t, { startedSandbox: sandbox, env })).as('customer.user')
  const gate = Promise.withResolvers<void>()
  const isSecondPage = (target: string) => target.includes('/devices?page=1')
  upstream.rule = async ({ target }) => {
    if (isSecondPage(target)) await gate.promise
    return undefined
  }
  const call = browser.call(DEVICES)
  await eventually(() => upstream.asked.some(({ target }) => isSecondPage(target)))
  await threads.at(-1)?.terminate()
  gate.resolve()
  const answer = await call
  t.equal(answer.status, 503)
  t.match(await answer.json(), { type: 'urn:portal:problem:inventory_unavailable' })
  t.match(await browser.json<DevicePage>(DEVICES.replace('?q=ahu', '')), { page: { totalElements: 1240 } })
})
