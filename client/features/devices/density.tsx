import Rows3 from 'lucide-react/icons/rows-3'
import Rows4 from 'lucide-react/icons/rows-4'
import { useState } from 'react'
import { recall, remember } from '../../lib/storage.ts'

const STORED = 'portal.density'
const DENSITIES = {
  comfortable: { name: 'Comfortable', Icon: Rows3 },
  compact: { name: 'Compact', Icon: Rows4 }
}
type Density = keyof typeof DENSITIES

/** The row height, as a class; this browser remembers it. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(() =>
    recall<unknown>(STORED) === 'comfortable' ? 'comfortable' : 'compact'
  )
  return [
    density,
    (next) => {
      setDensity(next)
      remember(STORED, next)
    }
  ]
}

interface DensityChoiceProps {
  density: Density
  onChange: (density: Density) => void
}

export function DensityChoice({ density, onChange }: DensityChoiceProps) {
  return (
    <fieldset className="density">
      <legend className="sr-only">Height of rows</legend>
      {(Object.keys(DENSITIES) as Density[]).map((one) => {
        const { name, Icon } = DENSITIES[one]
        return (
          <button
            key={one}
            type="button"
            className="button icon"
            aria-label={name}
            title={name}
            aria-pressed={density === one}
            onClick={() => onChange(one)}
          >
            <Icon />
          </button>
        )
      })}
    </fieldset>
  )
}
