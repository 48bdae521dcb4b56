// One chapter of the description of the proxied calls: what is told of each row, by its id.
import type { RouteDocs } from '../../types.ts'

/** Path parameters are told by their names, and the area by the file. */
export type Description = Omit<RouteDocs, 'area' | 'params'>

export interface Area {
  name: string
  description: string
  rows: Readonly<Record<string, Description>>
}

export function area(name: string, description: string, rows: Area['rows']): Area {
  return { name, description, rows }
}
