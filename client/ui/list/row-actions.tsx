import Ellipsis from 'lucide-react/icons/ellipsis'
import { IconButton } from '../input/icon-button.tsx'
import { MenuButton, type MenuItem } from '../input/menu-button.tsx'

interface RowActionsProps {
  name: string
  items: MenuItem[]
  /** Opens a sheet instead of a menu. */
  onOpen?: (() => void) | undefined
}

export function RowActions({ name, items, onOpen }: RowActionsProps) {
  if (items.length === 0 && !onOpen) return null
  return (
    <span className="row-actions">
      <InlineAction name={name} items={items} />
      {onOpen ? (
        <IconButton name={`Details of ${name}`} Icon={Ellipsis} aria-haspopup="dialog" onPress={onOpen} />
      ) : (
        <MenuButton label={`Actions for ${name}`} className="button quiet icon" items={items}>
          <Ellipsis />
          <span className="sr-only">Actions for {name}</span>
        </MenuButton>
      )}
    </span>
  )
}

export function InlineAction({ name, items }: { name: string; items: readonly MenuItem[] }) {
  const item = items.find(({ inline, disabledReason }) => inline && !disabledReason)
  if (!item) return null
  return (
    <button
      type="button"
      className={`button quiet icon inline-action ${item.tone === 'danger' ? 'on-hover' : ''}`}
      aria-label={`${item.label} ${name}`}
      title={item.label}
      onClick={item.onSelect}
    >
      {item.icon}
    </button>
  )
}

export function CardActions({ items }: { items: readonly MenuItem[] }) {
  return (
    <div className="row-card-actions">
      {items.map(({ label, icon, disabledReason, tone, onSelect }) => (
        <button
          key={label}
          type="button"
          className={`button ${tone ?? ''}`}
          aria-disabled={disabledReason ? true : undefined}
          onClick={() => disabledReason || onSelect()}
        >
          {icon}
          <span>
            {label}
            {disabledReason && <small>{disabledReason}</small>}
          </span>
        </button>
      ))}
    </div>
  )
}
