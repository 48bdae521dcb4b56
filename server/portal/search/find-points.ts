// Finds points. The text may begin with the name of a device, as in "AHU-1 supply".
import { type FoundDevice, POINT_SEARCHES } from '#shared/answers/customers.ts'
import type { KeptMatches } from '../../inventory/worker/point-calls.ts'
import { raw, text } from '../../upstreams/fields.ts'
import { type PointSearchType, type PointSource, searchPoints } from '../../upstreams/points.ts'

type DeviceFields = FoundDevice['device']

/** Minimum length of the text after a device's name. A shorter text is probably the end of the name. */
const REST_MIN_CHARACTERS = 2
/** Maximum number of words that name a device: each number of words is a search of all devices. */
export const NAME_WORDS_MAX = 8

export interface FoundPoint {
  foundBy: PointSearchType
  /** Fields of the upstream's search. */
  point: Record<string, unknown>
}

interface FoundPoints {
  /** Matches by name come first. */
  found: FoundPoint[]
  /** The number of matches of each search; null for a search that failed. */
  totals: Record<PointSearchType, number | null>
  /** The searches that failed. */
  partial: PointSearchType[]
}

/** Searches all fields in parallel. Throws the upstream's problem if all searches fail. A blank text finds nothing. */
export async function findPoints(source: PointSource, q: string, size: number): Promise<FoundPoints> {
  const result: FoundPoints = { found: [], totals: { pointNames: 0, tagValues: 0, tagNames: 0 }, partial: [] }
  const searchText = q.trim()
  if (searchText === '') return result
  const searches = POINT_SEARCHES.map(async (foundBy) => {
    result.totals[foundBy] = null
    const page = await searchPoints(source, foundBy, searchText, size)
    result.totals[foundBy] = page.totalElements
    return page.items.map((point) => ({ foundBy, point: raw(point) }))
  })
  const answers = await Promise.allSettled(searches)
  if (answers.every(({ status }) => status === 'rejected')) await searches[0]
  result.found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  result.partial = POINT_SEARCHES.filter((foundBy) => result.totals[foundBy] === null)
  return result
}

/** How points are found: in memory if they have been read and are still there, otherwise by the upstream's searches. */
export function pointFinder(
  source: PointSource,
  findKept: ((q: string, size: number, systemGuid?: string) => Promise<KeptMatches>) | null
): (q: string, size: number, systemGuid?: string) => Promise<FoundPoints> {
  const search = (q: string, size: number, systemGuid?: string) =>
    findPoints(systemGuid === undefined ? source : { ...source, systemGuid }, q, size)
  return (q, size, systemGuid) => {
    if (findKept === null || q.trim() === '') return search(q, size, systemGuid)
    return findKept(q, size, systemGuid).then(
      (matches) => ({ ...matches, partial: [] }),
      () => search(q, size, systemGuid)
    )
  }
}

/**
 * Points of the devices that the first words of `q` name, in as many words as possible (NAME_WORDS_MAX at most). Ignores failed
 * point searches.
 */
export async function namedFirst(
  q: string,
  devicesNamed: (name: string) => Promise<readonly FoundDevice[]>,
  pointsIn: (rest: string, device: DeviceFields) => Promise<FoundPoint[]>
): Promise<FoundPoint[]> {
  const words = q.split(/\s+/).filter(Boolean)
  for (let count = Math.min(words.length - 1, NAME_WORDS_MAX); count > 0; count -= 1) {
    const devices = await devicesNamed(words.slice(0, count).join(' '))
    const namedDevices = devices.filter(({ match }) => match !== 'part')
    if (namedDevices.length === 0) continue
    const rest = words.slice(count).join(' ')
    if (rest.length < REST_MIN_CHARACTERS) return []
    const points = await Promise.all(namedDevices.map(({ device }) => pointsIn(rest, device).catch(() => [])))
    return points.flat()
  }
  return []
}

/** Adds the device to each point. Drops repeated points and points of systems that are not in `devices`. */
export function distinctWithDevices(found: readonly FoundPoint[], devices: readonly DeviceFields[]) {
  const bySystem = new Map(devices.map((device) => [device.systemGuid, device]))
  const keys = new Set<string>()
  return found.flatMap((match) => {
    const systemGuid = text(match.point.systemGuid)
    const cloudId = text(match.point.cloudId)
    const device = bySystem.get(systemGuid)
    const key = `${systemGuid} ${cloudId}`
    if (device === undefined || keys.has(key)) return []
    keys.add(key)
    return [{ ...match, device }]
  })
}
