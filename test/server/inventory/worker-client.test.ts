// The worker thread, called from the main thread.
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import pino from 'pino'
import t, { type Test } from 'tap'
import { problems } from '#server/errors.ts'
import { createCustomerHandle } from '#server/inventory/customer-handle.ts'
import { createInventoryWorker, type WorkerOptions } from '#server/inventory/worker-client.ts'
import { eventually } from '../../support/eventually.ts'
import { bodyOf, pageBody } from '../../support/fetched.ts'

/** The threads that the process has started. */
const threads: Worker[] = []
process.on('worker', (worker: Worker) => void threads.push(worker))

const UNAVAILABLE = new Error('503 inventory_unavailable')
const QUERY = { q: '', sort: 'deviceName', order: 'asc', page: 0, size: 15 } as const

interface Line {
  level: number
  msg: string
  customerId?: string
}

function start(t: Test, options: Partial<WorkerOptions> = {}) {
  const logged: Line[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const worker = createInventoryWorker({ memoryMb: 64, pageMaxMb: 4, timeoutMs: 60_000, log, ...options })
  const culprits: (number | undefined)[] = []
  worker.onDeath((culprit) => void culprits.push(culprit))
  t.teardown(() => worker.close())
  const page = (id: number, body = pageBody('devices', [])) =>
    worker.call('page', { id, customerId: `c-${id}`, rel: 'devices', ...body }, body.pieces)
  return { worker, page, logged, culprits }
}

t.test('starts a thread for the first call, but not for a release', async (t) => {
  const before = threads.length
  const { worker } = start(t)
  worker.release(1)
  t.strictSame(await worker.stats(), { isUp: false, deaths: 0, waiting: 0, heapBytes: 0 })
  t.equal(threads.length, before)
})

t.test('a refused call fails no other call', async (t) => {
  const { worker, page, logged } = start(t)
  const answers = await Promise.allSettled([
    page(1, bodyOf('none')),
    page(1, bodyOf(' '.repeat(4 * 2 ** 20 + 1), { bytes: 2 ** 20 })),
    worker.call('devices', { id: 1, query: QUERY, nowMs: 0 }),
    page(1)
  ])
  t.match(answers, [
    { reason: new Error('502 upstream_garbled') },
    { reason: new Error('502 upstream_too_large') },
    { reason: UNAVAILABLE },
    { value: { part: 0 } }
  ])
  t.strictSame(logged, [])
})

t.test('a killed worker fails running calls; the next call starts another worker', async (t) => {
  const { worker, page, culprits, logged } = start(t)
  await page(1)
  t.match(await worker.stats(), { isUp: true, deaths: 0, waiting: 0 })
  t.ok((await worker.stats()).heapBytes > 0)
  const termination = threads.at(-1)?.terminate()
  await t.rejects(page(1), UNAVAILABLE)
  await termination
  t.match(await page(1), { part: 0 })
  t.strictSame(culprits, [undefined])
  t.match(logged, [{ msg: /the inventory worker has died/ }])
  t.match(await worker.stats(), { isUp: true, deaths: 1, waiting: 0 })
})

t.test('replaces a worker without progress, and names the customer of the running call', async (t) => {
  const { worker, page, culprits, logged } = start(t, { pageMaxMb: 64, timeoutMs: 50 })
  const calls = [page(7, bodyOf(' '.repeat(60 * 2 ** 20), { isGzip: true })), page(8), page(9)]
  for (const call of calls) await t.rejects(call, UNAVAILABLE)
  t.strictSame(culprits, [7])
  t.match(logged, [
    { msg: /the inventory worker has died/, customerId: 'c-7', err: { message: /INVENTORY_TIMEOUT_MS/ } }
  ])
  t.equal(worker.deaths, 1)
  // On a busy machine this call may time out too.
  t.match(await eventually(() => page(8).catch(() => null)), { part: 0 })
})

t.test('answers other calls before waiting pages, and reads no page after a release', async (t) => {
  const { worker, page } = start(t)
  const events: string[] = []
  const record = (name: string) => () => void events.push(name)
  const pages = [1, 2, 1].map((id) => page(id).then(record(`page of ${id}`), record(`no page of ${id}`)))
  const call = worker.call('owns', { id: 9, kind: 'device', names: [] }).catch(record('owns'))
  worker.release(2)
  await Promise.all([...pages, call])
  t.strictSame(events, ['owns', 'page of 1', 'no page of 2', 'page of 1'])
})

/** The priorities of the process's threads on Linux (proc_pid_stat(5), field 19). */
const priorities = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const [, afterName = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(afterName.split(' ')[16])
  })

t.test('the thread has a lower priority, and other threads keep their priority', async (t) => {
  const priority = getPriority()
  const { page } = start(t)
  await page(1)
  t.equal(getPriority(), priority)
  if (process.platform === 'linux') t.ok(priorities().includes(5))
})

t.test('refuses a customer for lack of memory, and logs its id and the setting', async (t) => {
  const { worker, page, logged } = start(t)
  const devices = Array.from({ length: 1_000 }, () => ({}))
  t.match(await page(1), { part: 0 })
  const read = () => page(2, pageBody('devices', devices))
  const pages = await Promise.allSettled(Array.from({ length: 100 }, read))
  t.match(pages.at(-1), { status: 'rejected', reason: UNAVAILABLE })
  t.match(logged[0], { msg: /INVENTORY_MEMORY_MB/, customerId: 'c-2' })
  t.match(await page(1), { part: 1 }, 'keeps another customer')
  t.equal(worker.deaths, 0)
})

t.test('closing the worker fails waiting calls', async (t) => {
  const { worker, page, logged } = start(t)
  const call = page(1)
  await Promise.all([t.rejects(call, UNAVAILABLE), worker.close()])
  t.strictSame(logged, [])
})

t.test('a call after the end starts no other thread', async (t) => {
  const { worker, page } = start(t)
  await page(1)
  const before = threads.length
  await worker.close()
  await t.rejects(page(1), UNAVAILABLE)
  t.equal(threads.length, before)
})

const DEVICES = 1_200
const LOST = problems.inventoryUnavailable()

async function storeCustomer(t: Test) {
  const { worker, page } = start(t)
  const id = worker.nextId()
  const devices = Array.from({ length: DEVICES }, (_, at) => ({ id: `d-${at}`, deviceUuid: `u-${at}` }))
  const bodies = [devices.slice(0, 1_000), devices.slice(1_000)].map((items) => pageBody('devices', items))
  const parts = bodies.map((body) => page(id, body))
  const pages = { projects: [], devices: (await Promise.all(parts)).map(({ part }) => part) }
  const fields = { id, customerId: 'c', assembledAt: '', previous: null, subscriptions: null }
  const summary = await worker.call('assemble', { ...fields, ...pages })
  return {
    worker,
    id,
    customer: createCustomerHandle(worker, id, summary),
    lastId: () => worker.nextId() - 1
  }
}

t.test('reports a released customer as lost', async (t) => {
  const { worker, id, customer } = await storeCustomer(t)
  worker.release(id)
  await t.rejects(customer.tree(null), LOST)
  await t.rejects(customer.device('u-1'), LOST)
  await t.rejects(text(customer.lines()), LOST)
})

t.test('completes a started tree or list despite a release', async (t) => {
  const { worker, id, customer } = await storeCustomer(t)
  const tree = customer.tree(null)
  const lines = customer.lines()
  worker.release(id)
  const { stream, bytes } = await tree
  await turn()
  const json = await text(stream)
  t.equal(json.length, bytes)
  t.equal(JSON.parse(json).unassigned.length, DEVICES)
  t.equal((await text(lines)).trimEnd().split('\n').length, DEVICES)
})

t.test('a reader releases its customer when its stream is closed, even if unread', async (t) => {
  const ends: ((stream: Readable) => unknown)[] = [text, (stream) => stream.destroy()]
  for (const end of ends) {
    const { worker, customer, lastId } = await storeCustomer(t)
    const { stream } = await customer.tree(null)
    const readerId = lastId()
    t.ok(await worker.call('tree', { id: readerId, encoding: null }))
    await end(stream)
    await turn()
    await t.rejects(worker.call('tree', { id: readerId, encoding: null }), LOST)
  }
})
