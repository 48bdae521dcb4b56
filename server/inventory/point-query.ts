// What a list of the points of a customer's devices shows.

export const POINT_SORTS = [
  'device',
  'project',
  'name',
  'value',
  'fromMedian',
  'status',
  'noticedAt',
  'readAt'
] as const

export interface PointFilter {
  name: string
  match: 'equals' | 'contains'
  /** A status flag, `ok`, or `exception` for any status but ok. */
  status?: string | undefined
  projectId?: string | undefined
  sort: (typeof POINT_SORTS)[number]
  order: 'asc' | 'desc'
}

export interface PointQuery extends PointFilter {
  page: number
  size: number
}

/** How much of the points has been read. */
export interface PointProgress {
  /** Systems that have not been read, and those whose points could not be read; `null` if all are waiting. */
  waiting: readonly string[] | null
  failed: readonly string[]
  /** The number of points that the API announces; null if it is unknown. */
  total: number | null
  isReading: boolean
  /** When the last complete reading began, in milliseconds since 1970; null before the first one. */
  readAt: number | null
}
