// Which devices say what is searched for, in any of their columns. The last searches are remembered: their pages, other
// orders and filters ask for the same again.
import { LRUCache } from 'lru-cache'
import { DEVICE_SORTS, type DeviceSort } from '#shared/devices.ts'
import type { Column } from './columns.ts'

/** Each takes a byte for every device. */
const REMEMBERED = 16

/** 1 for each row that contains the search form in one of its columns, 0 for the others. */
export type DeviceSearch = (wanted: string) => Promise<Uint8Array>

export function createDeviceSearch(
  columns: () => Promise<Record<DeviceSort, Column>>,
  count: number
): DeviceSearch {
  const remembered = new LRUCache<string, Promise<Uint8Array>>({ max: REMEMBERED })

  async function search(wanted: string): Promise<Uint8Array> {
    const all = await columns()
    const marks = new Uint8Array(count)
    for (const sort of DEVICE_SORTS) {
      const { rows, search } = all[sort]
      const holds = (await search())(wanted)
      if (holds === null) continue
      for (let row = 0; row < count; row += 1) if (holds[rows[row] as number] === 1) marks[row] = 1
    }
    return marks
  }

  return (wanted) => {
    const found = remembered.get(wanted) ?? search(wanted)
    remembered.set(wanted, found)
    return found
  }
}
