// Devices and bodies of upstream lists, created without an upstream.
import { gzipSync } from 'node:zlib'
import { toDevice } from '#server/inventory/worker/records.ts'
import type { Body } from '#server/upstreams/client.ts'
import type { Device } from '#shared/answers/customers.ts'

export function fetchedDevice(id: string, projectName: string | null, rest: Partial<Device> = {}): Device {
  return toDevice({ id, deviceUuid: `uuid-${id}`, deviceName: id, projectName, ...rest })
}

export function bodyOf(body: unknown, { bytes = 1000, isGzip = false } = {}): Body {
  const text = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const data = new Uint8Array(isGzip ? gzipSync(text) : text)
  const count = Math.ceil(data.length / bytes)
  const pieces = Array.from({ length: count }, (_, i) => data.slice(i * bytes, (i + 1) * bytes).buffer)
  return { pieces, isGzip }
}

export const pageBody = (rel: 'projects' | 'devices' | 'pointModels', items: unknown[], rest: object = {}) =>
  bodyOf({ _embedded: { [rel]: items }, ...rest })
