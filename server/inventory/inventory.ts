// The main thread's access to a customer in the worker. Answers are JSON bytes, ready to send.
import { Readable } from 'node:stream'
import type { DeviceQuery } from '#shared/devices.ts'
import type { Device, Missing, ProjectList } from '#shared/entities.ts'
import type { OwnedKind } from './worker/customers.ts'
import { LINES, type Summary } from './worker/questions.ts'
import type { Encoding } from './worker/serialize.ts'
import type { InventoryWorker } from './worker-client.ts'

export interface Body {
  bytes: number
  /** Gets each chunk from the worker when the stream is read. */
  stream: Readable
}

/** Each function throws a 503 problem if the worker no longer stores the customer. */
export interface Inventory extends Summary {
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
}

/** Creates ids, which are never reused: a new worker must not know ids of the previous one. */
export function createNumbers(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

export function createInventory(
  worker: InventoryWorker,
  nextId: () => number,
  id: number,
  summary: Summary
): Inventory {
  /** Keeps this version in memory for a slow reader. Returns the reader's own id for it. */
  function hold(): number {
    const readerId = nextId()
    worker.ask('alias', { id, as: readerId }).catch(() => {})
    return readerId
  }

  /** Streams `count` chunks. The end of the stream releases `readerId`. */
  function streamOf(readerId: number, count: number, ask: (number: number) => Promise<Uint8Array>): Readable {
    let number = 0
    return new Readable({
      read() {
        if (number === count) this.push(null)
        else
          ask(number++).then(
            (chunk) => this.push(bufferOf(chunk)),
            (error) => this.destroy(error)
          )
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
    projects: async (customer) => bufferOf(await worker.ask('projects', { id, customer })),
    devicePage: async (query, nowMs, missing) =>
      bufferOf(await worker.ask('devices', { id, query, nowMs, missing })),
    async device(uuid) {
      const device = await worker.ask('device', { id, uuid })
      return device === null ? null : bufferOf(device)
    },
    systems: (guids) => worker.ask('systems', { id, guids }),
    async tree(encoding) {
      const readerId = hold()
      const { bytes, count } = await worker.ask('tree', { id: readerId, encoding }).catch((error) => {
        worker.release(readerId)
        throw error
      })
      const ask = (number: number) => worker.ask('chunk', { id: readerId, encoding, number })
      return { bytes, stream: streamOf(readerId, count, ask) }
    },
    lines() {
      const readerId = hold()
      const ask = (number: number) => worker.ask('lines', { id: readerId, from: number * LINES })
      return streamOf(readerId, Math.ceil(summary.devices / LINES), ask)
    },
    owns: (kind, names) => worker.ask('owns', { id, kind, names })
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
