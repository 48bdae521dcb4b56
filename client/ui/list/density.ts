import { useStored } from '../../lib/use-stored.ts'

/** The heights of a table's rows for a mouse; each is also a CSS class of a list. */
export const DENSITIES = { compact: 'Compact', comfortable: 'Comfortable' } as const

export type Density = keyof typeof DENSITIES

export function useDensity() {
  return useStored<Density>('portal.density', 'compact')
}
