// Calls of `/api/v1/entitymodel`: searches the points of a customer, and fetches points by their ids.
import type { POINT_SEARCHES } from '#shared/answers/customers.ts'
import type { PointModel } from '#shared/answers/points.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import type { Body, CustomerSource } from './client.ts'
import { id, name, type Raw, raw, text } from './fields.ts'
import { type HalPage, readPage } from './hal.ts'

/** Name of the list in `_embedded`. */
export const POINTS_REL = 'pointModels'
/** Tags or facets of a point, and characters of each: twice what the screens show. */
const PROPERTIES_MAX = 50
const PROPERTY_MAX_CHARACTERS = 2_000

/** A point without the system that it belongs to. */
export type OwnPoint = Omit<PointModel, 'systemGuid'>

type ComparisonType = 'CONTAINS' | 'EQUALS'
export type PointSearchType = (typeof POINT_SEARCHES)[number]

export interface PointSource extends CustomerSource {
  /** Searches this system only; by default all systems of the customer. */
  systemGuid?: string
}

/** Returns the first `size` matching points, sorted by name. Throws a 502 problem if the answer is not a list. */
export async function searchPoints(
  source: PointSource,
  searchType: PointSearchType,
  searchText: string,
  size: number
): Promise<Pick<HalPage, 'items' | 'totalElements'>> {
  const page = await search(source, searchType, [searchText], 'CONTAINS', size)
  return { items: page.items.slice(0, size), totalElements: page.totalElements }
}

/** Fetches the points of a system that exist, by `cloudId`. */
export async function fetchPointsById(
  source: PointSource & { systemGuid: string },
  cloudIds: readonly string[]
): Promise<Map<string, OwnPoint>> {
  // Names of other points may equal an id.
  const { items } = await search(source, 'pointNames', cloudIds, 'EQUALS', PAGE_SIZE_MAX)
  return new Map(
    items.flatMap((item): [string, OwnPoint][] => {
      const cloudId = id(raw(item).cloudId)
      return cloudId === null ? [] : [[cloudId, pointOf(raw(item), cloudId)]]
    })
  )
}

/** Reads a point's model. All texts have a limited length. */
export const pointOf = (model: Raw, cloudId: string): OwnPoint => ({
  displayName: name(model.displayName),
  cloudId,
  outValue: text(model.outValue).slice(0, PROPERTY_MAX_CHARACTERS),
  facets: propertiesOf(model.facets),
  tags: propertiesOf(model.tags)
})

/** The texts, numbers and booleans among the properties. */
function propertiesOf(value: unknown): Record<string, unknown> {
  const entries = Object.entries(raw(value)).slice(0, PROPERTIES_MAX)
  return Object.fromEntries(
    entries.flatMap(([key, property]): [string, unknown][] => {
      if (key.length > PROPERTY_MAX_CHARACTERS) return []
      if (typeof property === 'string') return [[key, property.slice(0, PROPERTY_MAX_CHARACTERS)]]
      return typeof property === 'number' || typeof property === 'boolean' ? [[key, property]] : []
    })
  )
}

/** The path of a list of all points, without paging parameters. */
export const allPointsPath = (customerId: string) => pathOf(customerId, 'pointNames')

/** The names of the points to fetch, or a part of them. */
export interface PointName {
  name: string
  match: 'equals' | 'contains'
}

/** Fetches a page of that list, which another thread parses. @param named by default all points */
export function fetchPointsBody(
  { client, bearer, systemGuid }: PointSource,
  path: string,
  signal: AbortSignal,
  maxBytes: number,
  named?: PointName
): Promise<Body> {
  const comparison = named?.match === 'equals' ? 'EQUALS' : 'CONTAINS'
  const body = bodyOf('pointNames', named ? [named.name] : [], comparison, systemGuid)
  return client.searchBody('ENTITYMODEL', path, body, bearer, signal, maxBytes)
}

async function search(
  { client, customerId, bearer, signal, systemGuid }: PointSource,
  searchType: PointSearchType,
  searchItems: readonly string[],
  comparisonType: ComparisonType,
  size: number
): Promise<HalPage> {
  const path = `${pathOf(customerId, searchType)}&page=0&size=${size}`
  const body = bodyOf(searchType, searchItems, comparisonType, systemGuid)
  return readPage(await client.search('ENTITYMODEL', path, body, bearer, signal), POINTS_REL)
}

function pathOf(customerId: string, searchType: PointSearchType): string {
  const query = 'count=true&sortBy=displayName&sortDir=asc'
  return `/api/v1/entitymodel/customers/${encodeURIComponent(customerId)}/${searchType}?${query}`
}

const bodyOf = (
  searchType: PointSearchType,
  searchItems: readonly string[],
  comparisonType: ComparisonType,
  systemGuid: string | undefined
) => ({ systemGuid, searchItems, searchType, comparisonType })
