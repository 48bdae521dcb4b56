// The main thread's client of the inventory worker. The first call starts the worker. When the worker dies or times out,
// pending calls fail and the next call starts a new worker.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem, problems } from '../errors.ts'
import type { WorkerStats } from '../observability/recorder.ts'
import { step } from '../observability/trace.ts'
import type { Log } from '../types.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { WorkerCalls } from './worker/calls.ts'
import type { CallMessage, ProblemFields, ReplyMessage, WorkerData } from './worker-messages.ts'

type CallName = keyof WorkerCalls
type Params<Name extends CallName> = Parameters<WorkerCalls[Name]>[0]
type Result<Name extends CallName> = Awaited<ReturnType<WorkerCalls[Name]>>

export interface InventoryWorker {
  /** Maximum size of a decoded page of projects or devices. */
  readonly pageMaxBytes: number
  /**
   * Throws the worker's problem, or a 503 problem when the worker dies.
   * @param transfer buffers to transfer with the call
   */
  call<Name extends CallName>(
    name: Name,
    params: Params<Name>,
    transfer?: ArrayBuffer[]
  ): Promise<Result<Name>>
  /** Returns a new id for an object of the worker. Ids are never reused: a new worker must not know ids of a dead one. */
  nextId(): number
  /** Frees a customer's snapshot or points and drops their queued pages, or frees the rows of a reader of points. */
  release(id: number): void
  /** Calls `listener` when the worker dies, with the snapshot id of the call that it was working on, if known. */
  onDeath(listener: (culprit: number | undefined) => void): void
  /** Number of workers that died. A new worker starts empty. */
  readonly deaths: number
  stats(): Promise<WorkerStats>
  close(): Promise<void>
}

export interface WorkerOptions {
  /** Heap for customers. */
  memoryMb: number
  pageMaxMb: number
  /** The worker is replaced after this long without progress. */
  timeoutMs: number
  log: Log
}

/** The customer that a call is about. */
interface Subject {
  id?: number
  customerId?: string
}

interface PendingCall {
  subject: Subject
  resolve: (value: never) => void
  reject: (error: Error) => void
}

interface Running {
  worker: Worker
  heartbeat: ReturnType<typeof watchHeartbeat>
}

const FILE = new URL('./worker/worker.ts', import.meta.url)
/**
 * Spare heap, because JSON.parse ends the process at the heap limit: for the values of a page (100,000 of 200 bytes) or of
 * an answer (1,000 full devices), for a page's text twice at two bytes per character, and for sorting the largest customer
 * (a fifth of its size) or the points of all customers (two fifths of theirs, which is a fifth of the heap).
 */
const SPARE_MB = 64
const SPARE_PER_PAGE_MB = 4
const SPARE_SHARE = 0.25
const CLOSES = new Error('the gateway closes')
/** The heartbeat stores call ids as 32-bit integers. */
const CALL_ID_MAX = 2 ** 31 - 1

export function createInventoryWorker({
  memoryMb,
  pageMaxMb,
  timeoutMs,
  log
}: WorkerOptions): InventoryWorker {
  const pageMaxBytes = pageMaxMb * 2 ** 20
  const pending = new Map<number, PendingCall>()
  const listeners: ((culprit: number | undefined) => void)[] = []
  let running: Running | undefined
  let isClosed = false
  let lastCallId = 0
  let lastId = 0
  let deaths = 0

  function start(): Running {
    const heartbeat = watchHeartbeat(timeoutMs, () => pending.size > 0, onTimeout)
    function onTimeout(): void {
      const message = `the inventory worker answered nothing for ${timeoutMs} ms (INVENTORY_TIMEOUT_MS)`
      reportDeath(started, new Error(message))
      void worker.terminate()
    }
    const worker = new Worker(FILE, {
      name: 'inventory',
      workerData: {
        limits: { memoryBytes: memoryMb * 2 ** 20, pageMaxBytes },
        heartbeat: heartbeat.heartbeat
      } satisfies WorkerData,
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMb * (1 + SPARE_SHARE) + SPARE_MB + pageMaxMb * SPARE_PER_PAGE_MB
      },
      // Keep the main thread's options and secrets from the worker, and its warnings, which are plain text, from the log.
      execArgv: ['--no-warnings'],
      env: compileCache()
    })
    const started: Running = { worker, heartbeat }
    let cause: unknown
    worker.unref()
    worker.on('message', (message: ReplyMessage) => {
      heartbeat.noteProgress()
      settle(message)
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => reportDeath(started, cause))
    return started
  }

  /** The cache of compiled modules, if the process has one: with it, a worker starts in half the time. */
  function compileCache(): Record<string, string> {
    const folder = getCompileCacheDir()
    // Node adds a folder for its version.
    return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
  }

  function reportDeath(dead: Running, cause: unknown): void {
    dead.heartbeat.stop()
    if (running !== dead) return
    running = undefined
    deaths += 1
    // Without an error, something outside killed the worker.
    const current = cause === undefined ? undefined : pending.get(dead.heartbeat.currentCall())
    const { id, customerId }: Subject = current?.subject ?? {}
    for (const listener of listeners) listener(id)
    failAll(cause)
    log.error({ err: cause, customerId }, 'the inventory worker has died: the next call starts another one')
  }

  function settle({ callId, value, failure }: ReplyMessage): void {
    const call = pending.get(callId)
    if (call === undefined) return
    pending.delete(callId)
    if (failure === undefined) call.resolve(value as never)
    else call.reject(failure instanceof Error ? failure : problemOf(failure, call.subject))
  }

  function problemOf({ status, id, options }: ProblemFields, { customerId }: Subject): Problem {
    if (id === 'inventory_unavailable' && options.cause)
      log.warn({ err: options.cause, customerId }, 'no memory for a customer: raise INVENTORY_MEMORY_MB')
    return new Problem(status, id, options)
  }

  function failAll(cause: unknown): void {
    for (const { reject } of pending.values()) reject(problems.inventoryUnavailable(cause))
    pending.clear()
  }

  function call<Name extends CallName>(
    name: Name,
    params: Params<Name>,
    transfer: ArrayBuffer[] = []
  ): Promise<Result<Name>> {
    // Answers of an upstream may still arrive.
    if (isClosed) return Promise.reject(problems.inventoryUnavailable(CLOSES))
    running ??= start()
    const { worker } = running
    lastCallId = (lastCallId % CALL_ID_MAX) + 1
    const message: CallMessage = { callId: lastCallId, name, params }
    const send = () =>
      new Promise<Result<Name>>((resolve, reject) => {
        pending.set(message.callId, { subject: params as Subject, resolve, reject })
        worker.postMessage(message, transfer)
      })
    return step(`inventory worker ${name}`, {}, send)
  }

  return {
    pageMaxBytes,
    call,
    nextId() {
      lastId += 1
      return lastId
    },
    release(id) {
      running?.worker.postMessage({ callId: 0, name: 'release', params: { id } } satisfies CallMessage)
    },
    onDeath(listener) {
      listeners.push(listener)
    },
    get deaths() {
      return deaths
    },
    async stats() {
      const heap = await running?.worker.getHeapStatistics().catch(() => null)
      return {
        isUp: running !== undefined,
        deaths,
        waiting: pending.size,
        heapBytes: heap?.used_heap_size ?? 0
      }
    },
    async close() {
      const current = running
      isClosed = true
      running = undefined
      failAll(CLOSES)
      current?.heartbeat.stop()
      await current?.worker.terminate()
    }
  }
}
