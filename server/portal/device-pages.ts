// Pages of devices as they come from the upstream, each serialized at once, while further ones are waited for. What
// joins devices to projects and services, and what they are searched and sorted by, is kept beside.
import { DEVICE_SORTS, type DeviceSort } from '#shared/devices.ts'
import type { FetchedDevice } from '../upstreams/inventory.ts'
import { type ColumnWriter, columnWriter } from './columns.ts'

/** Devices by their number, in the order of the pages. */
export interface DevicePages {
  readonly count: number
  /** The device as JSON, without its closing brace. */
  headOf(device: number): Buffer
  idOf(device: number): string
  uuidOf(device: number): string
  /** Number of its value in that column. */
  valueAt(sort: DeviceSort, device: number): number
  readonly columns: Record<DeviceSort, Pick<ColumnWriter, 'values'>>
}

export interface DevicePage {
  /** The heads, one after the other. */
  bytes: Buffer
  ends: Uint32Array
  ids: string[]
  uuids: string[]
  values: Record<DeviceSort, Uint32Array>
}

export interface DevicePageReader {
  /** Takes in a page; they may come in any order. */
  read(devices: FetchedDevice[]): DevicePage
  /** All pages, in their order. */
  finish(pages: readonly DevicePage[]): DevicePages
}

export function devicePageReader(): DevicePageReader {
  const columns = bySort(columnWriter)
  return {
    read(devices) {
      const heads = devices.map((device) => JSON.stringify(device).slice(0, -1))
      const bytes = Buffer.from(heads.join(''))
      const isAscii = bytes.length === heads.reduce((sum, { length }) => sum + length, 0)
      const ends = new Uint32Array(devices.length)
      let end = 0
      for (const [index, head] of heads.entries()) {
        end += isAscii ? head.length : Buffer.byteLength(head)
        ends[index] = end
      }
      return {
        bytes,
        ends,
        ids: devices.map(({ id }) => id),
        uuids: devices.map(({ deviceUuid }) => deviceUuid),
        values: bySort((sort) =>
          Uint32Array.from(devices, (device) => columns[sort].numberOf(device[sort] ?? ''))
        )
      }
    },
    finish: (pages) => numbered(pages, columns)
  }
}

function numbered(pages: readonly DevicePage[], columns: DevicePages['columns']): DevicePages {
  const count = pages.reduce((sum, { ids }) => sum + ids.length, 0)
  const [pageOf, indexOf] = [new Uint32Array(count), new Uint32Array(count)]
  let device = 0
  for (const [page, { ids }] of pages.entries()) {
    for (let index = 0; index < ids.length; index += 1) {
      pageOf[device] = page
      indexOf[device++] = index
    }
  }
  const at = (device: number): [page: DevicePage, index: number] => [
    pages[pageOf[device] as number] as DevicePage,
    indexOf[device] as number
  ]
  return {
    count,
    columns,
    headOf(device) {
      const [{ bytes, ends }, index] = at(device)
      return bytes.subarray(index === 0 ? 0 : ends[index - 1], ends[index])
    },
    idOf(device) {
      const [{ ids }, index] = at(device)
      return ids[index] as string
    },
    uuidOf(device) {
      const [{ uuids }, index] = at(device)
      return uuids[index] as string
    },
    valueAt(sort, device) {
      const [{ values }, index] = at(device)
      return values[sort][index] as number
    }
  }
}

/** One for each column. */
export function bySort<T>(make: (sort: DeviceSort) => T): Record<DeviceSort, T> {
  return Object.fromEntries(DEVICE_SORTS.map((sort) => [sort, make(sort)])) as Record<DeviceSort, T>
}
