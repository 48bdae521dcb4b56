interface PointSearchChoicesProps {
  type: SearchType
  comparison: Comparison
  onChange: (choice: { type?: SearchType; comparison?: Comparison }) => void
}

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

export const SEARCH_TYPES = ['pointNames', 'tagNames', 'tagValues'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

export const SEARCH_TYPE_NAMES: Record<SearchType, string> = {
  pointNames: 'Point name',
  tagNames: 'Tag name',
  tagValues: 'Tag value'
}

export const COMPARISONS = ['CONTAINS', 'STARTS_WITH', 'EQUALS'] as const
export type Comparison = (typeof COMPARISONS)[number]

const COMPARISON_NAMES: Record<Comparison, string> = {
  CONTAINS: 'Contains',
  STARTS_WITH: 'Starts with',
  EQUALS: 'Equals'
}

export function searchTypeNamed(name: string): SearchType | null {
  return SEARCH_TYPES.find((type) => type === name) ?? null
}

export function comparisonNamed(name: string): Comparison | null {
  return COMPARISONS.find((comparison) => comparison === name) ?? null
}

/** The tag that matched a search in tags; null for a search by name, or if unknown. */
export function matchedTag(
  tags: Record<string, string>,
  type: SearchType,
  comparison: Comparison,
  items: readonly string[]
): { name: string; value: string } | null {
  if (type === 'pointNames') return null
  const wanted = items.map((item) => item.trim().toLowerCase()).filter((item) => item !== '')
  const compare = {
    CONTAINS: (text: string, item: string) => text.includes(item),
    STARTS_WITH: (text: string, item: string) => text.startsWith(item),
    EQUALS: (text: string, item: string) => text === item
  }[comparison]
  // The shortest match is the closest one.
  const [found] = Object.entries(tags)
    .filter(([name, value]) =>
      wanted.some((item) => compare((type === 'tagNames' ? name : value).toLowerCase(), item))
    )
    .sort(([, a], [, b]) => a.length - b.length)
  return found ? { name: found[0], value: found[1] } : null
}
