// The messages between the main thread and the worker thread.
import type { Problem } from '../errors.ts'
import type { HeartbeatMemory } from './heartbeat.ts'

/** Number of items on a page of projects or devices that the gateway fetches. */
export const FETCH_PAGE_SIZE = 1000

/** Number of items on a page of points that the gateway fetches. */
export const POINT_PAGE_SIZE = 1000
/** Maximum length of a status flag of a point; longer ones are cut off. */
export const FLAG_MAX_CHARACTERS = 100

/** Starts the worker. */
export interface WorkerData {
  limits: WorkerLimits
  heartbeat: HeartbeatMemory
}

export interface WorkerLimits {
  /** Heap for all customers. One customer may use half of the heap, so that its next version fits too. */
  memoryBytes: number
  /** Maximum decoded size of a page of projects or devices. */
  pageMaxBytes: number
}

/** A call of the main thread. */
export interface CallMessage {
  /** 0 if the caller expects no reply. */
  callId: number
  /** The name of a function in `worker/calls.ts`. */
  name: string
  params: unknown
}

/** A problem in a message: messages contain no instances of classes. */
export type ProblemFields = Pick<Problem, 'status' | 'id' | 'options'>

export interface ReplyMessage {
  callId: number
  value?: unknown
  failure?: ProblemFields | Error
}

/** A page of a list, and the number of entries of its `partial`. */
export interface ListPage {
  json: Uint8Array
  partialCount: number
}

/** Encodings of a customer's tree, in order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Maximum number of devices in one reply of `lines`. */
export const LINES_PER_CALL = 500

/** The subscriptions of a customer are one list, without pages: 500,000 take 60 MB. */
export const SUBSCRIPTIONS_MAX_BYTES = 64 * 2 ** 20
