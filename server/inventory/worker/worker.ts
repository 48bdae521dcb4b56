// The worker thread of the inventory: receives questions and answers each. Transfers the memory of an answer.
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../errors.ts'
import { type Signs, showSigns } from '../worker-signs.ts'
import { createQuestions, type QuestionLimits } from './questions.ts'
import { turn } from './turn.ts'

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
  /** The fields of a problem, or any other error. */
  failure?: Pick<Problem, 'status' | 'id' | 'options'> | Error
}

/**
 * Priority of the thread (nice(2)): if both threads share a core, the main thread gets three quarters of it. A higher value
 * would slow down device pages more than it speeds up other calls.
 */
const NICE = 5

const { limits, signs } = workerData as WorkerData
const questions = createQuestions(limits) as Record<string, (given: never) => unknown>
const begin = showSigns(signs)

// Other systems would set the priority of the whole process.
if (platform() === 'linux') setPriority(NICE)

/** Questions that wait for their turn between the steps of long work. */
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

function reply(answer: Answer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer)
}
