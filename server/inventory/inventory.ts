// The main thread's access to a customer in the worker. Answers are JSON bytes, ready to send.
import { Readable } from 'node:stream'
import type { DeviceQuery } from '#shared/devices.ts'
import type { Device, Missing, ProjectList } from '#shared/entities.ts'
import type { OwnedKind } from './customers.ts'
import { LINES, type Summary } from './questions.ts'
import type { Encoding } from './serialize.ts'
import type { InventoryWorker } from './worker-client.ts'

export interface Body {
  bytes: number
  /** Asks the worker for each chunk when it is read. */
  stream: Readable
}

/** Each call throws a 503 problem if the worker has lost the customer. */
export interface Inventory extends Summary {
  /** Its number at the worker. */
  readonly id: number
  /** A `ProjectList`. */
  projects(customer: ProjectList['customer']): Promise<Buffer>
  /** A `DevicePage`. @param missing the data that the query could not use */
  devicePage(query: DeviceQuery, nowMs: number, missing?: readonly Missing[]): Promise<Buffer>
  /** A `Device`; null if no device has this uuid. */
  device(uuid: string): Promise<Buffer | null>
  /** The devices of these systems of the customer. */
  systems(guids: readonly string[]): Promise<Omit<Device, 'subscriptions'>[]>
  /** A `CustomerTree` in that encoding. */
  tree(encoding: Encoding | null): Promise<Body>
  /** All devices, one per line; the reader's speed decides how fast they are requested. */
  lines(): Readable
  /** Whether the customer owns all of them: projects by id, devices by id or uuid, systems by guid. */
  owns(kind: OwnedKind, names: readonly string[]): Promise<boolean>
}

/** Numbers are never reused, so that a new worker does not know those of the previous one. */
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
  /** Keeps this version under another number for a slow reader. */
  function hold(): number {
    const own = nextId()
    worker.ask('alias', { id, as: own }).catch(() => {})
    return own
  }

  /** The end of the stream releases it. */
  function streamOf(own: number, count: number, ask: (number: number) => Promise<Uint8Array>): Readable {
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
        worker.release(own)
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
      const own = hold()
      const { bytes, count } = await worker.ask('tree', { id: own, encoding }).catch((error) => {
        worker.release(own)
        throw error
      })
      const ask = (number: number) => worker.ask('chunk', { id: own, encoding, number })
      return { bytes, stream: streamOf(own, count, ask) }
    },
    lines() {
      const own = hold()
      const ask = (number: number) => worker.ask('lines', { id: own, from: number * LINES })
      return streamOf(own, Math.ceil(summary.devices / LINES), ask)
    },
    owns: (kind, names) => worker.ask('owns', { id, kind, names })
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
