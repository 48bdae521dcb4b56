// The main thread's handle to a customer in the worker. Answers are JSON bytes, ready to send.
import { Readable } from 'node:stream'
import type { Device, Missing, ProjectList } from '#shared/answers/customers.ts'
import type { DeviceQuery } from './device-query.ts'
import type { Summary } from './worker/calls.ts'
import type { OwnedKind } from './worker/customers.ts'
import type { InventoryWorker } from './worker-client.ts'
import { type Encoding, LINES_PER_CALL } from './worker-messages.ts'

export interface Body {
  bytes: number
  /** Gets each chunk from the worker when the stream is read. */
  stream: Readable
}

/** Each function throws a 503 problem if the worker no longer stores the customer. */
export interface CustomerHandle extends Summary {
  /** Identifies this version of the customer at the worker. */
  readonly id: number
  /** Returns a `ProjectList`. */
  projects(customer: ProjectList['customer']): Promise<Buffer>
  /** Returns a `DevicePage`. @param missing the data that the query could not use */
  devicePage(query: DeviceQuery, nowMs: number, missing?: readonly Missing[]): Promise<Buffer>
  /** Returns a `Device`, or null if no device has this uuid. */
  device(uuid: string): Promise<Buffer | null>
  /** Returns those devices of the customer that have one of these system guids. */
  systems(guids: readonly string[]): Promise<Omit<Device, 'subscriptions'>[]>
  /** Returns a `CustomerTree` in this encoding. */
  tree(encoding: Encoding | null): Promise<Body>
  /** Returns all devices, one per line. Gets them from the worker only as fast as they are read. */
  lines(): Readable
  /** Whether the customer owns everything named: projects by id, devices by id or uuid, systems by guid. */
  owns(kind: OwnedKind, names: readonly string[]): Promise<boolean>
  /** Returns the fields of a project by its id, or of a device by its id or uuid; null if there is none. */
  object(kind: 'project' | 'device', name: string): Promise<object | null>
}

export function createCustomerHandle(worker: InventoryWorker, id: number, summary: Summary): CustomerHandle {
  /** Keeps this version in memory for a slow reader. Returns the reader's own id for it. */
  function addReader(): number {
    const readerId = worker.nextId()
    worker.call('addReader', { id, readerId }).catch(() => {})
    return readerId
  }

  /** Streams `count` chunks. The end of the stream releases `readerId`. */
  function streamOf(
    readerId: number,
    count: number,
    chunkAt: (number: number) => Promise<Uint8Array>
  ): Readable {
    let number = 0
    return new Readable({
      read() {
        if (number === count) {
          this.push(null)
          return
        }
        chunkAt(number).then(
          (chunk) => this.push(bufferOf(chunk)),
          (error) => this.destroy(error)
        )
        number += 1
      },
      destroy(error, done) {
        worker.release(readerId)
        done(error)
      }
    })
  }

  return {
    ...summary,
    id,
    projects: async (customer) => bufferOf(await worker.call('projects', { id, customer })),
    devicePage: async (query, nowMs, missing) =>
      bufferOf(await worker.call('devices', { id, query, nowMs, missing })),
    async device(uuid) {
      const device = await worker.call('device', { id, uuid })
      return device === null ? null : bufferOf(device)
    },
    systems: (guids) => worker.call('systems', { id, guids }),
    async tree(encoding) {
      const readerId = addReader()
      const { bytes, count } = await worker.call('tree', { id: readerId, encoding }).catch((error) => {
        worker.release(readerId)
        throw error
      })
      const chunkAt = (number: number) => worker.call('chunk', { id: readerId, encoding, number })
      return { bytes, stream: streamOf(readerId, count, chunkAt) }
    },
    lines() {
      const readerId = addReader()
      const count = Math.ceil(summary.devices / LINES_PER_CALL)
      const chunkAt = (number: number) =>
        worker.call('lines', { id: readerId, from: number * LINES_PER_CALL })
      return streamOf(readerId, count, chunkAt)
    },
    owns: (kind, names) => worker.call('owns', { id, kind, names }),
    object: (kind, name) => worker.call('object', { id, kind, name })
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
