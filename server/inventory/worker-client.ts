// The inventory's worker thread as the main thread sees it: started with the first question, asked by messages. One that
// dies, for want of memory or otherwise, fails the questions under way and is started anew with the next one.
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { Problem, problems } from '../errors.ts'
import type { WorkerStats } from '../observability/recorder.ts'
import type { Holder } from './holder.ts'
import type { Answer, Question, WorkerData } from './worker.ts'

type Kind = keyof Holder
type Given<K extends Kind> = Parameters<Holder[K]>[0]
type Value<K extends Kind> = Awaited<ReturnType<Holder[K]>>

export interface InventoryWorker {
  /**
   * Throws the problem that the worker answers with, and a 503 problem when it dies meanwhile.
   * @param transfer memory that is given away with the question
   */
  ask<K extends Kind>(kind: K, given: Given<K>, transfer?: ArrayBuffer[]): Promise<Value<K>>
  /**
   * The same for work of some length, in turn with all other of that kind: `ask` waits for little of it.
   * @param check throws when the turn has come and nobody wants it any more
   */
  askInTurn<K extends Kind>(
    kind: K,
    given: Given<K>,
    transfer: ArrayBuffer[],
    check: () => void
  ): Promise<Value<K>>
  /** Says that nothing more is asked of a customer. */
  release(id: number): void
  /** Called when all that it held is lost. */
  onLoss(listener: () => void): void
  /** How often that was: what one worker has read, the next one does not know. */
  readonly deaths: number
  stats(): Promise<WorkerStats>
  close(): Promise<void>
}

interface Waiting {
  resolve: (value: never) => void
  reject: (error: Error) => void
}

/** Of long work at the worker: what it does, and what it goes on with. */
const AT_WORKER = 2
const FILE = new URL('./worker.ts', import.meta.url)

/** @param memoryMb of the worker's heap, at most */
export function createInventoryWorker(memoryMb: number, lost: (cause: unknown) => void): InventoryWorker {
  const waiting = new Map<number, Waiting>()
  const listeners: (() => void)[] = []
  const turns = pLimit(AT_WORKER)
  let running: Worker | undefined
  let asked = 0
  let deaths = 0

  function start(): Worker {
    const worker = new Worker(FILE, {
      name: 'inventory',
      workerData: { memoryBytes: memoryMb * 2 ** 20 } satisfies WorkerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      // Neither options nor secrets of the main thread are its business.
      execArgv: [],
      env: {}
    })
    let cause: unknown
    worker.unref()
    worker.on('message', settle)
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (running !== worker) return
      running = undefined
      deaths += 1
      for (const listener of listeners) listener()
      failAll(cause)
      lost(cause)
    })
    return worker
  }

  function settle({ number, value, failure }: Answer): void {
    const { resolve, reject } = waiting.get(number) ?? {}
    waiting.delete(number)
    if (failure === undefined) resolve?.(value as never)
    else
      reject?.(failure instanceof Error ? failure : new Problem(failure.status, failure.id, failure.options))
  }

  function failAll(cause: unknown): void {
    for (const { reject } of waiting.values()) reject(problems.inventoryUnavailable(cause))
    waiting.clear()
  }

  function ask<K extends Kind>(kind: K, given: Given<K>, transfer: ArrayBuffer[] = []): Promise<Value<K>> {
    running ??= start()
    const worker = running
    asked += 1
    const question: Question = { number: asked, kind, given }
    return new Promise((resolve, reject) => {
      waiting.set(question.number, { resolve, reject })
      worker.postMessage(question, transfer)
    })
  }

  return {
    ask,
    askInTurn: (kind, given, transfer, check) =>
      turns(() => {
        check()
        return ask(kind, given, transfer)
      }),
    release: (id) => running?.postMessage({ number: 0, kind: 'release', given: { id } } satisfies Question),
    onLoss: (listener) => void listeners.push(listener),
    get deaths() {
      return deaths
    },
    async stats() {
      const heap = await running?.getHeapStatistics().catch(() => null)
      return {
        isUp: running !== undefined,
        deaths,
        waiting: waiting.size,
        heapBytes: heap?.used_heap_size ?? 0
      }
    },
    async close() {
      const worker = running
      running = undefined
      failAll(new Error('the gateway closes'))
      await worker?.terminate()
    }
  }
}
