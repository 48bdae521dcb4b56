// The worker thread of the inventory: takes questions and answers each in turn. The memory of an answer is transferred.
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../errors.ts'
import { createQuestions, type QuestionLimits } from './questions.ts'
import { turn } from './turn.ts'
import { type Signs, showSigns } from './worker-signs.ts'

export interface WorkerData {
  limits: QuestionLimits
  signs: Signs
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

const { limits, signs } = workerData as WorkerData
const questions = createQuestions(limits) as Record<string, (given: never) => unknown>
const begin = showSigns(signs)

// Elsewhere the whole process would have it.
if (platform() === 'linux') setPriority(NICE)

/** Long work waits for its turn. */
const IN_TURN = ['page', 'assemble', 'dueServices']

parentPort?.on('message', async ({ number, kind, given }: Question) => {
  if (IN_TURN.includes(kind)) await turn()
  begin(number)
  try {
    const value = await questions[kind]?.(given as never)
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
