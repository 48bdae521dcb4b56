import { useOrganization } from '../../api/organizations.ts'
import type { Place } from './use-places.ts'

interface PlaceSelectProps {
  places: readonly Place[]
  place: Place
  onChoose: (id: string) => void
}

/** For whoever manages the users of several organizations. */
export function PlaceSelect({ places, place, onChoose }: PlaceSelectProps) {
  return (
    <select
      className="select"
      aria-label="Users of"
      value={place.id}
      onChange={(event) => onChoose(event.target.value)}
    >
      {places.map(({ id }) => (
        <PlaceOption key={id} id={id} />
      ))}
    </select>
  )
}

function PlaceOption({ id }: { id: string }) {
  const { data } = useOrganization(id)
  return <option value={id}>{data?.orgName ?? id}</option>
}
