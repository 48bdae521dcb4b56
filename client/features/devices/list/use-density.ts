import { useState } from 'react'
import { recall, remember } from '../../../lib/storage.ts'

const STORED = 'portal.density'

export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** How high rows are on a desk; this browser remembers it. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(
    () => DENSITIES.find((known) => known === recall<unknown>(STORED)) ?? 'compact'
  )
  return [
    density,
    (next) => {
      setDensity(next)
      remember(STORED, next)
    }
  ]
}
