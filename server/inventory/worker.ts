// The worker thread of the inventory: takes questions, and answers each when its turn comes. What it answers it gives away.
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../errors.ts'
import { createHolder } from './holder.ts'

export interface WorkerData {
  memoryBytes: number
}

export interface Question {
  number: number
  kind: string
  given: unknown
}

export interface Answer {
  number: number
  value?: unknown
  /** Why there is none: a problem by its fields, or else anything. */
  failure?: Pick<Problem, 'status' | 'id' | 'options'> | Error
}

/**
 * Of the thread (nice(2)): where cores are few, the main thread and so everybody's calls get three quarters of one. With more
 * than that, pages of devices wait longer than the calls gain.
 */
const NICE = 5

const holder = createHolder((workerData as WorkerData).memoryBytes) as Record<
  string,
  (given: unknown) => unknown
>

// Elsewhere the whole process would have it.
if (platform() === 'linux') setPriority(NICE)

parentPort?.on('message', async ({ number, kind, given }: Question) => {
  try {
    const value = await holder[kind]?.(given)
    reply({ number, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
  } catch (error) {
    const failure =
      error instanceof Problem
        ? { status: error.status, id: error.id, options: error.options }
        : (error as Error)
    reply({ number, failure })
  }
})

function reply(answer: Answer, given: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, given)
}
