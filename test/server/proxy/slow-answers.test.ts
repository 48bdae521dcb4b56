// An upstream that sends its answer too slowly occupies no connection for long. Slow clients are not affected.
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
const WINDOW_MS = 600
const STEP_MS = 20
const TOO_LONG_MS = 25_000
const LARGE_BYTES = 32 * 1024 * 1024

const upstream = await startTinyUpstream(t)
const sandbox = await openSandbox(t)
const metrics = createMetrics()
const startGateway = (env: Record<string, string> = {}, { recorder } = createMetrics()) =>
  startPortal(t, {
    startedSandbox: sandbox,
    recorder,
    // One caller may use one of the four connections.
    env: { UPSTREAM_RECOVER_URL: upstream.url, UPSTREAM_CONNECTIONS: '4', ...env },
    limits: { slowAnswerMs: WINDOW_MS }
  })
const portal = await startGateway({}, metrics)

const timers = new Set<NodeJS.Timeout>()
t.teardown(() => {
  for (const timer of timers) clearInterval(timer)
})
/** Writes a piece every 20 ms, without an end. */
function trickle(response: ServerResponse, bytes: number): void {
  response.writeHead(200)
  timers.add(setInterval(() => response.write('x'.repeat(bytes)), STEP_MS))
}
const pageOf = (url = '') => new URL(url, upstream.url).searchParams.get('page')
const call = (browser: Browser, path: string) =>
  browser.call(path, { signal: AbortSignal.timeout(TOO_LONG_MS) })
const get = (browser: Browser, page: number) => call(browser, `${BACKUPS}?page=${page}`)
/** Waits for the end of the answer. At least one window has passed when it is aborted. */
const isAborted = (answer: Promise<Response>) =>
  answer
    .then(({ body }) => body?.pipeTo(new WritableStream()))
    .then(
      () => false,
      () => true
    )

t.test('aborts an answer that drips, and frees its connection', async (t) => {
  upstream.aborted = 0
  upstream.answer = ({ url }, response) =>
    pageOf(url) === '1' ? trickle(response, 1) : response.end('the answer of the next call')
  const browser = await portal.as('partner.admin')
  const drip = get(browser, 1)
  await drip
  const nextCall = get(browser, 2)
  t.equal((await drip).status, 200)
  t.ok(await isAborted(drip))
  t.equal(await (await nextCall).text(), 'the answer of the next call')
  await eventually(() => upstream.aborted === 1)
  const line = await eventually(() => portal.logged.find((text) => text.includes('upstream_too_slow')))
  t.match(JSON.parse(line), { routeId: 'backups.list', problem: 'upstream_too_slow' })
  t.match(await metrics.render(), /gateway_problems_total\{problem="upstream_too_slow"\} 1/)
})

t.test('aborts a file that drips', async (t) => {
  upstream.answer = ({ url }, response) =>
    url === '/file' ? trickle(response, 1) : response.writeHead(302, { location: '/file' }).end()
  const browser = await portal.as('partner.admin')
  t.ok(await isAborted(call(browser, `${BACKUPS}/b-1/download`)))
})

t.test('aborts no answer above the rate, and none that waits for its client', async (t) => {
  const unlimitedPortal = await startGateway({ UPSTREAM_MIN_BYTES_PER_SECOND: '0' })
  const large = Buffer.alloc(LARGE_BYTES, 'x')
  const steadyAnswers: ServerResponse[] = []
  upstream.answer = ({ url }, response) => {
    const page = pageOf(url)
    if (page === '1') return trickle(response, 1)
    if (page === '2') return response.end(large)
    steadyAnswers.push(response)
    return trickle(response, page === '3' ? 200 : 1)
  }
  const slowReader = await get(await portal.as('customer.admin'), 2)
  const steady = await get(await portal.as('customer.user'), 3)
  const unlimited = await get(await unlimitedPortal.as('partner.admin'), 4)
  for (let window = 0; window < 3; window += 1)
    t.ok(await isAborted(get(await portal.as('partner.admin'), 1)))
  for (const timer of timers) clearInterval(timer)
  for (const response of steadyAnswers) response.end('the end')
  t.equal((await slowReader.arrayBuffer()).byteLength, LARGE_BYTES)
  t.match(await steady.text(), /the end$/)
  t.match(await unlimited.text(), /the end$/)
})
