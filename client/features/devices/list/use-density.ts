import { useState } from 'react'
import { recall, remember } from '../../../lib/storage.ts'

const STORED = 'portal.density'

export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

export function recallDensity(): Density {
  return DENSITIES.find((known) => known === recall<unknown>(STORED)) ?? 'compact'
}

/** How high rows are on a desk; this browser remembers it. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useState(recallDensity)
  return [
    density,
    (next) => {
      setDensity(next)
      remember(STORED, next)
    }
  ]
}
