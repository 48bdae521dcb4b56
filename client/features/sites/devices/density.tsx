import Rows3 from 'lucide-react/icons/rows-3'
import Rows4 from 'lucide-react/icons/rows-4'
import { useStored } from '../../../lib/use-stored.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'

const DENSITIES = {
  comfortable: { name: 'Comfortable', Icon: Rows3 },
  compact: { name: 'Compact', Icon: Rows4 }
}
type Density = keyof typeof DENSITIES

/** The chosen row height, which is also a CSS class of the list. */
export const useDensity = () => useStored<Density>('portal.density', 'compact')

interface DensityChoiceProps {
  density: Density
  onChange: (density: Density) => void
}

export function DensityChoice({ density, onChange }: DensityChoiceProps) {
  return (
    <fieldset className="density">
      <legend className="sr-only">Height of rows</legend>
      {(Object.keys(DENSITIES) as Density[]).map((option) => (
        <IconButton
          key={option}
          {...DENSITIES[option]}
          className=""
          pressed={density === option}
          onPress={() => onChange(option)}
        />
      ))}
    </fieldset>
  )
}
