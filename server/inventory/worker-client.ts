// The main thread's client of the inventory worker. The first question starts the worker. When the worker dies or times out,
// pending questions fail and the next question starts a new worker.
import { Worker } from 'node:worker_threads'
import { Problem, problems } from '../errors.ts'
import type { WorkerStats } from '../observability/recorder.ts'
import type { Log } from '../types.ts'
import type { Questions } from './worker/questions.ts'
import type { Answer, Question, WorkerData } from './worker/worker.ts'
import { watchSigns } from './worker-signs.ts'

type Kind = keyof Questions
type Given<K extends Kind> = Parameters<Questions[K]>[0]
type Value<K extends Kind> = Awaited<ReturnType<Questions[K]>>

export interface InventoryWorker {
  /** Maximum size of a decoded page of projects or devices. */
  readonly pageMaxBytes: number
  /**
   * Throws the worker's problem, or a 503 problem when the worker dies.
   * @param transfer buffers to transfer with the question
   */
  ask<K extends Kind>(kind: K, given: Given<K>, transfer?: ArrayBuffer[]): Promise<Value<K>>
  /** Frees a customer's snapshot and drops its queued pages. */
  release(id: number): void
  /** Calls `listener` when the worker dies, with the snapshot id of the question that it was working on, if known. */
  onLoss(listener: (culprit: number | undefined) => void): void
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

/** The customer that a question is about. */
interface Subject {
  id?: number
  customerId?: string
}

interface PendingQuestion {
  subject: Subject
  resolve: (value: never) => void
  reject: (error: Error) => void
}

interface Running {
  worker: Worker
  watch: ReturnType<typeof watchSigns>
}

const FILE = new URL('./worker/worker.ts', import.meta.url)
/**
 * Spare heap, because JSON.parse ends the process at the heap limit: for the values of a page (100,000 of 200 bytes) or of
 * an answer (1,000 full devices), for a page's text twice at two bytes per character, and for sorting the largest customer
 * (a fifth of its size).
 */
const SPARE_MB = 64
const SPARE_PER_PAGE_MB = 4
const SPARE_SHARE = 0.25
const MAX_NUMBER = 2 ** 31 - 1

export function createInventoryWorker({
  memoryMb,
  pageMaxMb,
  timeoutMs,
  log
}: WorkerOptions): InventoryWorker {
  const pageMaxBytes = pageMaxMb * 2 ** 20
  const pending = new Map<number, PendingQuestion>()
  const listeners: ((culprit: number | undefined) => void)[] = []
  let running: Running | undefined
  let lastNumber = 0
  let deaths = 0

  function start(): Running {
    const watch = watchSigns(
      timeoutMs,
      () => pending.size > 0,
      () => {
        lose(
          self,
          new Error(`the inventory worker answered nothing for ${timeoutMs} ms (INVENTORY_TIMEOUT_MS)`)
        )
        void worker.terminate()
      }
    )
    const worker = new Worker(FILE, {
      name: 'inventory',
      workerData: {
        limits: { memoryBytes: memoryMb * 2 ** 20, pageMaxBytes },
        signs: watch.signs
      } satisfies WorkerData,
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMb * (1 + SPARE_SHARE) + SPARE_MB + pageMaxMb * SPARE_PER_PAGE_MB
      },
      // Keep the main thread's options and secrets from the worker, and its warnings, which are plain text, from the log.
      execArgv: ['--no-warnings'],
      env: {}
    })
    const self = { worker, watch }
    let cause: unknown
    worker.unref()
    worker.on('message', (answer: Answer) => {
      watch.noteSign()
      settle(answer)
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => lose(self, cause))
    return self
  }

  function lose(dead: Running, cause: unknown): void {
    dead.watch.stop()
    if (running !== dead) return
    running = undefined
    deaths += 1
    // Without an error, something outside killed the worker.
    const current = cause === undefined ? undefined : pending.get(dead.watch.question())
    const { id, customerId }: Subject = current?.subject ?? {}
    for (const listener of listeners) listener(id)
    failAll(cause)
    log.error(
      { err: cause, customerId },
      'the inventory worker has died: the next question starts another one'
    )
  }

  function settle({ number, value, failure }: Answer): void {
    const { resolve, reject, subject } = pending.get(number) ?? {}
    pending.delete(number)
    if (failure === undefined) resolve?.(value as never)
    else if (failure instanceof Error) reject?.(failure)
    else {
      const { status, id, options } = failure
      const { customerId } = subject ?? {}
      if (id === 'inventory_unavailable' && options.cause)
        log.warn({ err: options.cause, customerId }, 'no memory for a customer: raise INVENTORY_MEMORY_MB')
      reject?.(new Problem(status, id, options))
    }
  }

  function failAll(cause: unknown): void {
    for (const { reject } of pending.values()) reject(problems.inventoryUnavailable(cause))
    pending.clear()
  }

  function ask<K extends Kind>(kind: K, given: Given<K>, transfer: ArrayBuffer[] = []): Promise<Value<K>> {
    running ??= start()
    const { worker } = running
    lastNumber = (lastNumber % MAX_NUMBER) + 1
    const question: Question = { number: lastNumber, kind, given }
    return new Promise((resolve, reject) => {
      pending.set(question.number, { subject: given as Subject, resolve, reject })
      worker.postMessage(question, transfer)
    })
  }

  return {
    pageMaxBytes,
    ask,
    release: (id) =>
      running?.worker.postMessage({ number: 0, kind: 'release', given: { id } } satisfies Question),
    onLoss: (listener) => void listeners.push(listener),
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
      running = undefined
      failAll(new Error('the gateway closes'))
      current?.watch.stop()
      await current?.worker.terminate()
    }
  }
}
