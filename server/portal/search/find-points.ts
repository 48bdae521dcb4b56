// How points are looked for. A text may name a device first, as in "AHU-1 supply".
import { POINT_SEARCHES } from '#shared/answers/customers.ts'
import type { FoundDevice } from '#shared/entities.ts'
import { raw, text } from '../../upstreams/fields.ts'
import { type PointSearchType, type PointSource, searchPoints } from '../../upstreams/points.ts'

type DeviceFields = FoundDevice['device']

/** A shorter one is rather the end of the device's name. */
const REST_MIN_CHARACTERS = 2

export interface FoundPoint {
  foundBy: PointSearchType
  /** The upstream's own fields. */
  point: Record<string, unknown>
}

interface FoundPoints {
  /** Those by name come first. */
  found: FoundPoint[]
  /** How many each search finds; null when it failed. */
  totals: Record<PointSearchType, number | null>
  /** The searches that failed. */
  partial: PointSearchType[]
}

/** Looks in all places at once; throws the upstream's problem when each of them fails. A blank text finds nothing. */
export async function findPoints(source: PointSource, q: string, size: number): Promise<FoundPoints> {
  const result: FoundPoints = { found: [], totals: { pointNames: 0, tagValues: 0, tagNames: 0 }, partial: [] }
  const wanted = q.trim()
  if (wanted === '') return result
  const answers = await Promise.all(
    POINT_SEARCHES.map(async (foundBy) => {
      const search = searchPoints(source, foundBy, wanted, size)
      return search.then((page) => ({ foundBy, page })).catch((error: unknown) => ({ foundBy, error }))
    })
  )
  for (const answer of answers) {
    const { foundBy } = answer
    if ('page' in answer) {
      result.totals[foundBy] = answer.page.totalElements
      result.found.push(...answer.page.items.map((point) => ({ foundBy, point: raw(point) })))
    } else {
      result.totals[foundBy] = null
      result.partial.push(foundBy)
      if (result.partial.length === POINT_SEARCHES.length) throw answer.error
    }
  }
  return result
}

/**
 * The points of devices that the text names first, by as many of its words as name one. What cannot be searched there is
 * found elsewhere or not at all.
 */
export async function namedFirst(
  q: string,
  devicesNamed: (name: string) => Promise<readonly FoundDevice[]>,
  pointsIn: (rest: string, device: DeviceFields) => Promise<FoundPoint[]>
): Promise<FoundPoint[]> {
  const words = q.split(/\s+/).filter(Boolean)
  for (let count = words.length - 1; count > 0; count -= 1) {
    const found = await devicesNamed(words.slice(0, count).join(' '))
    const named = found.filter(({ match }) => match !== 'part')
    if (named.length === 0) continue
    const rest = words.slice(count).join(' ')
    if (rest.length < REST_MIN_CHARACTERS) return []
    const points = await Promise.all(named.map(({ device }) => pointsIn(rest, device).catch(() => [])))
    return points.flat()
  }
  return []
}

/** Each once, with its device. A point of a system that is not the customer's is left out, whichever search found it. */
export function distinctWithDevices(found: readonly FoundPoint[], devices: readonly DeviceFields[]) {
  const bySystem = new Map(devices.map((device) => [device.systemGuid, device]))
  const seen = new Set<string>()
  return found.flatMap((one) => {
    const [systemGuid, cloudId] = [text(one.point.systemGuid), text(one.point.cloudId)]
    const device = bySystem.get(systemGuid)
    const name = `${systemGuid} ${cloudId}`
    if (device === undefined || seen.has(name)) return []
    seen.add(name)
    return [{ ...one, device }]
  })
}
