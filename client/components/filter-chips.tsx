import X from 'lucide-react/icons/x'

export interface Chip {
  /** "Role: Partner admin". */
  label: string
  onRemove: () => void
}

/** The filters that hold, each to be taken away by itself, or all at once. */
export function FilterChips({ chips, onClear }: { chips: readonly Chip[]; onClear: () => void }) {
  if (chips.length === 0) return null
  return (
    <ul className="filter-chips" aria-label="Filters">
      {chips.map(({ label, onRemove }) => (
        <li key={label} className="chip">
          <span>{label}</span>
          <button type="button" aria-label={`Remove filter ${label}`} onClick={onRemove}>
            <X />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className="link-button" onClick={onClear}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}
