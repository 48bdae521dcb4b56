import Ellipsis from 'lucide-react/icons/ellipsis'
import { MenuButton, type MenuItem } from './menu-button.tsx'

/** What can be done with one row. */
export function RowActions({ name, items }: { name: string; items: MenuItem[] }) {
  if (items.length === 0) return null
  return (
    <MenuButton label={`Actions for ${name}`} className="button quiet icon" items={items}>
      <Ellipsis />
      <span className="sr-only">Actions for {name}</span>
    </MenuButton>
  )
}

/** The same as buttons, for a card on a small screen. */
export function CardActions({ items }: { items: readonly MenuItem[] }) {
  return items.map(({ label, disabledReason, onSelect }) => (
    <button
      key={label}
      type="button"
      className="button"
      aria-disabled={disabledReason ? true : undefined}
      title={disabledReason ?? undefined}
      onClick={() => disabledReason || onSelect()}
    >
      {label}
    </button>
  ))
}
