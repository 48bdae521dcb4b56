import Ellipsis from 'lucide-react/icons/ellipsis'
import { MenuButton, type MenuItem } from '../input/menu-button.tsx'

/** What can be done with one row. */
export function RowActions({ name, items }: { name: string; items: MenuItem[] }) {
  if (items.length === 0) return null
  return (
    <span className="row-actions">
      <InlineAction name={name} items={items} />
      <MenuButton label={`Actions for ${name}`} className="button quiet icon" items={items}>
        <Ellipsis />
        <span className="sr-only">Actions for {name}</span>
      </MenuButton>
    </span>
  )
}

/** The most wanted of them by itself. */
export function InlineAction({ name, items }: { name: string; items: readonly MenuItem[] }) {
  const item = items.find(({ inline, disabledReason }) => inline && !disabledReason)
  if (!item) return null
  return (
    <button
      type="button"
      className="button quiet icon inline-action"
      aria-label={`${item.label} ${name}`}
      title={item.label}
      onClick={item.onSelect}
    >
      {item.icon}
    </button>
  )
}

/** The same as buttons, for a card on a small screen. */
export function CardActions({ items }: { items: readonly MenuItem[] }) {
  return items.map(({ label, disabledReason, tone, onSelect }) => (
    <button
      key={label}
      type="button"
      className={`button ${tone ?? ''}`}
      aria-disabled={disabledReason ? true : undefined}
      title={disabledReason ?? undefined}
      onClick={() => disabledReason || onSelect()}
    >
      {label}
    </button>
  ))
}
