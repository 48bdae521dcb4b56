// The points of all devices of a customer, searched as one list. Devices of one kind with as many parts have the same points
// but for their identifiers, which are not searched: of each kind one device is looked at.
import type { DeviceRecord } from '../../records/sites.ts'
import { type Point, pointsOf, unitsOf } from '../../simulation/points.ts'
import type { State } from '../../state.ts'

interface Kind {
  points: Point[]
  devices: DeviceRecord[]
}

export interface FoundPoints {
  total: number
  page: (from: number, to: number) => Point[]
}

export type CustomerPoints = (customerId: string, matches: (point: Point) => boolean) => FoundPoints

/** Finds points of a customer, in the order of their names. Which kinds of devices there are is kept until a device changes. */
export function customerPoints(state: State): CustomerPoints {
  const made = new Map<string, { version: number; kinds: Kind[] }>()

  function kindsOf(customerId: string): Kind[] {
    const { version } = state.devices
    const known = made.get(customerId)
    if (known?.version === version) return known.kinds
    const kinds = new Map<string, Kind>()
    for (const device of state.devices.of(customerId)) {
      const name = `${device.equipment} ${unitsOf(device)}`
      const kind = kinds.get(name) ?? { points: pointsOf(device), devices: [] }
      kinds.set(name, kind)
      kind.devices.push(device)
    }
    made.set(customerId, { version, kinds: [...kinds.values()] })
    return [...kinds.values()]
  }

  return (customerId, matches) => {
    const found = kindsOf(customerId)
      .flatMap(({ points, devices }) =>
        points.flatMap((point, place) =>
          matches(point) ? [{ name: point.displayName, place, devices }] : []
        )
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      total: found.reduce((sum, { devices }) => sum + devices.length, 0),
      page(from, to) {
        const page: Point[] = []
        let before = 0
        for (const { place, devices } of found) {
          const some = devices.slice(Math.max(0, from - before), Math.max(0, to - before))
          page.push(...some.map((device) => pointsOf(device)[place] as Point))
          before += devices.length
        }
        return page
      }
    }
  }
}
