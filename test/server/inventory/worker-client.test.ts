// The worker thread dies, killed or for want of memory: what is under way is told so, and all else goes on.
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import type { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { createInventoryWorker, type InventoryWorker } from '#server/inventory/worker-client.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import type { DevicePage } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'
import { startSteadyLoad } from '../../support/steady-load.ts'
import { cookiesOf } from '../../support/visits.ts'

const MEMORY_MB = 64
const CALLS_PER_SECOND = 50
const RECOVERED_WITHIN_MS = 2_000

/** The threads that the process starts. */
const threads: Worker[] = []
process.on('worker', (worker: Worker) => void threads.push(worker))

/** Of a problem, as far as a caller sees it. */
const refusal = (problem: object) => problem as Error
const unavailable = { status: 503, id: 'inventory_unavailable', options: { retryAfterSeconds: 1 } }
const QUERY = { q: '', sort: 'deviceName', order: 'asc', page: 0, size: 15 } as const

function started(t: Test): { worker: InventoryWorker; losses: unknown[] } {
  const losses: unknown[] = []
  const worker = createInventoryWorker(MEMORY_MB, (cause) => void losses.push(cause))
  t.teardown(() => worker.close())
  return { worker, losses }
}

const pieces = (body: unknown) => [new TextEncoder().encode(JSON.stringify(body)).buffer]
/** Devices of few bytes, each of which becomes an object of many. A page: what is parsed at once meets no limit by itself. */
const bare = () => pieces({ _embedded: { devices: Array.from({ length: 5_000 }, () => ({})) } })

const metrics = createMetrics()
const portal = await startPortal(t, { recorder: metrics.recorder, env: { CALLS_IN_FLIGHT: '1000' } })

t.test('no thread is started before there is a question, and none by a release', async (t) => {
  const before = threads.length
  const { worker } = started(t)
  worker.release(1)
  t.strictSame(await worker.stats(), { isUp: false, deaths: 0, waiting: 0, heapBytes: 0 })
  t.equal(threads.length, before)
})

t.test('a question that the worker refuses fails alone, as what it is', async (t) => {
  const { worker, losses } = started(t)
  const garbled = worker.ask('page', { id: 1, rel: 'devices', pieces: pieces('none') })
  const gone = worker.ask('devices', { id: 1, query: QUERY, nowMs: 0 })
  const fine = worker.ask('page', { id: 1, rel: 'devices', pieces: pieces({}) })
  await t.rejects(garbled, refusal({ status: 502, id: 'upstream_garbled' }))
  await t.rejects(gone, refusal(unavailable))
  t.match(await fine, { part: 0 })
  t.strictSame(losses, [])
})

t.test(
  'a worker that is killed fails what is under way, and the next question starts another one',
  async (t) => {
    const { worker, losses } = started(t)
    let lost = 0
    worker.onLoss(() => {
      lost += 1
    })
    await worker.ask('page', { id: 1, rel: 'devices', pieces: pieces({}) })
    t.match(await worker.stats(), { isUp: true, deaths: 0, waiting: 0 })
    t.ok((await worker.stats()).heapBytes > 0)
    await threads.at(-1)?.terminate()
    const underWay = worker.ask('page', { id: 1, rel: 'devices', pieces: pieces({}) })
    t.match(await underWay.catch((error) => error), { part: 0 })
    t.equal(lost, 1)
    t.equal(losses.length, 1)
    t.match(await worker.stats(), { isUp: true, deaths: 1, waiting: 0 })
  }
)

t.test(
  'a question waits for little of what is read, and nothing is read that nobody wants any more',
  async (t) => {
    const { worker } = started(t)
    const answered: string[] = []
    const told = (name: string) => () => void answered.push(name)
    const wanted = new AbortController()
    const read = (name: string, signal?: AbortSignal) =>
      worker
        .askInTurn('page', { id: 1, rel: 'devices', pieces: bare() }, [], () => signal?.throwIfAborted())
        .then(told(name), told(`no ${name}`))
    const pages = [...'abcd'].map((name) => read(name))
    const dropped = read('e', wanted.signal)
    // What has its turn is at the worker now, and nothing is answered.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    const asked = worker.ask('owns', { id: 9, kind: 'device', names: [] }).catch(told('question'))
    wanted.abort()
    await Promise.all([...pages, dropped, asked])
    t.strictSame(answered, ['a', 'b', 'question', 'c', 'no e', 'd'])
  }
)

/** Of the process's threads (proc_pid_stat(5), field 19), where the system has one for each. */
const priorities = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const [, afterName = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(afterName.split(' ')[16])
  })

t.test('the thread comes after those that answer everybody, and they stay as they were', async (t) => {
  const own = getPriority()
  const { worker } = started(t)
  await worker.ask('page', { id: 1, rel: 'devices', pieces: pieces({}) })
  t.equal(getPriority(), own)
  if (process.platform === 'linux') t.ok(priorities().includes(5))
})

t.test('what there is no memory for is refused, and harms nothing else', async (t) => {
  const { worker, losses } = started(t)
  const large = [new ArrayBuffer(MEMORY_MB * 2 ** 17 + 1)]
  await t.rejects(worker.ask('page', { id: 1, rel: 'devices', pieces: large }), refusal(unavailable))
  t.match(await worker.ask('page', { id: 2, rel: 'devices', pieces: pieces({}) }), { part: 0 })
  t.strictSame(losses, [])
})

t.test('a worker that meets the limit of its memory all the same dies alone', async (t) => {
  const { worker, losses } = started(t)
  const questions = Array.from({ length: 400 }, () =>
    worker.ask('page', { id: 1, rel: 'devices', pieces: bare() })
  )
  const answers = await Promise.allSettled(questions)
  t.match(answers.at(-1), { status: 'rejected', reason: unavailable })
  t.match(losses, [{ code: 'ERR_WORKER_OUT_OF_MEMORY' }])
  t.match(await worker.ask('page', { id: 3, rel: 'devices', pieces: pieces({}) }), { part: 0 })
  t.equal((await worker.stats()).deaths, 1)
})

t.test('a worker that is closed leaves nothing waiting', async (t) => {
  const { worker, losses } = started(t)
  const underWay = worker.ask('page', { id: 1, rel: 'devices', pieces: pieces({}) })
  await Promise.all([t.rejects(underWay, refusal(unavailable)), worker.close()])
  t.strictSame(losses, [])
})

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
