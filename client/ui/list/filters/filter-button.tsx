import ListFilter from 'lucide-react/icons/list-filter'

interface FilterButtonProps {
  label: string
  /** How many filters hold. */
  held: number
  onOpen: () => void
}

/** Opens the sheet of filters where there is no room for them above the list. */
export function FilterButton({ label, held, onOpen }: FilterButtonProps) {
  return (
    <button type="button" className="button filters-button" aria-haspopup="dialog" onClick={onOpen}>
      <ListFilter />
      <span>{label}</span>
      {held > 0 && (
        <span className="tab-count">
          {held}
          <span className="sr-only"> chosen</span>
        </span>
      )}
    </button>
  )
}
