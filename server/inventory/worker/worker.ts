// The worker thread of the inventory: receives calls and replies to each. Transfers the memory of a reply.
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../errors.ts'
import { nextStep } from '../../steps.ts'
import { startHeartbeat } from '../heartbeat.ts'
import type { CallMessage, ProblemFields, ReplyMessage, WorkerData } from '../worker-messages.ts'
import { createCalls } from './calls.ts'

/**
 * Priority of the thread (nice(2)): if both threads share a core, the main thread gets three quarters of it. A higher value
 * would slow down device pages more than it speeds up other calls.
 */
const NICE = 5

/** Calls that wait until the steps of earlier long calls have run. */
const LONG_CALLS = ['page', 'assemble', 'dueServices']

const { limits, heartbeat } = workerData as WorkerData
const calls = createCalls(limits) as Record<string, (params: never) => unknown>
const noteCall = startHeartbeat(heartbeat)

// Other systems would set the priority of the whole process.
if (platform() === 'linux') setPriority(NICE)

parentPort?.on('message', async ({ callId, name, params }: CallMessage) => {
  if (LONG_CALLS.includes(name)) await nextStep()
  noteCall(callId)
  try {
    const value = await calls[name]?.(params as never)
    reply({ callId, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
  } catch (error) {
    reply({ callId, failure: failureOf(error as Error) })
  }
})

function failureOf(error: Error): ProblemFields | Error {
  if (!(error instanceof Problem)) return error
  const { status, id, options } = error
  return { status, id, options }
}

function reply(message: ReplyMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}
