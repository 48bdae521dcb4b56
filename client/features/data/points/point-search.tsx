export const SEARCH_TYPE_NAMES = {
  pointNames: 'Point name',
  tagNames: 'Tag name',
  tagValues: 'Tag value'
}
export type SearchType = keyof typeof SEARCH_TYPE_NAMES
export const SEARCH_TYPES = Object.keys(SEARCH_TYPE_NAMES) as SearchType[]

const COMPARISON_NAMES = {
  CONTAINS: 'Contains',
  STARTS_WITH: 'Starts with',
  EQUALS: 'Equals'
}
export type Comparison = keyof typeof COMPARISON_NAMES

export function searchTypeNamed(name: string): SearchType | null {
  return Object.hasOwn(SEARCH_TYPE_NAMES, name) ? (name as SearchType) : null
}

export function comparisonNamed(name: string): Comparison {
  return Object.hasOwn(COMPARISON_NAMES, name) ? (name as Comparison) : 'CONTAINS'
}

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
        {optionsOf(SEARCH_TYPE_NAMES)}
      </select>
      <select
        className="select"
        aria-label="Comparison"
        value={comparison}
        onChange={(event) => onChange({ comparison: event.target.value as Comparison })}
      >
        {optionsOf(COMPARISON_NAMES)}
      </select>
    </>
  )
}

function optionsOf(names: Record<string, string>) {
  return Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))
}

/** The tag that matched a search in tags; null for a search by point name, or if no tag matches. */
export function matchedTag(
  tags: Record<string, string>,
  type: SearchType,
  comparison: Comparison,
  items: readonly string[]
): { name: string; value: string } | null {
  if (type === 'pointNames') return null
  const keywords = items.map((item) => item.trim().toLowerCase()).filter((item) => item !== '')
  const compare = {
    CONTAINS: (text: string, item: string) => text.includes(item),
    STARTS_WITH: (text: string, item: string) => text.startsWith(item),
    EQUALS: (text: string, item: string) => text === item
  }[comparison]
  // The shortest match is the closest match.
  const [match] = Object.entries(tags)
    .filter(([name, value]) =>
      keywords.some((item) => compare((type === 'tagNames' ? name : value).toLowerCase(), item))
    )
    .sort(([, a], [, b]) => a.length - b.length)
  return match ? { name: match[0], value: match[1] } : null
}
