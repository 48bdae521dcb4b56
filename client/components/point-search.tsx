import {
  COMPARISON_NAMES,
  COMPARISONS,
  type Comparison,
  SEARCH_TYPE_NAMES,
  SEARCH_TYPES,
  type SearchType
} from '../lib/point-search.ts'

interface PointSearchChoicesProps {
  type: SearchType
  comparison: Comparison
  onChange: (choice: { type?: SearchType; comparison?: Comparison }) => void
}

/** In what points are searched, and how words are compared. */
export function PointSearchChoices({ type, comparison, onChange }: PointSearchChoicesProps) {
  return (
    <>
      <select
        className="select"
        aria-label="Search in"
        value={type}
        onChange={(event) => onChange({ type: event.target.value as SearchType })}
      >
        {SEARCH_TYPES.map((one) => (
          <option key={one} value={one}>
            {SEARCH_TYPE_NAMES[one]}
          </option>
        ))}
      </select>
      <select
        className="select"
        aria-label="Comparison"
        value={comparison}
        onChange={(event) => onChange({ comparison: event.target.value as Comparison })}
      >
        {COMPARISONS.map((one) => (
          <option key={one} value={one}>
            {COMPARISON_NAMES[one]}
          </option>
        ))}
      </select>
    </>
  )
}
